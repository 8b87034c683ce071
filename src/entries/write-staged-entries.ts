/**
 * The end of a large import: the whole table of entries is made anew beside the old one, with what was staged put in,
 * and takes its place in one short transaction, so that others never wait long for the write lock. The other half of
 * write-entries.ts; the same things are true afterwards.
 */
import { appendChangesFrom, readLastChange } from '../changes/append-change.ts';
import type { Database } from '../db/database.ts';
import type { GiveWay } from '../db/give-way.ts';
import { compareNames, isCollationCurrent, LABEL_HIGH, findPlaces } from './alphabet-rank.ts';
import type { NamedRow } from './alphabet-rank.ts';
import { deleteContents } from './contents.ts';
import type { ListKind } from './entry.ts';
import { createNext, dropNext, exchangeWithNext, holdNext, indexStatements, NEXT } from './next-entries.ts';
import type { EntryColumn } from './next-entries.ts';
import { ListChangedError } from './write-entries.ts';

/** Fewer are written one by one: others wait for half a second then, at most. */
export const STAGED_BULK_FROM = 500;
/** In a large database each step of making the table anew takes longer than so large a share of changes, one by one. */
const STAGED_BULK_SHARE = 1 / 800;
/** An index is made fastest of small runs, sorted by several threads: of a million entries in half the time. */
const INDEX_CACHE_KIB = 4_096;
const INDEX_THREADS = 3;
/** For the last transaction: pages of the change log's index, written out and read again, would take far longer. */
const EXCHANGE_CACHE_KIB = 262_144;
/** Rows that are copied in one transaction. */
const COPY_STEP = 20_000;
/** Rows that others have changed meanwhile and that are brought up to date under the lock; more are before it. */
const LATE_ROWS_MAX = 500;
/** Comparing the tables again because others have written, before others have to wait for it. */
const COMPARE_TRIES = 5;
/** How long another import may be at the same; that of a million entries takes half a minute. */
const HOLD_WAIT_MS = 120_000;
const HOLD_POLL_MS = 1_000;

/** Columns of `temp.staged`; `place` numbers its rows. */
export const STAGED_COLUMNS = `place INTEGER PRIMARY KEY, row INTEGER, is_added INTEGER, chat_id TEXT, name TEXT,
  entry_id TEXT, report_id TEXT, proofs_id TEXT, verified INTEGER, reported_at INTEGER, views INTEGER, proofs TEXT,
  name_folded TEXT, chat_id_folded TEXT, content INTEGER, is_new_content INTEGER, old_content INTEGER, is_renamed INTEGER`;

interface Counted {
  readonly verified: number;
  readonly proofs: string;
  readonly entries: number;
}

/** Whether so many additions and changes are for writeStagedEntries, or fewer, for writeEntries. */
export function isBulk(db: Database, count: number): boolean {
  const { present } = db.statement('SELECT total(entries) AS present FROM entry_counts').get() as {
    present: number;
  };
  return count >= Math.max(STAGED_BULK_FROM, present * STAGED_BULK_SHARE);
}

/**
 * @param preparedAt the list's newest change when the first row was staged
 * @param giveWay called after each of the short transactions
 * @throws {ListChangedError} and leaves the list as it was when it has changed since
 */
export function writeStagedEntries(
  db: Database,
  list: ListKind,
  preparedAt: number,
  now: number,
  giveWay: GiveWay,
): void {
  const release = waitForHold(db, giveWay);
  try {
    dropNext(db, giveWay);
    const check = createCheck(db, list, preparedAt);
    const { counts, returned } = plan(db, list, now, check);
    // Nothing of this is worth waiting for the disk.
    db.connection.pragma('synchronous = NORMAL');
    makeNext(db, list, now, check, giveWay);
    db.connection.pragma('synchronous = FULL');
    exchange(db, { list, now, giveWay }, () => {
      check();
      db.statement(
        'INSERT INTO proof_changes (entry_id, at, proofs, items) SELECT * FROM temp.recorded',
      ).run();
      appendChangesFrom(
        db,
        list,
        now,
        `SELECT CASE WHEN is_added THEN 'added' ELSE 'updated' END AS op, entry_id FROM temp.staged ORDER BY place`,
      );
      for (const { entry_id } of returned) {
        db.statement('DELETE FROM tombstones WHERE entry_id = ?').run(entry_id);
      }
      db.statement('DELETE FROM entry_counts WHERE list = ?').run(list);
      for (const { verified, proofs, entries } of counts) {
        db.statement('INSERT INTO entry_counts VALUES (?, ?, ?, ?)').run(list, verified, proofs, entries);
      }
      exchangeWithNext(db);
    });
  } finally {
    db.connection.pragma('synchronous = NORMAL');
    leave(() => dropNext(db, giveWay));
    db.connection.pragma('synchronous = FULL');
    release();
  }
  const replaced = db
    .statement<{ content: number }>(
      'SELECT old_content AS content FROM temp.staged WHERE old_content IS NOT NULL AND is_new_content = 1',
    )
    .all()
    .map(({ content }) => content);
  leave(() => deleteContents(db, replaced, giveWay));
}

