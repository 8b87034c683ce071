/** The check by ID or name on all lists (SPEC 4.2): parameters, answer and its schema. */
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { createQueryParser, textParameter } from '../text/read-query.ts';
import { ID_MAX, LIST_KINDS, SEARCH_MAX } from './entry.ts';
import { listEntrySchema } from './entry-schema.ts';
import { listKindSchema } from './mirror-schema.ts';
import {
  isListed,
  dropTrustBesideReport,
  listFromFlags,
  listPublicByChatId,
  parseSummary,
  type PublicRow,
} from './public-entry.ts';

/** SPEC 4.2 rule 2. */
export const CHECK_RESULTS_MAX = 20;

export const checkQuerySchema = z.object({
  search: textParameter(SEARCH_MAX).describe('Nick, nazwa serwera albo ich część, a także dokładne ID.'),
  id: textParameter(ID_MAX).describe(
    'Dokładne ID osoby albo serwera: 17–20 cyfr, bez `<@` i `>`; na cokolwiek innego odpowiedź jest pusta. Ma pierwszeństwo przed `search`. Podaj przynajmniej jeden z nich.',
  ),
});

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

export type CheckResult = Readonly<ReturnType<typeof toCheckResults>[number]>;

/** A hijacked trusted entry is no match. */
export function toCheckResults(found: readonly PublicRow[]) {
  const matches = found.filter(({ flags }) => isListed(flags));
  const shown = dropTrustBesideReport(
    matches.map((match) => ({ ...match, list: listFromFlags(match.flags) })),
  );
  return LIST_KINDS.map((kind) => {
    const ofKind = shown.filter(({ list }) => list === kind);
    return { kind, found: ofKind.slice(0, CHECK_RESULTS_MAX), hasMore: ofKind.length > CHECK_RESULTS_MAX };
  }).filter(({ found }) => found.length > 0);
}

/** A trusted person who is reported under another name is found as reported. */
export function preferReports(db: Database, results: readonly CheckResult[]): readonly CheckResult[] {
  const found = results.flatMap((result) => result.found);
  const reports = found
    .filter(({ flags }) => listFromFlags(flags) === 'legit')
    .flatMap(({ card }) => listPublicByChatId(db, parseSummary(card).id))
    .filter(({ flags }) => listFromFlags(flags) !== 'legit');
  return reports.length === 0 ? results : toCheckResults([...found, ...reports]);
}

export function toCheckJson(results: readonly CheckResult[]): string {
  const parts = results.map(
    ({ kind, found }) => `{"kind":"${kind}","entries":[${found.map(({ json }) => json).join()}]}`,
  );
  return `{"results":[${parts.join()}]}`;
}
