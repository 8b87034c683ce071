import nouns from './nouns.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };

/** Words that fill the slots of sentence templates, in the grammatical cases the templates ask for. */
export interface Noun {
  nom: string;
  gen: string;
  acc: string;
  ins: string;
}

/** What changes hands. Singular throughout, so that a verb after `{item.nom}` agrees. */
export const ITEMS: Readonly<Record<'goods' | 'accounts' | 'commissions', readonly Noun[]>> = nouns.items;

// The instrumental of litecoin is "to an address": the amount already says LTC.
const { blik, psc, giftCard, transfer, phoneTransfer, litecoin } = nouns.payments;

/** What stands here twice is drawn twice as often. */
export const PAYMENTS = {
  any: [blik, blik, transfer, phoneTransfer, psc, giftCard, litecoin],
  codes: [psc, giftCard],
  quick: [blik, blik, blik, phoneTransfer],
  transfers: [transfer, phoneTransfer],
} as const satisfies Record<string, readonly Noun[]>;

export const PRIZES: readonly Noun[] = nouns.prizes;

/** What trusted people do for others, by kind. */
export const SERVICES: Readonly<Record<'escrow' | 'trade' | 'craft' | 'care', readonly Noun[]>> =
  nouns.services;

interface Words {
  /** Payment methods in złoty amounts, for tables. */
  readonly payments: readonly string[];
  /** State of one payment, for tables. */
  readonly states: readonly string[];
  readonly later: readonly string[];
  /** Where messages come. */
  readonly places: readonly string[];
  /** Where goods and services are offered. */
  readonly boards: readonly string[];
  readonly channels: readonly string[];
  /** Accusative: what was given as the reason of a delay. */
  readonly excuses: readonly string[];
  readonly months: readonly string[];
  readonly hostStarts: readonly string[];
  readonly hostEnds: readonly string[];
  /** Where proofs and threads are kept; also reserved example names. */
  readonly archiveHosts: readonly string[];
  readonly archivePaths: readonly string[];
}

export const WORDS: Words = words;
