import type { Random } from './random.ts';
import { handle } from './sample-name.ts';
import { ITEMS, PAYMENTS, PRIZES, SERVICES, WORDS } from './reason-words.ts';
import type { Noun } from './reason-words.ts';

/**
 * Sentence templates with slots: `'Wpłacono {amount} {payment.ins}.'`. What identifies the case (item,
 * payment, amount) stays the same in one text; the rest is drawn anew at every use. Templates are taken apart
 * once, so that a million texts are cheap.
 */
export type Phrase = (facts: Facts, random: Random) => string;

/** What a case is about. */
interface Case {
  item: Noun;
  payment: Noun;
  prize: Noun;
  service: Noun;
  amount: string;
}

export interface Facts extends Case {
  /** Days mentioned in one text run forward from here and never past `reportedMs`. */
  eventMs: number;
  reportedMs: number;
  /** Minute of the day of the next quoted message. */
  minute: number;
}

const DAY_MS = 86_400_000;

/** What a case may be about; without a list of its own it is about goods and any payment. */
export interface FactSources {
  items?: readonly Noun[];
  payments?: readonly Noun[];
  services?: readonly Noun[];
}

export function drawFacts(
  random: Random,
  account: { createdMs: number; reportedMs: number },
  sources: FactSources,
): Facts {
  const startMs = account.reportedMs - random.between(2, 40) * DAY_MS;
  return {
    ...drawCase(random, sources),
    eventMs: Math.max(startMs, account.createdMs),
    reportedMs: account.reportedMs,
    minute: random.between(600, 1380),
  };
}

/** Another case of the same account: time goes on, the rest is new. */
export function drawFurtherCase(random: Random, facts: Facts, sources: FactSources): Facts {
  return { ...facts, ...drawCase(random, sources) };
}

function drawCase(
  random: Random,
  { items = ITEMS.goods, payments = PAYMENTS.any, services = SERVICES.trade }: FactSources,
): Case {
  const payment = random.pick(payments);
  return {
    item: random.pick(items),
    payment,
    prize: random.pick(PRIZES),
    service: random.pick(services),
    amount: payment.nom === 'Litecoin' ? coinAmount(random) : zlotyAmount(random),
  };
}

/** Takes templates apart; throws on a slot that does not exist. */
export function phrases(templates: readonly string[]): readonly Phrase[] {
  return templates.map(toPhrase);
}

function toPhrase(template: string): Phrase {
  const [head = '', ...rest] = template.split(/[{}]/);
  const parts: { slot: Phrase; after: string }[] = [];
  for (let at = 0; at < rest.length; at += 2) {
    const slot = SLOTS[rest[at] ?? ''];
    if (slot === undefined) throw new Error(`Unknown slot {${rest[at]}} in: ${template}`);
    parts.push({ slot, after: rest[at + 1] ?? '' });
  }
  return (facts, random) => {
    let text = head;
    for (const { slot, after } of parts) text += slot(facts, random) + after;
    return text;
  };
}

const SLOTS: Readonly<Record<string, Phrase>> = {
  ...nounSlots('item'),
  ...nounSlots('payment'),
  ...nounSlots('prize'),
  ...nounSlots('service'),
  amount: (facts) => facts.amount,
  sum: (_facts, random) => zlotyAmount(random),
  anyItem: (_facts, random) => random.pick(ITEMS.goods).nom,
  anyPayment: (_facts, random) => random.pick(WORDS.payments),
  state: (_facts, random) => random.pick(WORDS.states),
  later: (_facts, random) => random.pick(WORDS.later),
  place: (_facts, random) => random.pick(WORDS.places),
  board: (_facts, random) => random.pick(WORDS.boards),
  channel: (_facts, random) => random.pick(WORDS.channels),
  excuse: (_facts, random) => random.pick(WORDS.excuses),
  nick: (_facts, random) => handle(random),
  host: (_facts, random) => drawHost(random),
  url: (_facts, random) => drawUrl(random),
  ticket: (_facts, random) => `Z-${random.between(1000, 99_999)}`,
  // Ranges of numbers are those that take one and the same form of the noun that follows.
  number: (_facts, random) => String(random.between(2, 40)),
  many: (_facts, random) => String(random.between(3, 80) * 5),
  people: (_facts, random) => String(random.between(5, 19)),
  days: (_facts, random) => String(random.between(2, 30)),
  minutes: (_facts, random) => String(random.below(5) * 10 + random.between(5, 11)),
  day: takeDay,
  time: takeTime,
};

/** `{item.gen}` and its like: one slot for each case. */
function nounSlots(fact: 'item' | 'payment' | 'prize' | 'service'): Record<string, Phrase> {
  return {
    [`${fact}.nom`]: (facts) => facts[fact].nom,
    [`${fact}.gen`]: (facts) => facts[fact].gen,
    [`${fact}.acc`]: (facts) => facts[fact].acc,
    [`${fact}.ins`]: (facts) => facts[fact].ins,
  };
}

function takeDay(facts: Facts, random: Random): string {
  const date = new Date(facts.eventMs);
  facts.eventMs = Math.min(facts.eventMs + random.below(3) * DAY_MS, facts.reportedMs);
  return `${date.getUTCDate()} ${WORDS.months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function takeTime(facts: Facts, random: Random): string {
  facts.minute = (facts.minute + random.below(7)) % 1440;
  const minutes = facts.minute % 60;
  return `${Math.floor(facts.minute / 60)}:${minutes < 10 ? '0' : ''}${minutes}`;
}

/** Where a proof or a thread can be seen; its host is an example name. */
export function drawUrl(random: Random): string {
  return `https://${random.pick(WORDS.archiveHosts)}/${random.pick(WORDS.archivePaths)}/${random.between(100, 99_999)}`;
}

/** The host of a reported page; always one of the reserved example names, which can never exist. */
function drawHost(random: Random): string {
  return `${random.pick(WORDS.hostStarts)}-${random.pick(WORDS.hostEnds)}.example`;
}

function zlotyAmount(random: Random): string {
  switch (random.below(6)) {
    case 0:
      return `${random.between(1, 19) * 10 - 1},99 zł`;
    case 1:
      return `${random.between(7, 320)} zł`;
    case 2:
      return `${random.between(4, 60) * 50} zł`;
    default:
      return `${random.between(2, 60) * 5} zł`;
  }
}

function coinAmount(random: Random): string {
  return `${random.below(3)},${random.between(11, 99)} LTC`;
}
