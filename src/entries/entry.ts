/**
 * An entry of one of the three lists (SPEC 1 and 2.1). staging-session.ts imports entries, staging-tables.ts
 * writes them, public-entry.ts reads what is shown, and snapshots/ publishes copies for mirrors.
 */
import type { ListEntry } from './entry-schema.ts';

export type { ListEntry } from './entry-schema.ts';

export const LIST_KINDS = ['scammers', 'servers', 'legit'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

export function parseListKind(name: string): ListKind | undefined {
  return LIST_KINDS.find((list) => list === name);
}

/** Characters of an ID. */
export const ID_MAX = 64;
/** Characters of a typed name. */
export const SEARCH_MAX = 100;

/** `hijacked`: a stranger writes from the account, and its owner is not to blame. */
export const ACCOUNT_STATES = ['own', 'hijacked'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** `private`: proofs exist, but their page shows none of them. */
export type ProofsState = 'none' | 'public' | 'private';

export interface Appeal {
  /** Epoch milliseconds. */
  readonly openedAt: number;
  /** When it was decided that the entry stays; null while the appeal is open. */
  readonly decidedAt: number | null;
  /** Why it stays; null while the appeal is open, and after a redaction. */
  readonly note: string | null;
}

export interface PublicSummary extends Omit<ListEntry, 'descHtml'> {
  readonly list: ListKind;
  readonly proofs: ProofsState;
  readonly reportedAt: number;
  readonly verifiedAt: number | null;
  readonly account: AccountState;
  readonly accountSince: number | null;
  readonly updatedAt: number;
  readonly appeal: Appeal | null;
  readonly excerpt: string;
}

export interface PublicEntry extends PublicSummary, ListEntry {
  readonly visibleText: string;
}
