/**
 * The price of one LTC in grosze, from the operator or CoinGecko. A price of CoinGecko is refused when it is not
 * plausible, old, or has jumped since the last accepted one, which then serves for an hour, with a warning.
 */
import { z } from 'zod';
import { sqlBuilder, type Database } from '../db/database.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { fetchJson, type Outbound } from '../outbound/outbound.ts';
import { time } from '../outbound/ranges.ts';

export class RateError extends Error {
  override name = 'RateError';
}

const SOURCE = 'CoinGecko';

const LAST_GOOD_MAX_MS = 60 * 60_000;
/** An older price cannot show a jump. */
const COMPARED_MAX_MS = 7 * 24 * 60 * 60_000;
/** A larger factor counts as a jump. */
const JUMP_MAX = 3;
const QUOTE_AGE_MAX_MS = 60 * 60_000;

const coinGeckoSchema = z.object({
  /** In zł, and plausible. */
  litecoin: z.object({ pln: z.number().min(1).max(1_000_000), last_updated_at: time }),
});

/**
 * @param now epoch milliseconds
 * @returns also reasons why it is not CoinGecko's current price
 * @throws {RateError}
 */
export async function getRate(
  db: Database,
  outbound: Outbound,
  settings: { readonly fixedRateGrosze: number | undefined; readonly coingeckoUrl: string },
  now: number,
) {
  if (settings.fixedRateGrosze !== undefined)
    return { rateGrosze: settings.fixedRateGrosze, source: 'fixed', at: now, warnings: [] };
  const rates = sqlBuilder.selectFrom('litecoin_rates').select(['rate_grosze as rateGrosze', 'source', 'at']);
  const last = db.first(rates.orderBy('at', 'desc').limit(1));
  try {
    const rateGrosze = await askCoinGecko(outbound, settings.coingeckoUrl, last, now);
    const rate = { rateGrosze, source: SOURCE, at: now };
    db.write((tx) => {
      // Only the last one is used.
      tx.run(sqlBuilder.deleteFrom('litecoin_rates'));
      tx.run(
        sqlBuilder.insertInto('litecoin_rates').values({ at: now, rate_grosze: rateGrosze, source: SOURCE }),
      );
    });
    return { ...rate, warnings: [] };
  } catch (error) {
    if (!(error instanceof RateError) && !(error instanceof OutboundError)) throw error;
    const problem = `${SOURCE}: ${error.message}`;
    if (!last || last.at > now || now - last.at > LAST_GOOD_MAX_MS)
      throw new RateError(
        `no price of LTC can be believed, and there is no good one of the last hour; LITECOIN_PRICE_PLN sets one\n  ${problem}`,
      );
    const minutes = Math.round((now - last.at) / 60_000);
    return { ...last, warnings: [problem, `using the last good rate, ${minutes} minutes old`] };
  }
}

/** @throws {RateError | OutboundError} without a plausible and new price */
async function askCoinGecko(
  outbound: Outbound,
  baseUrl: string,
  last: { readonly rateGrosze: number; readonly at: number } | undefined,
  now: number,
): Promise<number> {
  const path = '/api/v3/simple/price?ids=litecoin&vs_currencies=pln&include_last_updated_at=true';
  const { litecoin } = await fetchJson(outbound, { url: baseUrl + path }, coinGeckoSchema);
  const { pln } = litecoin;
  if (Math.abs(now - litecoin.last_updated_at) > QUOTE_AGE_MAX_MS)
    throw new RateError("its price is more than an hour off this machine's clock");
  const rateGrosze = Math.round(pln * 100);
  const factor = last && now - last.at <= COMPARED_MAX_MS ? rateGrosze / last.rateGrosze : 1;
  if (last && (factor > JUMP_MAX || factor < 1 / JUMP_MAX))
    throw new RateError(`${pln} zł is not believed: the last good price was ${last.rateGrosze / 100} zł`);
  return rateGrosze;
}
