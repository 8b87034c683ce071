/** Bodies of the list and check endpoints: exactly the keys of SPEC 2.2 and 2.3, in their order. */
import type { CheckResult } from './check-entries.ts';
import { toListEntry } from './entry.ts';
import type { ListEntry, ListKind } from './entry.ts';
import type { EntriesPage } from './list-entries.ts';

export interface ListResponse {
  readonly data: readonly ListEntry[];
  readonly total: number;
  readonly hasMore: boolean;
}

export interface CheckResponse {
  readonly results: readonly { readonly kind: ListKind; readonly entries: readonly ListEntry[] }[];
}

export function toListResponse(page: EntriesPage): ListResponse {
  return { data: page.entries.map(toListEntry), total: page.total, hasMore: page.hasMore };
}

export function toCheckResponse(results: readonly CheckResult[]): CheckResponse {
  return { results: results.map(({ kind, entries }) => ({ kind, entries: entries.map(toListEntry) })) };
}
