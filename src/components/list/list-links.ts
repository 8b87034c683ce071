/** Addresses of one list in another state; every filter, order and page is a plain link. */
import type { ListKind } from '#src/entries/entry.ts';
import type { ListQuery } from '#src/entries/list-query.ts';
import { listApiPath, listPath } from '#src/paths.ts';

/** Where the keyboard goes on after a filter was chosen. */
export const RESULTS_ANCHOR = 'wyniki';
export const PAGER_ANCHOR = 'strony';

const DEFAULTS: Readonly<Record<string, string | number>> = {
  sort: 'newest',
  status: 'all',
  proofs: 'all',
  skip: 0,
  limit: 30,
};

/** The parameters that are not at their default, in one order, so that one state has one address. */
export function listParameters(query: Partial<ListQuery>): Record<string, string | number> {
  const parameters: Record<string, string | number> = {};
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

export function listJsonHref(list: ListKind, query: ListQuery): string {
  return listApiPath(list, listParameters(query));
}
