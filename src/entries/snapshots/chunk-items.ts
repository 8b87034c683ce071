/** The entries of a chunk as they stand in its file: one line of JSON each, by `_id`. */
import type { Database } from '../../db/database.ts';
import type { ListKind } from '../entry.ts';
import { toMirrorEntry } from '../mirror-entry.ts';

export type ChunkItems = Map<string, string>;

interface ItemRow {
  readonly entry_id: string;
  readonly name: string;
  readonly chat_id: string;
  readonly desc_html: string;
  readonly verified: number;
  readonly proofs_id: string | null;
  readonly report_id: string;
  readonly reported_at: number;
  readonly updated_at: number;
}

/** An unverified entry of the trusted list is never published. */
const PUBLIC = "list = ? AND (list != 'legit' OR verified = 1)";
const SELECT = `SELECT entry_id, name, chat_id, desc_html, verified, proofs_id, report_id, reported_at, updated_at
  FROM entries JOIN contents USING (content) WHERE ${PUBLIC}`;

/** Undefined when there is none, or none that is public. */
export function findItem(db: Database, list: ListKind, entryId: string): string | undefined {
  const row = db.statement<ItemRow>(`${SELECT} AND entry_id = ?`).get(list, entryId);
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
  const rows = db.statement<ItemRow>(`${SELECT} ${inRange}`).all(list, from, to);
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

function toJson(row: ItemRow): string {
  return JSON.stringify(
    toMirrorEntry({
      _id: row.entry_id,
      name: row.name,
      id: row.chat_id,
      descHtml: row.desc_html,
      verified: row.verified === 1,
      proofsId: row.proofs_id,
      reportId: row.report_id,
      reportedAt: row.reported_at,
      updatedAt: row.updated_at,
    }),
  );
}
