/**
 * How a list is divided into chunks: by the first bits of `_id`, which are as good as random. A chunk that grows too
 * large becomes two by one bit more; no change of an entry ever moves another one.
 */
import type { ListKind } from '../entry.ts';

/** Beyond this a chunk is split. Most hold between half of it and all of it. */
export const CHUNK_ENTRIES_MAX = 512;

/** The chunk of a list that holds everything has a name too. */
const ALL = 'all';
export const CHUNK_NAME = /^(all|[01]{1,96})-([0-9a-f]{64})\.json$/;

/** Content-addressed: of one prefix and content there is one file. */
export function chunkName(prefix: string, sha256: string): string {
  return `${prefix || ALL}-${sha256}.json`;
}

export interface ChunkName {
  /** Bits, as the characters 0 and 1. */
  readonly prefix: string;
  readonly sha256: string;
}

/** Undefined for what is no chunk's name. */
export function parseChunkName(name: string): ChunkName | undefined {
  const [, prefix = '', sha256 = ''] = CHUNK_NAME.exec(name) ?? [];
  return sha256 ? { prefix: prefix === ALL ? '' : prefix, sha256 } : undefined;
}

export function chunkPath(list: ListKind, name: string): string {
  return `/snapshots/${list}/${name}`;
}

/** Bits of an `_id`, most significant first. */
export function bitsOf(entryId: string): string {
  // The leading 1 keeps the zeros behind it.
  return BigInt(`0x1${entryId}`).toString(2).slice(1);
}

/** The `_id`s that begin with these bits: from <= `_id` < to. */
export function rangeOf(prefix: string): { from: string; to: string } {
  // The next prefix of this length: the last 0 becomes a 1, the ones behind it go.
  const counted = prefix.replace(/(?<!1)1+$/, '');
  return { from: hexOf(prefix), to: counted === '' ? AFTER_ALL : hexOf(`${counted.slice(0, -1)}1`) };
}

/** Greater than any text of hexadecimal digits. */
const AFTER_ALL = 'g';

function hexOf(bits: string): string {
  const padded = bits.padEnd(Math.ceil(bits.length / 4) * 4, '0');
  return (padded.match(/.{4}/g) ?? []).map((digit) => Number.parseInt(digit, 2).toString(16)).join('');
}
