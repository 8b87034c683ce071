/** Bodies of the list and check endpoints: exactly the keys of SPEC 2.2 and 2.3, in their order. */
import type { ListEntry, ListKind } from '../entries/entry.ts';
import type { Published } from '../entries/published.ts';

export interface ListResponse {
  readonly data: readonly ListEntry[];
  readonly total: number;
  readonly hasMore: boolean;
}

export interface CheckResponse {
  readonly results: readonly { readonly kind: ListKind; readonly entries: readonly ListEntry[] }[];
}

/** The frame of a ListResponse: the text before its entries, and the text after them. */
export function frameList(total: number, hasMore: boolean): [string, string] {
  return ['{"data":[', `],"total":${total},"hasMore":${hasMore}}`];
}

/** A CheckResponse. @param results as src/entries/check-entries.ts gives them */
export function joinCheck(
  results: readonly { readonly kind: ListKind; readonly found: readonly Pick<Published, 'json'>[] }[],
): string {
  const parts = results.map(
    ({ kind, found }) => `{"kind":"${kind}","entries":[${found.map(({ json }) => json).join()}]}`,
  );
  return `{"results":[${parts.join()}]}`;
}
