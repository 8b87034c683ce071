import type { Random } from './random.ts';
import type { SampleList } from './sample-record.ts';

/**
 * When an invented account was made and reported, and its snowflake ID. IDs are unique by construction,
 * without a set that would grow with the count: the low bits are a permutation of the record's number.
 */
export interface SampleAccount {
  id: string;
  createdMs: number;
  reportedMs: number;
}

const SNOWFLAKE_EPOCH_MS = 1_420_070_400_000;
const OLDEST_ACCOUNT_MS = Date.UTC(2016, 0, 1);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REPORT_SPAN_MS = 3 * 365 * DAY_MS;
const LOW_SPAN = 1 << 22;
const LIST_NUMBER = { scammers: 0, servers: 1, legit: 2 } as const satisfies Record<SampleList, number>;

/** The millisecond in which a snowflake ID was made. */
export function createdMsOf(id: string): number {
  return Number(BigInt(id) >> 22n) + SNOWFLAKE_EPOCH_MS;
}

/** `random` must be seeded for this record: creation and report time are drawn from it. */
export function sampleAccount(
  random: Random,
  place: { list: SampleList; seed: number; index: number; now: number },
): SampleAccount {
  const reportedMs = drawReportedMs(random, place.now);
  const number = place.index * 4 + LIST_NUMBER[place.list];
  const low = permute(number % LOW_SPAN, place.seed);
  const lap = Math.floor(number / LOW_SPAN);
  // From the second lap on low bits repeat; the lap in the millisecond's last six bits keeps the IDs apart.
  const drawnMs = drawCreatedMs(random, reportedMs);
  const createdMs = drawnMs - (drawnMs % 64) + ((low + lap) % 64);
  const id = (BigInt(createdMs - SNOWFLAKE_EPOCH_MS) << 22n) | BigInt(low);
  return { id: id.toString(), createdMs, reportedMs };
}

/** Reports grow denser towards `now`; some came in as a batch and share one exact instant. */
function drawReportedMs(random: Random, now: number): number {
  const ageMs = HOUR_MS + random.unit() ** 1.3 * (REPORT_SPAN_MS - HOUR_MS);
  if (random.chance(0.04)) return now - Math.ceil(ageMs / (3 * DAY_MS)) * 3 * DAY_MS;
  return Math.floor((now - ageMs) / 1000) * 1000;
}

/** A seventh of the accounts is at most two weeks old when reported, the rest up to ten years. */
function drawCreatedMs(random: Random, reportedMs: number): number {
  const oldestMs = reportedMs - OLDEST_ACCOUNT_MS;
  const spanMs = random.chance(0.14) ? 14 * DAY_MS : oldestMs - HOUR_MS;
  return Math.floor(reportedMs - HOUR_MS - random.unit() ** 1.4 * spanMs);
}

/** A bijection of 22-bit numbers: an odd factor, a shift and a key are each reversible. */
function permute(value: number, seed: number): number {
  const mask = LOW_SPAN - 1;
  let mixed = (value ^ (Math.imul(seed, 0x9e3779b1) >>> 10)) & mask;
  mixed = Math.imul(mixed, 0x2c1b3d) & mask;
  mixed ^= mixed >>> 11;
  mixed = Math.imul(mixed, 0x297a2d) & mask;
  return mixed ^ (mixed >>> 11);
}
