import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { getRate, RateError } from '#src/donations/litecoin-rate.ts';
import type { Rate } from '#src/donations/litecoin-rate.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const HOUR_MS = 3_600_000;

/** As CoinGecko's /simple/price, Kraken's public Ticker and NBP's table A answer. */
const GECKO = { litecoin: { pln: 336.79, last_updated_at: NOW / 1000 - 60 } };
const KRAKEN = { error: [], result: { XLTCZUSD: { a: ['92.11', '1', '1.000'], c: ['92.10', '0.5'] } } };
const NBP = {
  table: 'A',
  currency: 'dolar amerykański',
  code: 'USD',
  rates: [{ no: '225/A/NBP/2026', effectiveDate: '2026-11-19', mid: 3.65 }],
};

let db: Database;
let answers: { gecko: unknown; kraken: unknown; nbp: unknown };
let ask: (now?: number) => Promise<Rate>;

beforeEach(async () => {
  db = await makeDatabase();
  answers = { gecko: GECKO, kraken: KRAKEN, nbp: NBP };
  // A server each: whoever fails is left alone for a while.
  const [gecko, kraken, nbp] = await Promise.all(
    (['gecko', 'kraken', 'nbp'] as const).map((name) =>
      startLoopbackServer((_request, response) => {
        const answer = answers[name];
        if (answer === undefined) response.writeHead(500).end();
        else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
      }),
    ),
  );
  ask = (now = NOW) =>
    getRate(
      db,
      // A new one each time: what failed a moment ago is asked again.
      createOutbound(),
      {
        fixedRateGrosze: undefined,
        coingeckoUrl: gecko?.origin ?? '',
        krakenUrl: kraken?.origin ?? '',
        nbpUrl: nbp?.origin ?? '',
      },
      now,
    );
});

describe('the price of LTC', () => {
  it('comes from CoinGecko', async () => {
    expect(await ask()).toEqual({ rateGrosze: 33_679, source: 'CoinGecko', at: NOW, warnings: [] });
  });

  it('comes from Kraken and NBP when CoinGecko fails, and says so', async () => {
    answers.gecko = undefined;
    const rate = await ask();
    expect(rate).toMatchObject({ rateGrosze: 33_617, source: 'Kraken and NBP' });
    expect(rate.warnings).toEqual([expect.stringMatching(/^CoinGecko: .*500/)]);
  });

  it('may be fixed, and then nobody is asked', async () => {
    const settings = {
      fixedRateGrosze: 34_000,
      coingeckoUrl: 'http://x',
      krakenUrl: 'http://x',
      nbpUrl: 'http://x',
    };
    expect(await getRate(db, createOutbound(), settings, NOW)).toMatchObject({
      rateGrosze: 34_000,
      source: 'fixed',
    });
  });

  it.each([
    ['nothing', { litecoin: { ...GECKO.litecoin, pln: 0 } }],
    ['less than nothing', { litecoin: { ...GECKO.litecoin, pln: -336.79 } }],
    ['no number', { litecoin: { ...GECKO.litecoin, pln: 'NaN' } }],
    ['null, as NaN is written', { litecoin: { ...GECKO.litecoin, pln: Number.NaN } }],
    ['far too much', { litecoin: { ...GECKO.litecoin, pln: 1e9 } }],
    ['an old price', { litecoin: { ...GECKO.litecoin, last_updated_at: NOW / 1000 - 3_700 } }],
    ['another shape', { bitcoin: { pln: 1 } }],
    ['an empty object', {}],
  ])('is not believed when CoinGecko says %s', async (_name, lie) => {
    answers.gecko = lie;
    expect(await ask()).toMatchObject({ source: 'Kraken and NBP' });
  });

  it.each([10, 0.1])('is not believed when it is %d times that of yesterday', async (factor) => {
    await ask(NOW - 24 * HOUR_MS);
    answers.gecko = { litecoin: { ...GECKO.litecoin, pln: 336.79 * factor } };
    const rate = await ask();
    expect(rate.source).toBe('Kraken and NBP');
    expect(rate.warnings[0]).toMatch(/is not believed: the last good price was 336.79 zł/);
  });

  it.each([
    ['Kraken refuses', { kraken: { error: ['EQuery:Unknown asset pair'] } }],
    ['Kraken says no number', { kraken: { error: [], result: { XLTCZUSD: { c: ['NaN', '1'] } } } }],
    ['the table of NBP is old', { nbp: { rates: [{ effectiveDate: '2026-10-01', mid: 3.65 }] } }],
    ['the dollar costs nothing', { nbp: { rates: [{ effectiveDate: '2026-11-19', mid: 0 }] } }],
  ])('cannot be had when CoinGecko fails and %s', async (_name, lies) => {
    answers = { ...answers, gecko: undefined, ...lies };
    await expect(ask()).rejects.toThrow(RateError);
  });

  it('is the last good one for an hour when nobody can be believed, and says so', async () => {
    await ask();
    answers = { gecko: { litecoin: { ...GECKO.litecoin, pln: 3_367.9 } }, kraken: undefined, nbp: undefined };
    const rate = await ask(NOW + HOUR_MS);
    expect(rate).toMatchObject({ rateGrosze: 33_679, source: 'CoinGecko', at: NOW });
    expect(rate.warnings.at(-1)).toBe('using the last good rate, 60 minutes old');
    await expect(ask(NOW + HOUR_MS + 1)).rejects.toThrow(/no price of LTC can be believed/);
  });
});
