/**
 * Any number of invented entries for tests and the benchmark: the demo's texts and names recombined, with new IDs,
 * amounts and times. A record depends only on list, seed and index, so a longer run begins with the shorter one.
 */
import { type ListKind, LIST_KINDS } from '#src/entries/entry.ts';
import { demoRecords, type SampleRecord } from './demo-records.ts';
import { Random } from './random.ts';
import { DAY_MS, HOUR_MS } from '#src/text/calendar.ts';

/** The newest report is one hour older. */
const NOW_MS = Date.UTC(2026, 10, 20, 12);
const REPORT_SPAN_MS = 3 * 365 * DAY_MS;
const OLDEST_ACCOUNT_MS = Date.UTC(2016, 0, 1);
const SNOWFLAKE_EPOCH_MS = 1_420_070_400_000;
const VIEWS_MAX = 80_000;
const NAME_PART_MAX = 20;

/** IDs and names never repeat, neither in a list nor between lists of the same seed. */
export function* sampleRecords(
  list: ListKind,
  { count, seed }: { readonly count: number; readonly seed: number },
): Generator<SampleRecord, void, undefined> {
  const pieces = takeApart(demoRecords(list));
  for (let index = 0; index < count; index++) {
    const number = index * LIST_KINDS.length + LIST_KINDS.indexOf(list);
    const random = new Random(seed, number);
    const reportedMs = drawReportedMs(random);
    const proofs = random.pick(pieces.proofs);
    yield {
      id: drawId(random, reportedMs, number),
      name: `${random.pick(pieces.nameParts)}${random.pick(['_', '.', ' ', ''])}${random.pick(pieces.nameParts)}${number}`,
      reason: drawReason(random, pieces),
      verified: random.pick(pieces.verified),
      account: index % 100 === 99 ? 'hijacked' : 'own',
      reportedAt: new Date(reportedMs).toISOString(),
      views: drawViews(random),
      ...(proofs && { proofs }),
    };
  }
}

function takeApart(records: readonly SampleRecord[]) {
  // A name that ended with a digit could be the same as another one with a longer number.
  const parts = records.flatMap(({ name }) => name.split(/[\s_.\d-]+/)).filter((part) => !/\d$/.test(part));
  const paragraphs = records.map(({ reason }) => reason.split('\n\n'));
  return {
    nameParts: [...new Set(parts)].filter(({ length }) => length > 1 && length <= NAME_PART_MAX),
    openings: paragraphs.map(([opening = '']) => opening),
    // The paragraphs after the opening, or nothing.
    rests: paragraphs.map(([, ...rest]) => rest.join('\n\n')),
    // A file would be copied for each of a million records.
    proofs: records
      .map(({ proofs }) => proofs)
      .filter((proofs) => !proofs?.items.some(({ file }) => file !== undefined)),
    verified: records.map(({ verified }) => verified),
  };
}

/** An opening and the rest of another reason, with other amounts and numbers of tickets. */
function drawReason(random: Random, { openings, rests }: ReturnType<typeof takeApart>): string {
  const factor = 0.5 + random.unit();
  return [random.pick(openings), random.pick(rests)]
    .filter(Boolean)
    .join('\n\n')
    .replace(/(\d{1,5})(?:,\d\d)? zł/g, (_, zloty) => `${Math.ceil(Number(zloty) * factor)} zł`)
    .replace(/Z-\d+/g, () => `Z-${1_000 + random.below(99_000)}`);
}

/** Reports grow denser towards now. Some came in a batch and share one instant. */
function drawReportedMs(random: Random): number {
  const ageMs = HOUR_MS + random.unit() ** 1.3 * (REPORT_SPAN_MS - HOUR_MS);
  if (random.chance(0.04)) return NOW_MS - Math.ceil(ageMs / (3 * DAY_MS)) * 3 * DAY_MS;
  return Math.floor((NOW_MS - ageMs) / 1_000) * 1_000;
}

/**
 * A snowflake ID of 17 to 20 digits. A seventh of the accounts is at most two weeks old when reported. The number of
 * the record fills the lowest 32 bits, the last ten of the time included, so that no ID repeats.
 */
function drawId(random: Random, reportedMs: number, number: number): string {
  const spanMs = random.chance(0.14) ? 14 * DAY_MS : reportedMs - OLDEST_ACCOUNT_MS - HOUR_MS;
  const createdMs = Math.floor(reportedMs - HOUR_MS - random.unit() ** 1.4 * spanMs);
  return (((BigInt(createdMs - SNOWFLAKE_EPOCH_MS) >> 10n) << 32n) | BigInt(number)).toString();
}

/** A third of the entries was never opened. The rest has a long tail up to tens of thousands of views. */
function drawViews(random: Random): number {
  if (random.chance(0.34)) return 0;
  return Math.min(Math.floor(3 * (1 - random.unit()) ** -1.1), VIEWS_MAX);
}
