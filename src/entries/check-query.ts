/** The parameters of the check (SPEC 4.2; names and lengths settled in DESIGN section 3). */
import { QueryReader } from '../text/read-query.ts';
import type { Parsed, QueryPairs } from '../text/read-query.ts';
import { ID_MAX, SEARCH_MAX } from './list-query.ts';

/** Names of the parameters. */
export const CHECK_PARAMETERS = ['search', 'id'] as const;

export interface CheckQuery {
  readonly search: string | undefined;
  /** Wins over `search`. */
  readonly id: string | undefined;
}

export function parseCheckQuery(parameters: QueryPairs): Parsed<CheckQuery> {
  const reader = new QueryReader(parameters);
  return reader.result({ search: reader.text('search', SEARCH_MAX), id: reader.text('id', ID_MAX) });
}
