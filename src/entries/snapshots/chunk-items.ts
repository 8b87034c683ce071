/** The entries of a chunk as they stand in its file: one line of JSON each, by `_id`. */
import type { Database } from '../../db/database.ts';
import type { ListKind } from '../entry.ts';
import { toMirrorJson } from '../mirror-entry.ts';
import type { Published } from '../published.ts';

export type ChunkItems = Map<string, string>;

type Row = Published & { readonly entry_id: string };

const SOURCE = 'FROM entries JOIN published USING (row) WHERE list = ?';

/** Undefined when there is none, or none that is public. */
export function findItem(db: Database, list: ListKind, entryId: string): string | undefined {
  const row = db.statement<Row>(`SELECT flags, card, json ${SOURCE} AND entry_id = ?`).get(list, entryId);
  return row && toMirrorJson(row);
}

/** @returns the items of a range, from <= `_id` < to; undefined when they are more than a chunk may hold */
export function findItems(
  db: Database,
  list: ListKind,
  { from, to }: { readonly from: string; readonly to: string },
  itemsMax: number,
): ChunkItems | undefined {
  const inRange = `${SOURCE} AND entry_id >= ? AND entry_id < ?`;
  const counted = db.statement(`SELECT 1 ${inRange} LIMIT ?`).all(list, from, to, itemsMax + 1);
  if (counted.length > itemsMax) return undefined;
  const rows = db.statement<Row>(`SELECT entry_id, flags, card, json ${inRange}`).all(list, from, to);
  return new Map(rows.map((row) => [row.entry_id, toMirrorJson(row)]));
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
