import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DONATION_STATUSES,
  isPaid,
  nextStatus,
  type DonationStatus,
  type Observation,
} from '#src/donations/donation-status.ts';

const MINIMUM = 12_500_000;
const EXPIRY = 1_000_000;
const NOTHING: Observation = {
  scannedAt: 0,
  expiresAt: EXPIRY,
  minimumLitoshi: MINIMUM,
  receivedLitoshi: 0,
  confirmations: 0,
  requiredConfirmations: 6,
  forwarded: 'no',
};

const observations = fc.record({
  scannedAt: fc.constantFrom(0, EXPIRY - 1, EXPIRY, EXPIRY + 1),
  receivedLitoshi: fc.constantFrom(0, 1, MINIMUM - 1, MINIMUM, MINIMUM + 1),
  confirmations: fc.constantFrom(0, 1, 5, 6, 7),
  forwarded: fc.constantFrom('no', 'seen', 'confirmed'),
});

describe('3 the life of a donation', () => {
  it.each<[DonationStatus, Partial<Observation>, DonationStatus]>([
    ['pending', { scannedAt: EXPIRY - 1 }, 'pending'],
    ['pending', { scannedAt: EXPIRY }, 'expired'],
    ['pending', { receivedLitoshi: MINIMUM }, 'seen'],
    ['pending', { receivedLitoshi: MINIMUM - 1 }, 'underpaid'],
    ['underpaid', { receivedLitoshi: MINIMUM - 1, confirmations: 9, scannedAt: EXPIRY }, 'underpaid'],
    ['underpaid', { receivedLitoshi: MINIMUM }, 'seen'],
    ['seen', { receivedLitoshi: MINIMUM + 1, confirmations: 1 }, 'confirming'],
    ['confirming', { receivedLitoshi: MINIMUM, confirmations: 5 }, 'confirming'],
    ['confirming', { receivedLitoshi: MINIMUM, confirmations: 6 }, 'confirmed'],
    // The chain takes back what it showed.
    ['confirming', { receivedLitoshi: MINIMUM }, 'seen'],
    ['confirming', {}, 'pending'],
    ['confirming', { scannedAt: EXPIRY }, 'expired'],
    ['confirmed', { receivedLitoshi: MINIMUM, confirmations: 2 }, 'confirming'],
    ['forwarded', { receivedLitoshi: MINIMUM, confirmations: 7, forwarded: 'seen' }, 'forwarding'],
    ['confirmed', { receivedLitoshi: MINIMUM, confirmations: 7, forwarded: 'seen' }, 'forwarding'],
    ['forwarding', { receivedLitoshi: MINIMUM, confirmations: 7, forwarded: 'confirmed' }, 'forwarded'],
    // Spent before it is confirmed enough: the donor still sees the confirmations.
    ['confirming', { receivedLitoshi: MINIMUM, confirmations: 2, forwarded: 'confirmed' }, 'confirming'],
    // Several steps at once, after the node was away.
    ['pending', { receivedLitoshi: MINIMUM, confirmations: 40, forwarded: 'confirmed' }, 'forwarded'],
    // Late money is taken; lost time does not come back.
    ['expired', { receivedLitoshi: MINIMUM, scannedAt: EXPIRY + 9 }, 'seen'],
    ['expired', { scannedAt: 0 }, 'expired'],
    ['failed', { receivedLitoshi: MINIMUM, confirmations: 9, forwarded: 'confirmed' }, 'failed'],
  ])('%s, %j: %s', (current, seen, next) => {
    expect(nextStatus(current, { ...NOTHING, ...seen })).toBe(next);
  });

  it('is paid by a whole and confirmed amount only, whatever came before, and stays where it went', () => {
    fc.assert(
      fc.property(fc.constantFrom(...DONATION_STATUSES), observations, (current, observed) => {
        const seen: Observation = { ...NOTHING, ...observed };
        const next = nextStatus(current, seen);
        const isWhole = seen.receivedLitoshi >= MINIMUM && seen.confirmations >= seen.requiredConfirmations;
        expect(isPaid(next)).toBe(current !== 'failed' && isWhole);
        expect(next === 'failed').toBe(current === 'failed');
        expect(nextStatus(next, seen)).toBe(next);
      }),
      { numRuns: 5_000 },
    );
  });
});
