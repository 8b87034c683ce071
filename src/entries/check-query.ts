import { z } from 'zod';
import { createQueryParser, textParameter } from '../text/read-query.ts';
import { ID_MAX, SEARCH_MAX } from './list-query.ts';

export const checkQuerySchema = z.object({
  search: textParameter(SEARCH_MAX).describe('Nick, nazwa serwera albo ich część, a także dokładne ID.'),
  id: textParameter(ID_MAX).describe(
    'Dokładne ID osoby albo serwera: 17–20 cyfr, bez `<@` i `>`; na cokolwiek innego odpowiedź jest pusta. Ma pierwszeństwo przed `search`. Podaj przynajmniej jeden z nich.',
  ),
});

export const CHECK_PARAMETERS = Object.keys(checkQuerySchema.shape);

export const parseCheckQuery = createQueryParser(checkQuerySchema);
