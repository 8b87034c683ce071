/** Addresses of one list in another state; every filter, order and page is a plain link. */
import type { ListKind } from '#src/entries/entry.ts';
import type { ListQuery } from '#src/entries/list-query.ts';
import { listPath } from '#src/paths.ts';

/** The anchor that gets the focus after a choice of filter. */
export const RESULTS_ANCHOR = 'wyniki';

type Values = Record<string, string | number>;
const DEFAULTS: Values = { sort: 'newest', status: 'all', proofs: 'all', skip: 0, limit: 30 };

/** The parameters that are not at their default, in one order, so that one state has one address. */
export function listParameters(query: Partial<ListQuery>): Values {
  const parameters: Values = {};
  for (const key of ['search', 'id', 'status', 'proofs', 'sort', 'skip', 'limit'] as const) {
    const value = query[key];
    if (value !== undefined && value !== DEFAULTS[key]) parameters[key] = value;
  }
  return parameters;
}

/** A change of anything but the page begins at the first page again. */
export function listHref(list: ListKind, query: ListQuery, changes: Partial<ListQuery>): string {
  const parameters = listParameters({ ...query, skip: 0, ...changes });
  return `${listPath(list, parameters)}#${RESULTS_ANCHOR}`;
}

/**
 * The position of a page in its list, and the `skip` of the pages beside it.
 * @param skipMax the furthest that a list can be skipped to
 */
export function placeOfPage({ skip, limit }: ListQuery, total: number, skipMax: number) {
  const page = Math.floor(skip / limit) + 1;
  const pages = Math.max(1, page, Math.ceil(total / limit));
  const hasNext = skip + limit < total;
  return {
    page,
    pages,
    previous: skip > 0 ? Math.max(0, skip - limit) : undefined,
    next: hasNext && skip + limit <= skipMax ? skip + limit : undefined,
    /** There are more entries than can be skipped to. */
    isEnd: hasNext && skip + limit > skipMax,
  };
}
