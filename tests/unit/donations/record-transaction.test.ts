import { expect, it } from 'vitest';
import { seenInMempool } from '#src/donations/record-transaction.ts';

const TIP_AT = Date.UTC(2026, 10, 20);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

it('takes the time of an unconfirmed payment from the clock, at most two hours off the chain', () => {
  const seenAt = (now: number): number => seenInMempool(now, TIP_AT).at - TIP_AT;
  expect(seenAt(TIP_AT + HOUR_MS)).toBe(HOUR_MS);
  expect(seenAt(TIP_AT - 1_500 * DAY_MS)).toBe(-2 * HOUR_MS);
  expect(seenAt(TIP_AT + 1_500 * DAY_MS)).toBe(2 * HOUR_MS);
});
