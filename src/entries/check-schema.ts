import { z } from 'zod';
import { createQueryParser, textParameter } from '../text/read-query.ts';
import { CHECK_RESULTS_MAX } from './check-entries.ts';
import { listEntrySchema } from './entry-schema.ts';
import { ID_MAX, SEARCH_MAX } from './read-subject.ts';
import { listKindSchema } from './mirror-schema.ts';

export const checkQuerySchema = z.object({
  search: textParameter(SEARCH_MAX).describe('Nick, nazwa serwera albo ich część, a także dokładne ID.'),
  id: textParameter(ID_MAX).describe(
    'Dokładne ID osoby albo serwera: 17–20 cyfr, bez `<@` i `>`; na cokolwiek innego odpowiedź jest pusta. Ma pierwszeństwo przed `search`. Podaj przynajmniej jeden z nich.',
  ),
});

export const CHECK_PARAMETERS = Object.keys(checkQuerySchema.shape);

export const parseCheckQuery = createQueryParser(checkQuerySchema);

export const checkResponseSchema = z
  .object({
    results: z
      .array(
        z
          .object({
            kind: listKindSchema,
            entries: z.array(listEntrySchema).max(CHECK_RESULTS_MAX).describe('Dopasowania na tej liście.'),
          })
          .meta({ id: 'CheckResult', description: 'Lista, na której coś jest.' }),
      )
      .describe(
        'Po jednym elemencie na listę, na której coś jest. Pusta tablica to brak wpisu, co nie znaczy, że jest bezpiecznie.',
      ),
  })
  .meta({ id: 'CheckResponse', description: 'Wynik sprawdzenia.' });
