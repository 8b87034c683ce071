/** The history of a part: its schema, and sums by step with the share of good samples. */
import { z } from 'zod';
import { sqlBuilder, type Database } from '../db/database.ts';
import { createQueryParser } from '../text/read-query.ts';
import { timestamp } from '../text/timestamp.ts';
import { HISTORY_RANGE_NAMES, HISTORY_RANGES, type HistoryRange } from './periods.ts';
import { PART_IDS, type PartId } from './status.ts';

const partId = z.enum(PART_IDS).meta({ id: 'PartId' });
const historyRange = z.enum(HISTORY_RANGE_NAMES).meta({ id: 'HistoryRange' });

export const historyQuerySchema = z.object({
  id: partId.describe('ID usługi albo bota, jak w `/api/status`.'),
  range: historyRange.default('24h').describe('`24h` co 5 minut, `7d` co godzinę, `90d` co dzień (w UTC).'),
});

export const parseHistoryQuery = createQueryParser(historyQuerySchema);

const count = z.int().min(0);

export const historyResponseSchema = z
  .object({
    id: partId.describe('O co pytano.'),
    range: historyRange.describe('O jaki czas pytano.'),
    stepSeconds: count.describe('Długość kroku w sekundach.'),
    since: timestamp
      .nullable()
      .describe('Początek pierwszego kroku z pomiarami; `null`, gdy nie ma żadnego.'),
    uptimePercent: z
      .number()
      .nullable()
      .describe('Jaka część pomiarów od `since` była dobra, w procentach; `null`, gdy nic nie zmierzono.'),
    steps: z
      .array(
        z
          .object({
            at: timestamp.describe('Początek kroku, ISO 8601 w UTC.'),
            samples: count.describe('Ile było pomiarów.'),
            okSamples: count.describe('Ile z nich dobrych.'),
            slowSamples: count.describe('Ile z dobrych było wolnych: 2 sekundy lub dłużej.'),
            latencyMs: z
              .number()
              .nullable()
              .describe('Średnie opóźnienie dobrych pomiarów w milisekundach; dla botów `null`.'),
            latencyMsMax: z.number().nullable().describe('Największe opóźnienie dobrych pomiarów.'),
          })
          .meta({ id: 'HistoryStep', description: 'Pomiary z jednego kroku.' }),
      )
      .describe('Od najstarszego; kroków bez pomiarów nie ma.'),
  })
  .meta({ id: 'HistoryResponse', description: 'Jak działała usługa albo bot.' });

/** The last step is not over yet. @param now epoch milliseconds */
export function readHistory(
  db: Database,
  id: PartId,
  range: HistoryRange,
  now: number,
): z.infer<typeof historyResponseSchema> {
  const { seconds, steps } = HISTORY_RANGES[range];
  const rows = db.all(
    sqlBuilder
      .selectFrom('status_periods')
      .select(['at', 'samples', 'ok', 'slow', 'latency_sum', 'latency_max'])
      .where('seconds', '=', seconds)
      .where('at', '>=', (Math.floor(now / 1000 / seconds) - steps + 1) * seconds * 1000)
      .where('at', '<=', now)
      .where('part', '=', id)
      .orderBy('at'),
  );
  const measured = rows.map(({ at, samples, ok, slow, latency_sum: sum, latency_max: latencyMsMax }) => ({
    at: new Date(at).toISOString(),
    samples,
    okSamples: ok,
    slowSamples: slow,
    latencyMs: sum !== null && ok > 0 ? Math.round(sum / ok) : null,
    latencyMsMax,
  }));
  const samples = rows.reduce((sum, row) => sum + row.samples, 0);
  const good = rows.reduce((sum, row) => sum + row.ok, 0);
  return {
    id,
    range,
    stepSeconds: seconds,
    since: measured[0]?.at ?? null,
    // Rounded down: 100 means that no sample failed.
    uptimePercent: samples > 0 ? Math.floor((good / samples) * 10_000) / 100 : null,
    steps: measured,
  };
}
