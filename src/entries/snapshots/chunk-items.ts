/** The entries of a chunk as they stand in its file: one line of JSON each, by `_id`. */
import type { Database } from '../../db/database.ts';
import type { ListKind } from '../entry.ts';
import { toMirrorEntry } from '../mirror-entry.ts';
import { ENTRY_COLUMNS, IS_PUBLIC, toEntryFields } from '../read-entry.ts';
import type { EntryRow } from '../read-entry.ts';

export type ChunkItems = Map<string, string>;

const PUBLIC = `list = ? AND ${IS_PUBLIC}`;
const SELECT = `SELECT ${ENTRY_COLUMNS} FROM entries JOIN contents USING (content) WHERE ${PUBLIC}`;

/** Undefined when there is none, or none that is public. */
export function findItem(db: Database, list: ListKind, entryId: string): string | undefined {
  const row = db.statement<EntryRow>(`${SELECT} AND entry_id = ?`).get(list, entryId);
  return row && toJson(row);
}

/** @returns the items of a range, from <= `_id` < to; undefined when they are more than a chunk may hold */
export function findItems(
  db: Database,
  list: ListKind,
  { from, to }: { readonly from: string; readonly to: string },
  itemsMax: number,
): ChunkItems | undefined {
  const inRange = 'AND entry_id >= ? AND entry_id < ?';
  const counted = db
    .statement(`SELECT 1 FROM entries WHERE ${PUBLIC} ${inRange} LIMIT ?`)
    .all(list, from, to, itemsMax + 1);
  if (counted.length > itemsMax) return undefined;
  const rows = db.statement<EntryRow>(`${SELECT} ${inRange}`).all(list, from, to);
  return new Map(rows.map((row) => [row.entry_id, toJson(row)]));
}

/** The bytes of a chunk. */
export function joinItems(items: ChunkItems): Buffer {
  const lines = [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, json]) => json);
  return Buffer.from(`[${lines.join(SEPARATOR)}]\n`);
}

/** @param body what joinItems has made */
export function splitItems(body: Buffer): ChunkItems {
  const lines = body.toString().slice('['.length, -']\n'.length);
  if (lines === '') return new Map();
  return new Map(
    lines.split(SEPARATOR).map((json) => [(JSON_ID.exec(json) as RegExpExecArray)[1] ?? '', json]),
  );
}

/** JSON has no line break of its own. */
const SEPARATOR = ',\n';
const JSON_ID = /^\{"_id":"([^"]*)"/;

function toJson(row: EntryRow): string {
  return JSON.stringify(toMirrorEntry(toEntryFields(row)));
}
