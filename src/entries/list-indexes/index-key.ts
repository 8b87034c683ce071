/** Which list indexes there are: every list, status, proofs and sort of SPEC 4.1. */
import { LIST_KINDS } from '../entry.ts';
import type { ListKind } from '../entry.ts';
import { LIMIT_MAX, PROOFS_FILTERS, SKIP_MAX, SORTS, STATUSES } from '../list-query.ts';
import type { ListQuery, ProofsFilter, Sort, Status } from '../list-query.ts';

/** How many places of an index are kept. */
export interface PlaceLimits {
  /** No page reaches beyond these. */
  readonly served: number;
  /** Some more are held, so that removals do not ask for the next place each time. */
  readonly held: number;
}

export const PLACE_LIMITS: PlaceLimits = { served: SKIP_MAX + LIMIT_MAX, held: SKIP_MAX + LIMIT_MAX + 420 };

export interface IndexKey {
  readonly name: string;
  readonly list: ListKind;
  readonly status: Status;
  readonly proofs: ProofsFilter;
  readonly sort: Sort;
}

/** The trusted list is always verified, so that `status` makes no difference there. */
export function indexNameOf(
  list: ListKind,
  { status, proofs, sort }: Pick<ListQuery, 'status' | 'proofs' | 'sort'>,
): string {
  return `${list} ${list === 'legit' ? 'all' : status} ${proofs} ${sort}`;
}

export const INDEX_KEYS: readonly IndexKey[] = LIST_KINDS.flatMap((list) =>
  (list === 'legit' ? (['all'] as const) : STATUSES).flatMap((status) =>
    PROOFS_FILTERS.flatMap((proofs) =>
      SORTS.map((sort) => ({
        name: indexNameOf(list, { status, proofs, sort }),
        list,
        status,
        proofs,
        sort,
      })),
    ),
  ),
);

/** Whether the filters of an index leave an entry. */
export function matches(
  { list, status, proofs }: IndexKey,
  entry: { readonly verified: number; readonly proofs: string },
): boolean {
  if (
    list === 'legit'
      ? entry.verified === 0
      : status !== 'all' && (status === 'verified') !== (entry.verified === 1)
  )
    return false;
  if (proofs === 'with') return entry.proofs !== 'none';
  return proofs !== 'private' || entry.proofs === 'private';
}