function waitForHold(db: Database, giveWay: GiveWay): () => void {
  const deadline = performance.now() + HOLD_WAIT_MS;
  for (;;) {
    const release = holdNext(db);
    if (release) return release;
    if (performance.now() >= deadline) throw new Error('another large import does not come to its end');
    // Longer than the lock may be held before others get their turn.
    giveWay(HOLD_POLL_MS);
  }
}

/** The import has succeeded or failed by now, which this must not hide: the worker removes what stays. */
function leave(tidy: () => void): void {
  try {
    tidy();
  } catch {
    // It is invisible, and others have their own errors to tell.
  }
}

/** @returns a function that throws when the entries or labels of the list are not what they were when this was called */
function createCheck(db: Database, list: ListKind, preparedAt: number): () => void {
  const isCurrent = isCollationCurrent(db);
  return () => {
    if (readLastChange(db, list) !== preparedAt || isCollationCurrent(db) !== isCurrent) {
      throw new ListChangedError(list);
    }
  };
}

/** What can be known beforehand: it holds for as long as nobody changes the list. */
function plan(
  db: Database,
  list: ListKind,
  now: number,
  check: () => void,
): { readonly counts: readonly Counted[]; readonly returned: readonly { readonly entry_id: string }[] } {
  return db.snapshot(() => {
    check();
    numberAdded(db);
    planLabels(db, list);
    db.connection.exec('DROP TABLE IF EXISTS temp.recorded; DROP TABLE IF EXISTS temp.late');
    db.connection.exec('CREATE TEMP TABLE late (row INTEGER PRIMARY KEY)');
    db.connection.prepare(`CREATE TEMP TABLE recorded AS ${RECORD_PROOFS}`).run(now);
    const counts = db.statement<Counted>(COUNT_AFTER).all({ list });
    const returned = db
      .statement<{ entry_id: string }>('SELECT entry_id FROM temp.staged JOIN tombstones USING (entry_id)')
      .all();
    return { counts, returned };
  });
}

/** Gives each added row its number: after all that there are. */
function numberAdded(db: Database): void {
  db.connection.exec(`
    UPDATE temp.staged SET row = (SELECT coalesce(max(row), 0) FROM entries) + numbers.number
      FROM (SELECT place, row_number() OVER (ORDER BY place) AS number FROM temp.staged WHERE is_added) AS numbers
      WHERE staged.place = numbers.place;
    CREATE UNIQUE INDEX temp.staged_by_row ON staged (row);
    CREATE INDEX temp.staged_added ON staged (row) WHERE is_added;
  `);
}

/** Labels for the whole list: every row is written anyway, and evenly spread they leave the most room. */
function planLabels(db: Database, list: ListKind): void {
  db.connection.exec(`
    DROP TABLE IF EXISTS temp.placed;
    DROP TABLE IF EXISTS temp.labels;
    CREATE TEMP TABLE placed (place INTEGER PRIMARY KEY, row INTEGER NOT NULL, after INTEGER NOT NULL);
    CREATE TEMP TABLE labels (row INTEGER PRIMARY KEY, label INTEGER NOT NULL);
  `);
  const names = db
    .statement<NamedRow>('SELECT row, name, entry_id FROM temp.staged WHERE is_added OR is_renamed')
    .all()
    .sort(compareNames);
  const insert = db.statement('INSERT INTO temp.placed (row, after) VALUES (?, ?)');
  for (const [index, after] of findPlaces(db, list, names).entries()) insert.run(names[index]?.row, after);
  db.statement(
    `INSERT INTO temp.labels
     SELECT row, row_number() OVER (ORDER BY after, place) * (${LABEL_HIGH} / (count(*) OVER () + 1)) FROM (
       SELECT row, az_rank AS after, 0 AS place FROM entries
         WHERE list = @list AND row NOT IN (SELECT row FROM temp.placed)
       UNION ALL SELECT row, after, place FROM temp.placed
     ) ORDER BY row`,
  ).run({ list });
}

