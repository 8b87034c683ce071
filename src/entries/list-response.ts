/** Bodies of the list and check endpoints: exactly the keys of SPEC 2.2 and 2.3, in their order. */
import { LIST_KINDS, toListEntry } from './entry.ts';
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

/** A ListEntry as JSON, in UTF-8. */
interface JsonPart {
  readonly json: Uint8Array;
  within(before: Buffer, after: Buffer): Buffer;
}

/** A CheckResponse of entries that are JSON already, in UTF-8. */
export function joinCheckResponse(
  results: readonly { readonly kind: ListKind; readonly found: readonly JsonPart[] }[],
): Buffer {
  const [one] = results;
  const [only] = one?.found ?? [];
  // Nearly all that is found by ID.
  if (one && only && results.length === 1 && one.found.length === 1)
    return only.within(ONLY_RESULT_OF[one.kind], ONLY_RESULT_END);
  const parts: Uint8Array[] = [RESULTS];
  for (const [at, { kind, found }] of results.entries()) {
    if (at > 0) parts.push(COMMA);
    parts.push(RESULT_OF[kind]);
    for (const [place, { json }] of found.entries()) {
      if (place > 0) parts.push(COMMA);
      parts.push(json);
    }
    parts.push(RESULT_END);
  }
  parts.push(RESULTS_END);
  return Buffer.concat(parts);
}

/** A ListResponse of the one entry that there is. */
export function joinListOfOne(entry: JsonPart): Buffer {
  return entry.within(ONE, ONE_END);
}

const RESULTS = Buffer.from('{"results":[');
const RESULTS_END = Buffer.from(']}');
const RESULT_OF = Object.fromEntries(
  LIST_KINDS.map((kind) => [kind, Buffer.from(`{"kind":"${kind}","entries":[`)]),
) as Record<ListKind, Buffer>;
const RESULT_END = Buffer.from(']}');
const ONLY_RESULT_OF = Object.fromEntries(
  LIST_KINDS.map((kind) => [kind, Buffer.concat([RESULTS, RESULT_OF[kind]])]),
) as Record<ListKind, Buffer>;
const ONLY_RESULT_END = Buffer.concat([RESULT_END, RESULTS_END]);
const COMMA = Buffer.from(',');
const ONE = Buffer.from('{"data":[');
const ONE_END = Buffer.from('],"total":1,"hasMore":false}');
