/** The parameters that the three list endpoints and pages share (SPEC 4.1, DESIGN section 3). */
import { QueryReader } from '../text/read-query.ts';
import type { Parsed, QueryPairs } from '../text/read-query.ts';

export const SORTS = ['newest', 'oldest', 'popular', 'popular_asc', 'az', 'za'] as const;
export const STATUSES = ['all', 'verified', 'risk'] as const;
export const PROOFS_FILTERS = ['all', 'with', 'private'] as const;
export type Sort = (typeof SORTS)[number];
export type Status = (typeof STATUSES)[number];
export type ProofsFilter = (typeof PROOFS_FILTERS)[number];

/** SPEC section 8. */
export const SEARCH_MAX = 100;
export const ID_MAX = 64;
export const SKIP_MAX = 20_000;
export const LIMIT_MAX = 60;
export const LIMIT_DEFAULT = 30;

/** Names of the parameters. */
export const LIST_PARAMETERS = ['search', 'id', 'sort', 'status', 'proofs', 'skip', 'limit'] as const;

/** Raw queries that ask by ID; an empty one is none. */
export const BY_ID = /(?:^|&)id=[^&]/;

/** Of a raw query: whether it asks for a page behind the first, and not by a search. The first ones are the popular. */
export function isLaterPage(query: string): boolean {
  return LATER.test(query) && !query.includes('search=');
}
const LATER = /(?:^|&)skip=0*[1-9]/;

export interface ListQuery {
  readonly search: string | undefined;
  /** Wins over `search`. */
  readonly id: string | undefined;
  readonly sort: Sort;
  readonly status: Status;
  readonly proofs: ProofsFilter;
  readonly skip: number;
  readonly limit: number;
}

export function parseListQuery(parameters: QueryPairs): Parsed<ListQuery> {
  const reader = new QueryReader(parameters);
  return reader.result({
    search: reader.text('search', SEARCH_MAX),
    id: reader.text('id', ID_MAX),
    sort: reader.choice('sort', SORTS, 'newest'),
    status: reader.choice('status', STATUSES, 'all'),
    proofs: reader.choice('proofs', PROOFS_FILTERS, 'all'),
    skip: reader.integer('skip', 0, SKIP_MAX, 0),
    limit: reader.integer('limit', 1, LIMIT_MAX, LIMIT_DEFAULT),
  });
}
