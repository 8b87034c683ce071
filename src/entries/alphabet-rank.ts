/**
 * The order of names as `Intl.Collator('pl')` has it, kept in the database. A collator gives no sort keys, so every
 * entry carries a label, `az_rank`; labels of a list grow with the alphabet and leave gaps, so that a new name takes a
 * label between its neighbours and nobody else's changes (order maintenance by list labelling).
 */
import { versions } from 'node:process';
import type { Database } from '../db/database.ts';
import { LIST_KINDS } from './entry.ts';
import type { ListKind } from './entry.ts';

/** Labels lie strictly between these. */
const LABEL_LOW = 0;
const LABEL_HIGH = Number.MAX_SAFE_INTEGER;
/** Where a gap is used up, neighbours are spread anew until each has at least this much room. */
const ROOM_MIN = 2 ** 16;
/** Neighbours on each side that are spread first; doubled while there is too little room. */
const NEIGHBOURS_FIRST = 16;

const COLLATION_PROPERTY = 'collation';
const collator = new Intl.Collator('pl');

export interface NamedRow {
  readonly row: number;
  readonly name: string;
  readonly entry_id: string;
}

interface RankedRow extends NamedRow {
  readonly az_rank: number;
}

/** The total order of DESIGN section 3: Polish alphabet, then `_id`. */
export function compareNames(
  a: { readonly name: string; readonly entry_id: string },
  b: { readonly name: string; readonly entry_id: string },
): number {
  return collator.compare(a.name, b.name) || (a.entry_id < b.entry_id ? -1 : a.entry_id > b.entry_id ? 1 : 0);
}

/**
 * Gives labels to rows that have none (`az_rank` NULL). Runs inside the caller's transaction.
 * @param items sorted or nearly so: sorting a large import is work for before the transaction
 */
export function placeInAlphabet(db: Database, list: ListKind, items: readonly NamedRow[]): void {
  const statements = prepare(db, list);
  place(statements, items.toSorted(compareNames), LABEL_LOW, LABEL_HIGH);
}

/** Labels every entry anew, when another version of the collation data has come. */
export function rankAllNames(db: Database): void {
  db.write(() => {
    for (const list of LIST_KINDS) {
      const rows = db.all(
        db.sql.selectFrom('entries').select(['row', 'name', 'entry_id']).where('list', '=', list),
      );
      db.run(db.sql.updateTable('entries').set({ az_rank: null }).where('list', '=', list));
      placeInAlphabet(db, list, rows);
    }
    const value = collationVersion();
    db.run(
      db.sql
        .insertInto('properties')
        .values({ key: COLLATION_PROPERTY, value })
        .onConflict((conflict) => conflict.doUpdateSet({ value })),
    );
  });
}

/** False when the labels were made with other collation data than this process has. */
export function isCollationCurrent(db: Database): boolean {
  const stored = db.first(
    db.sql.selectFrom('properties').select('value').where('key', '=', COLLATION_PROPERTY),
  );
  return stored?.value === collationVersion();
}

function collationVersion(): string {
  return `icu ${versions.icu}, cldr ${versions.cldr}`;
}

function prepare(db: Database, list: ListKind) {
  const { connection } = db;
  const columns = 'SELECT row, name, entry_id, az_rank FROM entries WHERE list = ? AND az_rank';
  const upwards = connection.prepare<unknown[], RankedRow>(`${columns} >= ? ORDER BY az_rank LIMIT ?`);
  const downwards = connection.prepare<unknown[], RankedRow>(`${columns} <= ? ORDER BY az_rank DESC LIMIT ?`);
  const update = connection.prepare('UPDATE entries SET az_rank = ? WHERE row = ?');
  return {
    /** Rows from this label up, nearest first. */
    above: (label: number, count: number) => upwards.all(list, label, count),
    /** Rows from this label down, nearest first. */
    below: (label: number, count: number) => downwards.all(list, label, count),
    label: (row: number, label: number | null) => update.run(label, row),
  };
}
type Statements = ReturnType<typeof prepare>;

/** Splits the items by a row near the middle of the labels, until no row lies between two labels any more. */
function place(statements: Statements, items: readonly NamedRow[], low: number, high: number): void {
  if (items.length === 0) return;
  const middle = low + Math.floor((high - low) / 2);
  const pivot =
    statements.above(middle, 1).find((row) => row.az_rank < high) ??
    statements.below(middle, 1).find((row) => row.az_rank > low);
  if (!pivot) {
    spread(statements, items, low, high);
    return;
  }
  const split = countBefore(items, pivot);
  place(statements, items.slice(0, split), low, pivot.az_rank);
  place(statements, items.slice(split), pivot.az_rank, high);
}

/** How many of the sorted items come before the row. */
function countBefore(items: readonly NamedRow[], row: NamedRow): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareNames(items[middle] as NamedRow, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Labels items evenly between two labels; where they do not fit, their neighbours move too. */
function spread(statements: Statements, items: readonly NamedRow[], low: number, high: number): void {
  let all = items;
  let from = low;
  let to = high;
  for (let count = NEIGHBOURS_FIRST; (to - from) / (all.length + 1) < ROOM_MIN; count *= 2) {
    if (from === LABEL_LOW && to === LABEL_HIGH) break;
    // One more than is moved: it stays, as the border.
    const before = statements.below(low, count + 1);
    const after = statements.above(high, count + 1);
    from = before[count]?.az_rank ?? LABEL_LOW;
    to = after[count]?.az_rank ?? LABEL_HIGH;
    all = [...before.slice(0, count).reverse(), ...items, ...after.slice(0, count)];
  }
  if (all !== items) for (const { row } of all) statements.label(row, null);
  const step = Math.floor((to - from) / (all.length + 1));
  if (step < 1) throw new Error('a list holds more entries than there are labels');
  for (const [index, { row }] of all.entries()) statements.label(row, from + step * (index + 1));
}
