/**
 * The price of one LTC in grosze. Sources are asked in order and none is believed blindly: what is not a plausible
 * number, is old, or has jumped since the last price that was believed, is refused. When all fail, the last good price
 * serves for an hour, and whoever asks is told.
 */
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { fetchJson } from '../outbound/outbound.ts';
import type { Outbound } from '../outbound/outbound.ts';

export interface RateSettings {
  /** In grosze; then nobody is asked. */
  readonly fixedRateGrosze: number | undefined;
  /** Base addresses, for example `https://api.coingecko.com`. */
  readonly coingeckoUrl: string;
  readonly krakenUrl: string;
  readonly nbpUrl: string;
}

export interface Rate {
  readonly rateGrosze: number;
  readonly source: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** What went wrong on the way to it, one sentence each. */
  readonly warnings: readonly string[];
}

/** No source can be believed, and the last good price is too old. */
export class RateError extends Error {
  override name = 'RateError';
}

interface Source {
  readonly name: string;
  /** @throws {RefusedRate | OutboundError} @returns zł for one LTC */
  readonly ask: (outbound: Outbound, settings: RateSettings, now: number) => Promise<number>;
}

/** The source answered, but not with what can be believed. */
class RefusedRate extends Error {}

const SOURCES: readonly Source[] = [
  { name: 'CoinGecko', ask: askCoinGecko },
  { name: 'Kraken and NBP', ask: askKrakenAndNbp },
];

const LAST_GOOD_MAX_MS = 60 * 60_000;
/** A price this old says nothing about what is plausible today. */
const COMPARED_MAX_MS = 7 * 24 * 60 * 60_000;
/** More than this factor since then is taken for a lie. */
const JUMP_MAX = 3;
const PLN_MIN = 1;
const PLN_MAX = 1_000_000;
const GOOD_RATES_KEPT = 1_000;
const QUOTE_AGE_MAX_MS = 60 * 60_000;
/** NBP publishes on working days. */
const TABLE_AGE_MAX_MS = 10 * 24 * 60 * 60_000;
const DEADLINE_MS = 6_000;
const BODY_MAX_BYTES = 64 * 1024;

/**
 * @param now epoch milliseconds
 * @throws {RateError} naming what is wrong with each source
 */
export async function getRate(
  db: Database,
  outbound: Outbound,
  settings: RateSettings,
  now: number,
): Promise<Rate> {
  if (settings.fixedRateGrosze !== undefined)
    return { rateGrosze: settings.fixedRateGrosze, source: 'fixed', at: now, warnings: [] };
  const last = findLastRate(db);
  const warnings: string[] = [];
  for (const { name, ask } of SOURCES) {
    try {
      const rateGrosze = toGrosze(await ask(outbound, settings, now), last, now);
      keepRate(db, rateGrosze, name, now);
      return { rateGrosze, source: name, at: now, warnings };
    } catch (error) {
      if (!(error instanceof RefusedRate) && !(error instanceof OutboundError)) throw error;
      warnings.push(`${name}: ${error.message}`);
    }
  }
  if (last && last.at <= now && now - last.at <= LAST_GOOD_MAX_MS) {
    const minutes = Math.round((now - last.at) / 60_000);
    return { ...last, warnings: [...warnings, `using the last good rate, ${minutes} minutes old`] };
  }
  throw new RateError(
    ['no price of LTC can be believed, and there is no good one of the last hour', ...warnings].join('\n  '),
  );
}

/** @throws {RefusedRate} for what cannot be the price of one LTC */
function toGrosze(pln: number, last: KeptRate | undefined, now: number): number {
  if (!(pln >= PLN_MIN && pln <= PLN_MAX)) throw new RefusedRate(`${pln} zł is no plausible price`);
  const rateGrosze = Math.round(pln * 100);
  if (last && now - last.at <= COMPARED_MAX_MS) {
    const factor = Math.max(rateGrosze / last.rateGrosze, last.rateGrosze / rateGrosze);
    if (factor > JUMP_MAX)
      throw new RefusedRate(`${pln} zł is not believed: the last good price was ${last.rateGrosze / 100} zł`);
  }
  return rateGrosze;
}

interface KeptRate {
  readonly rateGrosze: number;
  readonly source: string;
  readonly at: number;
}

function findLastRate(db: Database): KeptRate | undefined {
  return db
    .statement<KeptRate>('SELECT rate_grosze AS rateGrosze, source, at FROM litecoin_rates ORDER BY at DESC')
    .get();
}

function keepRate(db: Database, rateGrosze: number, source: string, at: number): void {
  db.write(() => {
    db.statement('INSERT OR REPLACE INTO litecoin_rates (at, rate_grosze, source) VALUES (?, ?, ?)').run(
      at,
      rateGrosze,
      source,
    );
    db.statement(
      'DELETE FROM litecoin_rates WHERE at <= (SELECT at FROM litecoin_rates ORDER BY at DESC LIMIT 1 OFFSET ?)',
    ).run(GOOD_RATES_KEPT);
  });
}

const coinGeckoSchema = z.object({
  litecoin: z.object({ pln: z.number(), last_updated_at: z.number() }),
});

async function askCoinGecko(outbound: Outbound, settings: RateSettings, now: number): Promise<number> {
  const path = '/api/v3/simple/price?ids=litecoin&vs_currencies=pln&include_last_updated_at=true';
  const { litecoin } = await ask(outbound, settings.coingeckoUrl + path, coinGeckoSchema);
  if (now - litecoin.last_updated_at * 1000 > QUOTE_AGE_MAX_MS)
    throw new RefusedRate('its price is more than an hour old');
  return litecoin.pln;
}

/** Errors come with status 200. */
const krakenSchema = z.object({
  error: z.array(z.string()),
  result: z.object({ XLTCZUSD: z.object({ c: z.tuple([z.string()], z.unknown()) }) }).optional(),
});
const nbpSchema = z.object({
  rates: z.tuple([z.object({ mid: z.number().min(0.5).max(50), effectiveDate: z.iso.date() })], z.unknown()),
});

async function askKrakenAndNbp(outbound: Outbound, settings: RateSettings, now: number): Promise<number> {
  const [kraken, nbp] = await Promise.all([
    ask(outbound, `${settings.krakenUrl}/0/public/Ticker?pair=LTCUSD`, krakenSchema),
    ask(outbound, `${settings.nbpUrl}/api/exchangerates/rates/a/usd/?format=json`, nbpSchema),
  ]);
  if (kraken.error.length > 0 || !kraken.result) throw new RefusedRate('Kraken answered with an error');
  const [dollar] = nbp.rates;
  if (now - Date.parse(dollar.effectiveDate) > TABLE_AGE_MAX_MS)
    throw new RefusedRate(`the table of NBP is of ${dollar.effectiveDate}`);
  return Number(kraken.result.XLTCZUSD.c[0]) * dollar.mid;
}

async function ask<Schema extends z.ZodType>(
  outbound: Outbound,
  url: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const request = { url, deadlineMs: DEADLINE_MS, bodyMaxBytes: BODY_MAX_BYTES };
  return (await fetchJson(outbound, request, schema)).value;
}