function makeNext(db: Database, list: ListKind, now: number, check: () => void, giveWay: GiveWay): void {
  const step = (change: () => void): void => {
    const startedAt = performance.now();
    db.write(() => {
      // Sooner than at the end, so that nothing is made in vain.
      check();
      change();
    });
    giveWay(performance.now() - startedAt);
  };
  step(() => createNext(db));
  const { last } = db
    .statement<{ last: number }>(
      `SELECT max(coalesce((SELECT max(row) FROM entries), 0), coalesce((SELECT max(row) FROM temp.staged), 0)) AS last`,
    )
    .get() as { last: number };
  for (let first = 1; first <= last; first += COPY_STEP) {
    step(() => {
      makeRoomForOthers(db);
      copyRows(db, 'BETWEEN @first AND @last', { list, now, first, last: first + COPY_STEP - 1 });
    });
  }
  db.connection.pragma(`threads = ${INDEX_THREADS}`);
  withCache(db, INDEX_CACHE_KIB, () => {
    for (const sql of indexStatements(db)) step(() => void db.connection.exec(sql));
  });
}

/** Does something with another bound for the pages that SQLite holds. */
function withCache<T>(db: Database, kib: number, work: () => T): T {
  const before = db.connection.pragma('cache_size', { simple: true }) as number;
  db.connection.pragma(`cache_size = -${kib}`);
  try {
    return work();
  } finally {
    db.connection.pragma(`cache_size = ${before}`);
  }
}

/** Brings `entries_next` to what it has to be, and does the rest in the same transaction as the exchange. */
function exchange(
  db: Database,
  { list, now, giveWay }: { list: ListKind; now: number; giveWay: GiveWay },
  finish: () => void,
): void {
  for (let tries = 1; ; tries += 1) {
    // While others can write; then it counts for as long as they have not.
    const seen = db.snapshot(() => {
      const version = readVersion(db);
      findLate(db, { list, now });
      return version;
    });
    giveWay(0);
    const startedAt = performance.now();
    const tryIt = (): boolean => {
      if (readVersion(db) !== seen) {
        if (tries < COMPARE_TRIES) return false;
        findLate(db, { list, now });
      }
      const isLast = countLate(db) <= LATE_ROWS_MAX || tries >= COMPARE_TRIES;
      bringUpToDate(db, { list, now });
      if (isLast) finish();
      return isLast;
    };
    const isDone = withCache(db, EXCHANGE_CACHE_KIB, () => db.write(tryIt));
    giveWay(performance.now() - startedAt);
    if (isDone) return;
  }
}

/** Changes whenever another connection has committed something. */
function readVersion(db: Database): number {
  return db.connection.pragma('data_version', { simple: true }) as number;
}

/** Fills `temp.late` with the rows of `entries_next` that are not what they have to be, too many or missing. */
function findLate(db: Database, values: { readonly list: ListKind; readonly now: number }): void {
  makeRoomForOthers(db);
  db.statement('DELETE FROM temp.late').run();
  for (const wanted of [WANTED_PRESENT, WANTED_ADDED]) {
    db.statement(
      `INSERT INTO temp.late SELECT wanted.row FROM (${wanted}) AS wanted LEFT JOIN ${NEXT} AS next USING (row)
       WHERE (${columnsOf('wanted')}) IS NOT (${columnsOf('next')})`,
    ).run(values);
  }
  db.statement(
    `INSERT INTO temp.late SELECT row FROM ${NEXT} WHERE row NOT IN (SELECT row FROM entries)
     AND row NOT IN (SELECT row FROM temp.staged)`,
  ).run();
  // The copy does without the reference that would see to it.
  if (db.statement(FIND_LOST_CONTENT).get()) {
    throw new Error('texts of this import were removed before it came to its end; nothing was written');
  }
}

/** Numbers that were meant for added rows and that others have taken for entries of other lists. */
function makeRoomForOthers(db: Database): void {
  const { first, last, taken } = db
    .statement<{ first: number | null; last: number; taken: number }>(
      `SELECT (SELECT min(row) FROM temp.staged WHERE is_added) AS first,
         (SELECT max(row) FROM temp.staged WHERE is_added) AS last, (SELECT coalesce(max(row), 0) FROM entries) AS taken`,
    )
    .get() as { first: number | null; last: number; taken: number };
  if (first === null || taken < first) return;
  const shift = Math.max(last, taken) + 1 - first;
  for (const table of ['staged', 'labels']) {
    db.statement(`UPDATE temp.${table} SET row = row + ? WHERE row BETWEEN ? AND ?`).run(shift, first, taken);
  }
}

function countLate(db: Database): number {
  return db.statement<{ count: number }>('SELECT count(*) AS count FROM temp.late').get()?.count ?? 0;
}

