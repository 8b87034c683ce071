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
export const LABEL_HIGH = Number.MAX_SAFE_INTEGER;
/** A name that would get less room than this between its neighbours is spread together with them. */
const ROOM_MIN = 2 ** 16;
/** Neighbours on each side that are spread first; doubled while there is too little room. */
const NEIGHBOURS_FIRST = 8;

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

/** Sorted items that belong between two rows with none in between; undefined is the end of the alphabet. */
interface Gap {
  readonly items: readonly NamedRow[];
  readonly below: RankedRow | undefined;
  readonly above: RankedRow | undefined;
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
  const sorted = items.toSorted(compareNames);
  // Every gap is found before anything moves: filling one can move the labels beside another.
  for (const gap of [...findGaps(statements, sorted, undefined, undefined)]) fillGap(statements, gap);
}

/**
 * Where other names belong in a list: the label of the entry that each comes after, LABEL_LOW before all of them.
 * @param sorted by compareNames
 */
export function findPlaces(
  db: Database,
  list: ListKind,
  sorted: readonly { readonly name: string; readonly entry_id: string }[],
): number[] {
  const places: number[] = [];
  let below = LABEL_LOW;
  const rows = db.connection
    .prepare<unknown[], RankedRow>(
      'SELECT row, name, entry_id, az_rank FROM entries WHERE list = ? ORDER BY az_rank',
    )
    .iterate(list);
  for (const row of rows) {
    for (
      let next = sorted[places.length];
      next && compareNames(next, row) < 0;
      next = sorted[places.length]
    ) {
      places.push(below);
    }
    below = row.az_rank;
  }
  while (places.length < sorted.length) places.push(below);
  return places;
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
  const one = connection.prepare<unknown[], number>('SELECT az_rank FROM entries WHERE row = ?').pluck();
  const update = connection.prepare('UPDATE entries SET az_rank = ? WHERE row = ?');
  return {
    labelOf: ({ row }: NamedRow) => one.get(row) as number,
    /** Rows from this label up, nearest first. */
    above: (label: number, count: number) => upwards.all(list, label, count),
    /** Rows from this label down, nearest first. */
    below: (label: number, count: number) => downwards.all(list, label, count),
    label: ({ row }: NamedRow, label: number) => update.run(label, row),
  };
}
type Statements = ReturnType<typeof prepare>;

/** Splits the items by a row near the middle of the labels, until no row lies between two labels any more. */
function* findGaps(
  statements: Statements,
  items: readonly NamedRow[],
  below: RankedRow | undefined,
  above: RankedRow | undefined,
): Generator<Gap> {
  if (items.length === 0) return;
  const low = below?.az_rank ?? LABEL_LOW;
  const high = above?.az_rank ?? LABEL_HIGH;
  const middle = low + Math.floor((high - low) / 2);
  const pivot =
    statements.above(middle, 1).find((row) => row.az_rank < high && row.az_rank > low) ??
    statements.below(middle, 1).find((row) => row.az_rank > low);
  if (!pivot) {
    yield { items, below, above };
    return;
  }
  const split = countBefore(items, pivot);
  yield* findGaps(statements, items.slice(0, split), below, pivot);
  yield* findGaps(statements, items.slice(split), pivot, above);
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

/** Labels the items evenly between their neighbours; where there is too little room, the neighbours move too. */
function fillGap(statements: Statements, { items, below, above }: Gap): void {
  const low = below ? statements.labelOf(below) : LABEL_LOW;
  const high = above ? statements.labelOf(above) : LABEL_HIGH;
  let from = low;
  let to = high;
  let before: RankedRow[] = [];
  let after: RankedRow[] = [];
  const step = (): number => Math.floor((to - from) / (before.length + items.length + after.length + 1));
  let room = ROOM_MIN;
  for (let count = NEIGHBOURS_FIRST; step() < room; count *= 2) {
    if (from === LABEL_LOW && to === LABEL_HIGH) break;
    // One more than is moved: it stays, as the border.
    before = statements.below(low, count + 1);
    after = statements.above(high, count + 1);
    from = before[count]?.az_rank ?? LABEL_LOW;
    to = after[count]?.az_rank ?? LABEL_HIGH;
    before = before.slice(0, count).reverse();
    after = after.slice(0, count);
    // The more are moved, the more room they get: else a crowd would be moved again for every name that joins it.
    room *= 2;
  }
  if (step() < 1) throw new Error('a list holds more entries than there are labels');
  const labels = (rows: readonly RankedRow[], first: number) =>
    rows.map((row, index) => ({ row, label: from + step() * (first + index) }));
  const moves = [...labels(before, 1), ...labels(after, before.length + items.length + 1)];
  // Labels are unique at every moment: those that move up go from the top, those that move down from the bottom.
  for (const { row, label } of moves.toReversed()) if (label > row.az_rank) statements.label(row, label);
  for (const { row, label } of moves) if (label < row.az_rank) statements.label(row, label);
  for (const [index, row] of items.entries()) {
    statements.label(row, from + step() * (before.length + index + 1));
  }
}
