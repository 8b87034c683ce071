/**
 * The price of one LTC in grosze, from the operator or CoinGecko. A price of CoinGecko is refused when it is not
 * plausible, old, or has jumped since the last accepted one, which then serves for an hour, with a warning.
 */
import { z } from 'zod';
import { build, type Database } from '../db/database.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { fetchJson, type Outbound } from '../outbound/outbound.ts';

export interface RateSettings {
  /** Replaces CoinGecko's price. */
  readonly fixedRateGrosze: number | undefined;
  /** For example `https://api.coingecko.com`. */
  readonly coingeckoUrl: string;
}

interface KeptRate {
  readonly rateGrosze: number;
  readonly source: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface Rate extends KeptRate {
  /** Reasons why it is not CoinGecko's current price. */
  readonly warnings: readonly string[];
}

export class RateError extends Error {
  override name = 'RateError';
}

class RefusedRate extends Error {}

const SOURCE = 'CoinGecko';

const LAST_GOOD_MAX_MS = 60 * 60_000;
/** An older price cannot show a jump. */
const COMPARED_MAX_MS = 7 * 24 * 60 * 60_000;
/** A larger factor counts as a jump. */
const JUMP_MAX = 3;
const PLN_MIN = 1;
const PLN_MAX = 1_000_000;
const QUOTE_AGE_MAX_MS = 60 * 60_000;
const DEADLINE_MS = 6_000;
const BODY_MAX_BYTES = 64 * 1024;

/**
 * @param now epoch milliseconds
 * @throws {RateError}
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
  let problem: string;
  try {
    const rateGrosze = toGrosze(await askCoinGecko(outbound, settings.coingeckoUrl, now), last, now);
    const rate = { rateGrosze, source: SOURCE, at: now };
    keepRate(db, rate);
    return { ...rate, warnings: [] };
  } catch (error) {
    if (!(error instanceof RefusedRate) && !(error instanceof OutboundError)) throw error;
    problem = `${SOURCE}: ${error.message}`;
  }
  if (!last || last.at > now || now - last.at > LAST_GOOD_MAX_MS)
    throw new RateError(
      `no price of LTC can be believed, and there is no good one of the last hour; LITECOIN_PRICE_PLN sets one\n  ${problem}`,
    );
  const minutes = Math.round((now - last.at) / 60_000);
  return { ...last, warnings: [problem, `using the last good rate, ${minutes} minutes old`] };
}

/** @throws {RefusedRate} for an implausible price */
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

function findLastRate(db: Database): KeptRate | undefined {
  const rates = build.selectFrom('litecoin_rates').select(['rate_grosze as rateGrosze', 'source', 'at']);
  return db.first(rates.orderBy('at', 'desc').limit(1));
}

/** Only the last one is used. */
function keepRate(db: Database, { rateGrosze, source, at }: KeptRate): void {
  db.write(() => {
    db.run(build.deleteFrom('litecoin_rates'));
    db.run(build.insertInto('litecoin_rates').values({ at, rate_grosze: rateGrosze, source }));
  });
}

const coinGeckoSchema = z.object({
  litecoin: z.object({ pln: z.number(), last_updated_at: z.number() }),
});

/**
 * @returns zł for one LTC
 * @throws {RefusedRate | OutboundError}
 */
async function askCoinGecko(outbound: Outbound, baseUrl: string, now: number): Promise<number> {
  const path = '/api/v3/simple/price?ids=litecoin&vs_currencies=pln&include_last_updated_at=true';
  const request = { url: baseUrl + path, deadlineMs: DEADLINE_MS, bodyMaxBytes: BODY_MAX_BYTES };
  const { litecoin } = (await fetchJson(outbound, request, coinGeckoSchema)).value;
  if (now - litecoin.last_updated_at * 1000 > QUOTE_AGE_MAX_MS)
    throw new RefusedRate('its price is more than an hour old');
  return litecoin.pln;
}