function bringUpToDate(db: Database, values: { readonly list: ListKind; readonly now: number }): void {
  db.statement(`DELETE FROM ${NEXT} WHERE row IN (SELECT row FROM temp.late)`).run();
  copyRows(db, 'IN (SELECT row FROM temp.late)', values);
}

function copyRows(db: Database, rows: string, values: Readonly<Record<string, unknown>>): void {
  db.statement(`INSERT INTO ${NEXT} (${COLUMNS.join()}) ${WANTED_PRESENT} WHERE entries.row ${rows}`).run(
    values,
  );
  db.statement(`INSERT INTO ${NEXT} (${COLUMNS.join()}) ${WANTED_ADDED} AND staged.row ${rows}`).run(values);
}

/** By column: in an entry that the import changes, where that is not what it was; and in one that it adds. */
const WANTED: Readonly<Record<EntryColumn, { readonly changed?: string; readonly added: string }>> = {
  row: { added: 'staged.row' },
  list: { added: '@list' },
  entry_id: { added: 'staged.entry_id' },
  report_id: { added: 'staged.report_id' },
  proofs_id: { changed: 'staged.proofs_id', added: 'staged.proofs_id' },
  proofs: { changed: 'staged.proofs', added: 'staged.proofs' },
  chat_id: { added: 'staged.chat_id' },
  name: { changed: 'staged.name', added: 'staged.name' },
  verified: { changed: 'staged.verified', added: 'staged.verified' },
  reported_at: { changed: 'staged.reported_at', added: 'staged.reported_at' },
  updated_at: { changed: '@now', added: '@now' },
  views: { changed: 'coalesce(staged.views, entries.views)', added: 'coalesce(staged.views, 0)' },
  az_rank: { added: 'labels.label' },
  name_folded: { changed: 'staged.name_folded', added: 'staged.name_folded' },
  chat_id_folded: { changed: 'staged.chat_id_folded', added: 'staged.chat_id_folded' },
  content: { changed: 'staged.content', added: 'staged.content' },
};
const COLUMNS = Object.keys(WANTED) as EntryColumn[];

function columnsOf(table: string): string {
  return COLUMNS.map((column) => `${table}.${column}`).join();
}

function presentColumn(column: EntryColumn): string {
  if (column === 'az_rank') return 'coalesce(labels.label, entries.az_rank) AS az_rank';
  const { changed } = WANTED[column];
  if (changed === undefined) return `entries.${column} AS ${column}`;
  return `CASE WHEN staged.place IS NULL THEN entries.${column} ELSE ${changed} END AS ${column}`;
}

const FIND_LOST_CONTENT = `SELECT 1 FROM temp.staged LEFT JOIN contents USING (content)
  WHERE is_new_content AND contents.content IS NULL LIMIT 1`;

const COUNT_AFTER = `SELECT verified, proofs, sum(entries) AS entries FROM (
    SELECT verified, proofs, entries FROM entry_counts WHERE list = @list
    UNION ALL SELECT entries.verified, entries.proofs, -1 FROM temp.staged JOIN entries USING (row) WHERE NOT is_added
    UNION ALL SELECT verified, proofs, 1 FROM temp.staged
  ) GROUP BY verified, proofs HAVING sum(entries) > 0`;

/** What the table has to hold for each entry that is there: of all lists, as they are at this moment. */
const WANTED_PRESENT = `SELECT ${COLUMNS.map(presentColumn).join(', ')} FROM entries
  LEFT JOIN temp.staged AS staged ON staged.row = entries.row LEFT JOIN temp.labels AS labels ON labels.row = entries.row`;
const WANTED_ADDED = `SELECT ${COLUMNS.map((column) => `${WANTED[column].added} AS ${column}`).join(', ')}
  FROM temp.staged AS staged JOIN temp.labels AS labels USING (row) WHERE staged.is_added`;

const PROOFS_OF = (content: string): string =>
  `(SELECT json_group_array(json_array(text, url, file_sha256, caption) ORDER BY position) FROM proof_items
    WHERE content = ${content})`;
/** As recordProofs in write-entries.ts. */
const RECORD_PROOFS = `SELECT staged.entry_id, ? AS at, staged.proofs,
    (SELECT count(*) FROM proof_items WHERE content = staged.content) AS items
  FROM temp.staged AS staged LEFT JOIN entries USING (row)
  WHERE coalesce(entries.proofs, 'none') != staged.proofs OR staged.proofs != 'none' AND staged.is_new_content
    AND ${PROOFS_OF('staged.content')} != ${PROOFS_OF('entries.content')} ORDER BY place`;
