/** Bodies of the list and check endpoints: exactly the keys of SPEC 2.2 and 2.3, in their order. */
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

/** A CheckResponse of entries that are JSON already. */
export function joinCheckResponse(
  results: readonly { readonly kind: ListKind; readonly found: readonly { readonly json: string }[] }[],
): string {
  const joined = results.map(
    ({ kind, found }) => `{"kind":"${kind}","entries":[${found.map(({ json }) => json).join(',')}]}`,
  );
  return `{"results":[${joined.join(',')}]}`;
}
