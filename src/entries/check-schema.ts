import { z } from 'zod';
import { CHECK_RESULTS_MAX } from './check-entries.ts';
import { LIST_KINDS } from './entry.ts';
import { listEntrySchema } from './entry-schema.ts';

export const checkResponseSchema = z
  .object({
    results: z
      .array(
        z.object({
          kind: z
            .enum(LIST_KINDS)
            .describe(
              'Lista: `scammers` to zgłoszone osoby, `servers` zgłoszone serwery, `legit` osoby zaufane.',
            ),
          entries: z.array(listEntrySchema).max(CHECK_RESULTS_MAX).describe('Dopasowania na tej liście.'),
        }),
      )
      .describe(
        'Po jednym elemencie na listę, na której coś jest. Pusta tablica to brak wpisu, co nie znaczy, że jest bezpiecznie.',
      ),
  })
  .meta({ id: 'CheckResponse', description: 'Wynik sprawdzenia.' });
