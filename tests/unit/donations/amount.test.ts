import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatLtc,
  litoshiFor,
  parseLtc,
  parsePln,
  toLtc,
  toPln,
  valueInGrosze,
} from '#src/donations/amount.ts';

const LITOSHI_MAX = 84_000_000 * 1e8;
const prices = fc.integer({ min: 1, max: 1e9 });

it.each([
  ['0.125', 12_500_000],
  ['1', 100_000_000],
  ['0.00000001', 1],
  ['84000000', LITOSHI_MAX],
  ['21.00000001', 2_100_000_001],
])('reads %s LTC', (text, litoshi) => {
  expect(parseLtc(text)).toBe(litoshi);
  expect(formatLtc(litoshi)).toBe(text);
});

it.each([
  ['LTC', parseLtc, '0 0.0 -1 1,5 1e-7 .5 1. 0.000000001 84000000.1 NaN ٣'],
  ['zł', parsePln, '0 -1 1,50 1.234 10000000.01 NaN 1e3'],
] as const)('refuses in %s every other text', (_unit, parse, texts) => {
  for (const text of ['', ' 1', ...texts.split(' ')]) expect(parse(text), text).toBeUndefined();
});

it('leaves as JSON with at most 8 and 2 decimals, and comes back as the same whole number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: LITOSHI_MAX }), (litoshi) => {
      expect(JSON.stringify(toLtc(litoshi))).toMatch(/^\d+(?:\.\d{1,8})?$|^\d(?:\.\d)?e-[78]$/);
      expect(Number(formatLtc(litoshi))).toBe(toLtc(litoshi));
      expect(parseLtc(formatLtc(litoshi))).toBe(litoshi);
    }),
  );
  fc.assert(
    fc.property(prices, (grosze) => {
      expect(JSON.stringify(toPln(grosze))).toMatch(/^\d+(?:\.\d{1,2})?$/);
      expect(parsePln(String(toPln(grosze)))).toBe(grosze);
    }),
  );
});

it('asks for an amount that is worth at least the price, and little more', () => {
  fc.assert(
    fc.property(prices, fc.integer({ min: 100, max: 1e8 }), (grosze, rateGrosze) => {
      const litoshi = litoshiFor(grosze, rateGrosze);
      expect(litoshi % 1_000).toBe(0);
      expect(valueInGrosze(litoshi, rateGrosze)).toBeGreaterThanOrEqual(grosze);
      expect(BigInt(litoshi - 1_000) * BigInt(rateGrosze)).toBeLessThan(BigInt(grosze) * 100_000_000n);
    }),
  );
});
