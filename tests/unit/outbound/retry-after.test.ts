import { expect, it } from 'vitest';
import { parseRetryAfter } from '#src/outbound/retry-after.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

it.each([
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['0', 1_000],
  ['1', 1_000],
  ['1.337', 1_337],
  ['120', 120_000],
  ['999999999999', 3_600_000],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 1_000],
  ['Sat, 21 Nov 2026 12:00:00 GMT', 3_600_000],
])('Retry-After: %s means a pause of %s ms', (header, pauseMs) => {
  expect(parseRetryAfter(header, NOW)).toBe(pauseMs);
});
