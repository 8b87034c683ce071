/** Bodies of the list and check endpoints out of ready entries: exactly the keys of SPEC 2.2 and 2.3, in their order. */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LIST_KINDS } from '../entries/entry.ts';
import type { ListEntry, ListKind } from '../entries/entry.ts';
import { LentBuffers } from './lent-buffers.ts';
import type { Frame } from './ready-entry.ts';

export interface ListResponse {
  readonly data: readonly ListEntry[];
  readonly total: number;
  readonly hasMore: boolean;
}

export interface CheckResponse {
  readonly results: readonly { readonly kind: ListKind; readonly entries: readonly ListEntry[] }[];
}

/** An answer as it is sent. */
export interface JsonBody {
  readonly body: Buffer;
  /** Differs whenever the body does. */
  readonly etag: string;
  /** The body is lent: told when nobody needs it any more. At most once. */
  readonly release?: () => void;
}

const LIST_HEAD = Buffer.from('{"data":[');
const CHECK_HEAD = Buffer.from('{"results":[');
const CHECK_TAIL = ']}';
const RESULT_TAIL = Buffer.from(']}');
const RESULT_HEAD = Object.fromEntries(
  LIST_KINDS.map((kind) => [kind, Buffer.from(`{"kind":"${kind}","entries":[`)]),
) as Record<ListKind, Buffer>;
export const COMMA = Buffer.from(',');
const COMMA_CODE = ','.charCodeAt(0);
/** 128 bits, in base64url. */
const TAG_LENGTH = 22;
/** More than there are flags. */
const FLAGS_ROOM = 64;

const buffers = new LentBuffers();

/** A ListResponse. @param bodies of its entries */
export function joinList(bodies: readonly Frame[], total: number, hasMore: boolean): JsonBody {
  const tail = `],"total":${total},"hasMore":${hasMore}}`;
  let bytes = LIST_HEAD.length + tail.length + Math.max(0, bodies.length - 1);
  for (const { length } of bodies) bytes += length;
  const { body, release } = buffers.take(bytes);
  let at = LIST_HEAD.copy(body);
  for (const frame of bodies) {
    if (at > LIST_HEAD.length) body[at++] = COMMA_CODE;
    at += frame.copyText(body, at);
  }
  body.write(tail, at, 'latin1');
  return { body, release, etag: tagOf(bodies, tail) };
}

/** A CheckResponse. @param results as src/entries/check-entries.ts gives them */
export function joinCheck(
  results: readonly { readonly kind: ListKind; readonly found: readonly Frame[] }[],
): JsonBody {
  const parts: Buffer[] = [CHECK_HEAD];
  const bodies: Frame[] = [];
  for (const [at, { kind, found }] of results.entries()) {
    if (at > 0) parts.push(COMMA);
    parts.push(RESULT_HEAD[kind]);
    for (const [place, frame] of found.entries()) {
      if (place > 0) parts.push(COMMA);
      parts.push(frame.text);
      bodies.push(frame);
    }
    parts.push(RESULT_TAIL);
  }
  parts.push(RESULT_TAIL);
  return { body: Buffer.concat(parts), etag: tagOf(bodies, CHECK_TAIL) };
}

/** The checksums of the entries and what stands beside them tell one answer from another. */
export function tagOf(bodies: readonly Frame[], rest: string): string {
  const sums = new Uint32Array(1 + 3 * bodies.length);
  sums[0] = crc32(rest);
  let at = 1;
  for (const { crc, row, flags, length } of bodies) {
    sums[at++] = crc;
    sums[at++] = row;
    sums[at++] = length * FLAGS_ROOM + flags;
  }
  return `"${hash('sha256', new Uint8Array(sums.buffer), 'base64url').slice(0, TAG_LENGTH)}"`;
}
