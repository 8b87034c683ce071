/**
 * Chunks: some neighbouring entries of a list index, as they lie in a file. First the entries' JSON, each with a comma
 * behind it; then four tables with a number for each entry. What was written once is never written over, so that a
 * reader with an older directory still reads what belongs to it.
 */

/** Entries that a new chunk gets, and those from which it is split. */
export const CHUNK_ENTRIES = 64;
export const CHUNK_ENTRIES_MAX = 96;
/** Chunks of long entries hold fewer: one change rewrites a chunk of every index that it touches. */
export const CHUNK_BYTES_MAX = 64 * 1024;

/** Where a chunk lies. */
export interface Extent {
  /** Number in the table list_index_files. */
  readonly file: number;
  readonly offset: number;
  readonly jsonBytes: number;
  readonly entries: number;
}

export interface ChunkTables {
  /** The first 52 bits of each `_id`. */
  readonly ids: Float64Array;
  readonly views: Float64Array;
  /** Where the JSON of each entry ends, its comma included. */
  readonly ends: Uint32Array;
  readonly rows: Uint32Array;
}

const ID_DIGITS = 13;
const ENDS_AT = 16;
const ROWS_AT = 20;
const TABLE_BYTES = 24;

export function idNumber(entryId: string): number {
  return Number.parseInt(entryId.slice(0, ID_DIGITS), 16);
}

/** All that the extent takes in its file. */
export function extentBytes({ jsonBytes, entries }: Pick<Extent, 'jsonBytes' | 'entries'>): number {
  return jsonBytes + entries * TABLE_BYTES;
}

export function encodeTables({ ids, views, ends, rows }: ChunkTables): Buffer[] {
  return [ids, views, ends, rows].map((table) =>
    Buffer.from(table.buffer, table.byteOffset, table.byteLength),
  );
}

/**
 * @param bytes TABLE_BYTES for each entry, at the beginning of their ArrayBuffer
 * @throws when they are not what was written: a damaged file, or an erased extent
 */
export function decodeTables(bytes: Buffer, { entries, jsonBytes }: Extent): ChunkTables {
  const tables = {
    ids: new Float64Array(bytes.buffer, 0, entries),
    views: new Float64Array(bytes.buffer, entries * 8, entries),
    ends: new Uint32Array(bytes.buffer, entries * ENDS_AT, entries),
    rows: new Uint32Array(bytes.buffer, entries * ROWS_AT, entries),
  };
  checkEnds(tables.ends, jsonBytes);
  return tables;
}

/** Where the table of ends lies, for readers that need no other. */
export function endsPlace({ offset, jsonBytes, entries }: Extent): { position: number; length: number } {
  return { position: offset + jsonBytes + entries * ENDS_AT, length: entries * 4 };
}

/** @throws when the table does not belong to so many bytes of JSON */
export function checkEnds(ends: Uint32Array, jsonBytes: number): void {
  let before = 0;
  for (const end of ends) {
    if (end <= before) throw new Error('a chunk of a list index is damaged');
    before = end;
  }
  if (before !== jsonBytes) throw new Error('a chunk of a list index is damaged');
}

const EXTENT_BYTES = 16;

/** The column `chunks` of the table list_indexes. */
export function encodeExtents(extents: readonly Extent[]): Buffer {
  const bytes = Buffer.alloc(extents.length * EXTENT_BYTES);
  for (const [index, { file, offset, jsonBytes, entries }] of extents.entries()) {
    const at = index * EXTENT_BYTES;
    bytes.writeUIntLE(offset, at, 6);
    bytes.writeUInt32LE(file, at + 6);
    bytes.writeUInt32LE(jsonBytes, at + 10);
    bytes.writeUInt16LE(entries, at + 14);
  }
  return bytes;
}

export function decodeExtents(bytes: Buffer): Extent[] {
  return Array.from({ length: bytes.length / EXTENT_BYTES }, (_, index) => {
    const at = index * EXTENT_BYTES;
    return {
      offset: bytes.readUIntLE(at, 6),
      file: bytes.readUInt32LE(at + 6),
      jsonBytes: bytes.readUInt32LE(at + 10),
      entries: bytes.readUInt16LE(at + 14),
    };
  });
}
