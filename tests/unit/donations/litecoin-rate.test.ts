import { beforeEach, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { getRate, RateError } from '#src/donations/litecoin-rate.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { sendJson } from '../../support/outside-answers.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const HOUR_MS = 3_600_000;

const GECKO = { litecoin: { pln: 336.79, last_updated_at: NOW / 1000 - 60 } };

let db: Database;
/** Undefined: CoinGecko answers 500. */
let answer: unknown;
let ask: (now?: number) => ReturnType<typeof getRate>;

beforeEach(async () => {
  db = await makeDatabase();
  answer = GECKO;
  const { origin } = await startLoopbackServer((request, response) =>
    sendJson(answer, answer === undefined ? 500 : 200)(request, response),
  );
  // With a new Outbound each time: after a failure it would wait before it asks again.
  ask = (now = NOW) =>
    getRate(db, createOutbound(), { fixedRateGrosze: undefined, coingeckoUrl: origin }, now);
});

it('comes from CoinGecko', async () => {
  expect(await ask()).toEqual({ rateGrosze: 33_679, source: 'CoinGecko', at: NOW, warnings: [] });
});

it('may be fixed, and then nobody is asked', async () => {
  const settings = { fixedRateGrosze: 34_000, coingeckoUrl: 'http://x' };
  const rate = await getRate(db, createOutbound(), settings, NOW);
  expect(rate).toMatchObject({ rateGrosze: 34_000, source: 'fixed' });
});

it.each([
  ['nothing', { litecoin: { ...GECKO.litecoin, pln: 0 } }],
  ['far too much', { litecoin: { ...GECKO.litecoin, pln: 1e9 } }],
  ['an old price', { litecoin: { ...GECKO.litecoin, last_updated_at: NOW / 1000 - 3_700 } }],
  ['a price of tomorrow', { litecoin: { ...GECKO.litecoin, last_updated_at: NOW / 1000 + 86_400 } }],
  ['another shape', { bitcoin: { pln: 1 } }],
])('is not believed when CoinGecko says %s', async (_name, lie) => {
  answer = lie;
  await expect(ask()).rejects.toThrow(RateError);
});

it.each([10, 0.1])('is not believed when it is %d times that of yesterday', async (factor) => {
  await ask();
  db.statement('UPDATE litecoin_rates SET at = ?').run(NOW - 24 * HOUR_MS);
  answer = { litecoin: { ...GECKO.litecoin, pln: 336.79 * factor } };
  await expect(ask()).rejects.toThrow(/is not believed: the last good price was 336.79 zł/);
});

it('is the last good one for an hour when CoinGecko fails, and says so', async () => {
  await ask();
  answer = undefined;
  const rate = await ask(NOW + HOUR_MS);
  expect(rate).toMatchObject({ rateGrosze: 33_679, source: 'CoinGecko', at: NOW });
  expect(rate.warnings).toEqual([
    expect.stringMatching(/^CoinGecko: .*500/),
    'using the last good rate, 60 minutes old',
  ]);
  await expect(ask(NOW + HOUR_MS + 1)).rejects.toThrow(/no price of LTC can be believed/);
});
