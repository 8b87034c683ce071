/** How old something is counts days of the calendar in Poland, also across both changes of the clock. */
import { expect, it } from 'vitest';
import { formatAge, formatDuration, formatSince } from '#src/components/ui/polish.ts';

it.each([
  // An hour before or after midnight in Warsaw.
  ['2026-11-24T22:59:00Z', '2026-11-24T23:01:00Z', '1 dzień'],
  ['2026-11-24T23:01:00Z', '2026-11-25T22:59:00Z', 'niecały dzień'],
  ['2026-11-22T22:59:00Z', '2026-11-25T23:01:00Z', '4 dni'],
  // The days of 25 and of 23 hours.
  ['2026-10-24T22:30:00Z', '2026-10-25T22:30:00Z', 'niecały dzień'],
  ['2026-10-24T22:30:00Z', '2026-10-25T23:30:00Z', '1 dzień'],
  ['2026-03-28T23:30:00Z', '2026-03-29T22:30:00Z', '1 dzień'],
  ['2026-03-28T23:30:00Z', '2026-03-29T21:30:00Z', 'niecały dzień'],
  ['2026-09-27T08:00:00Z', '2026-11-25T08:00:00Z', '59 dni'],
  ['2026-07-31T08:00:00Z', '2026-09-29T08:00:00Z', '1 miesiąc'],
  ['2026-05-25T22:30:00Z', '2026-11-25T08:00:00Z', '5 miesięcy'],
  ['2024-11-26T08:00:00Z', '2026-11-25T08:00:00Z', 'ponad rok'],
  ['2024-11-25T20:00:00Z', '2026-11-25T08:00:00Z', '2 lata'],
  ['2027-11-25T08:00:00Z', '2026-11-25T08:00:00Z', 'niecały dzień'],
])('%s is at %s %s old', (at, now, age) => {
  expect(formatAge(Date.parse(at), Date.parse(now)).replaceAll('\u00a0', ' ')).toBe(age);
});

it.each([
  ['2026-11-24T08:00:00Z', '1 dnia'],
  ['2026-09-27T08:00:00Z', '59 dni'],
  ['2026-09-22T08:00:00Z', '2 miesięcy'],
  ['2026-04-20T08:00:00Z', '7 miesięcy'],
  ['2024-11-25T08:00:00Z', '2 lat'],
])('%s is since %s', (at, since) => {
  expect(formatSince(Date.parse(at), Date.parse('2026-11-25T08:00:00Z')).replace('\u00a0', ' ')).toBe(since);
});

it('gives no length of time below zero', () => {
  expect(formatDuration(-90_000_000).replaceAll('\u00a0', ' ')).toBe('0 s');
});
