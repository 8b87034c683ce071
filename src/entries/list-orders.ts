/** The total orders of DESIGN section 3 and the filters of SPEC 4.1, as SQL over the table `entries`. */
import type { ListKind } from './entry.ts';
import type { ProofsFilter, Sort, Status } from './list-query.ts';

/** Each is read from one index, forwards or backwards; the second of a pair is the exact reverse of the first. */
export const ORDERS: Readonly<Record<Sort, string>> = {
  newest: 'reported_at DESC, entry_id',
  oldest: 'reported_at, entry_id DESC',
  popular: 'views DESC, reported_at DESC, entry_id',
  popular_asc: 'views, reported_at, entry_id DESC',
  az: 'az_rank',
  za: 'az_rank DESC',
};

/**
 * What the filters leave of a list; begins with AND, or is empty. A plus sign keeps SQLite from choosing an index for a
 * filter: a page is walked in its order, and so need not be sorted.
 */
export function filterSql(
  list: ListKind,
  { status, proofs }: { readonly status: Status; readonly proofs: ProofsFilter },
): string {
  const conditions: string[] = [];
  // An unverified entry of the trusted list is never served, whatever `status` says.
  if (list === 'legit' || status === 'verified') conditions.push('AND +verified = 1');
  else if (status === 'risk') conditions.push('AND +verified = 0');
  if (proofs === 'with') conditions.push("AND +proofs != 'none'");
  if (proofs === 'private') conditions.push("AND +proofs = 'private'");
  return conditions.join(' ');
}
