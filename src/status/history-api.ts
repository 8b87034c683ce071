import { z } from 'zod';
import { createQueryParser } from '../text/read-query.ts';
import { timestamp } from '../text/timestamp.ts';
import { HISTORY_RANGE_NAMES, type HistoryRange } from './periods.ts';
import type { History } from './read-history.ts';
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

export type HistoryResponse = Readonly<z.infer<typeof historyResponseSchema>>;

export function toHistoryResponse(id: PartId, range: HistoryRange, history: History): HistoryResponse {
  return {
    id,
    range,
    stepSeconds: history.stepSeconds,
    since: history.since === null ? null : new Date(history.since).toISOString(),
    uptimePercent: history.uptimePercent,
    steps: history.steps
      .filter(({ samples }) => samples > 0)
      .map((step) => ({ ...step, at: new Date(step.at).toISOString() })),
  };
}
