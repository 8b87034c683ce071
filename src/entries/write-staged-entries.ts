/**
 * The end of a large import: what was staged becomes entries in one transaction of a few statements, so that others
 * wait for the write lock as shortly as can be. The other half of write-entries.ts; the same things are true afterwards.
 */
import { appendChangesFrom, readLastChange } from '../changes/append-change.ts';
import type { Database } from '../db/database.ts';
import { compareNames, placeInAlphabet, planLabels } from './alphabet-rank.ts';
import type { NamedRow } from './alphabet-rank.ts';
import { deleteContents } from './contents.ts';
import type { ListKind } from './entry.ts';
import { ListChangedError } from './write-entries.ts';

/** Fewer are written one by one. */
export const STAGED_BULK_FROM = 1_000;
/** Indexes are made again at the end when at least this share of the entries is new: sorting beats inserting. */
const REINDEX_SHARE = 1 / 3;
/** The pages that the transaction changes stay in memory; written out and read again they take ten times as long. */
const CACHE_KIB = 262_144;

/** Columns of `temp.staged`; `place` numbers its rows. */
export const STAGED_COLUMNS = `place INTEGER PRIMARY KEY, row INTEGER, chat_id TEXT, name TEXT, entry_id TEXT,
  report_id TEXT, proofs_id TEXT, verified INTEGER, reported_at INTEGER, views INTEGER, proofs TEXT, name_folded TEXT,
  chat_id_folded TEXT, content INTEGER, is_new_content INTEGER, old_content INTEGER, is_renamed INTEGER, az_rank INTEGER`;

/**
 * @param preparedAt the list's newest change when the first row was staged
 * @throws {ListChangedError} and leaves the list as it was when it has changed since
 */
export function writeStagedEntries(db: Database, list: ListKind, preparedAt: number, now: number): void {
  db.connection.pragma(`cache_size = -${CACHE_KIB}`);
  planStagedLabels(db, list);
  const count = (sql: string): number => db.statement<{ count: number }>(sql).get()?.count ?? 0;
  const added = count('SELECT count(*) AS count FROM temp.staged WHERE row IS NULL');
  const changed = count('SELECT count(*) AS count FROM temp.staged');
  const before = count('SELECT total(entries) AS count FROM entry_counts');
  const returned = db
    .statement<{ entry_id: string }>('SELECT entry_id FROM temp.staged JOIN tombstones USING (entry_id)')
    .all();
  db.write(() => {
    if (readLastChange(db, list) !== preparedAt) throw new ListChangedError(list);
    const remake = dropDerived(db, changed >= (before + added) * REINDEX_SHARE);
    db.statement(RECORD_PROOFS).run(now);
    if (changed > added) db.statement(UPDATE_STAGED).run(now);
    db.statement(INSERT_STAGED).run(list, now);
    appendChangesFrom(
      db,
      list,
      now,
      `SELECT CASE WHEN row IS NULL THEN 'added' ELSE 'updated' END AS op, entry_id FROM temp.staged ORDER BY place`,
    );
    for (const { entry_id } of returned) {
      db.statement('DELETE FROM tombstones WHERE entry_id = ?').run(entry_id);
    }
    for (const sql of remake) db.connection.exec(sql);
    recount(db, list);
    placeInAlphabet(db, list, listUnplaced(db, list));
  });
  deleteContents(
    db,
    db
      .statement<{ content: number }>(
        'SELECT old_content AS content FROM temp.staged WHERE old_content IS NOT NULL AND is_new_content = 1',
      )
      .all()
      .map(({ content }) => content),
  );
}

/** Comparing by collation is the slow part of placing names: it is done before the lock is taken. */
function planStagedLabels(db: Database, list: ListKind): void {
  const names = db
    .statement<NamedRow>(
      'SELECT place AS row, name, entry_id FROM temp.staged WHERE row IS NULL OR is_renamed = 1',
    )
    .all()
    .sort(compareNames);
  db.snapshot(() => {
    for (const { row, label } of planLabels(db, list, names)) {
      db.statement('UPDATE temp.staged SET az_rank = ? WHERE place = ?').run(label, row);
    }
  });
}

/** Drops the triggers that count, and the indexes when they are worth it. @returns what makes them again */
function dropDerived(db: Database, withIndexes: boolean): string[] {
  const derived = db
    .statement<{ type: 'index' | 'trigger'; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL
       AND (type = 'trigger' AND name GLOB 'entries_count_*' OR type = 'index' AND tbl_name IN ('entries', 'changes'))
       ORDER BY type = 'trigger'`,
    )
    .all()
    .filter(({ type }) => withIndexes || type === 'trigger');
  for (const { type, name } of derived) db.connection.exec(`DROP ${type} ${name}`);
  return derived.map(({ sql }) => sql);
}

function recount(db: Database, list: ListKind): void {
  db.statement('DELETE FROM entry_counts WHERE list = ?').run(list);
  db.statement(
    `INSERT INTO entry_counts SELECT list, verified, proofs, count(*) FROM entries WHERE list = ?
     GROUP BY verified, proofs`,
  ).run(list);
}

function listUnplaced(db: Database, list: ListKind): NamedRow[] {
  return db
    .statement<NamedRow>('SELECT row, name, entry_id FROM entries WHERE list = ? AND az_rank IS NULL')
    .all(list);
}

const PROOFS_OF = (content: string): string =>
  `(SELECT json_group_array(json_array(text, url, file_sha256, caption) ORDER BY position) FROM proof_items
    WHERE content = ${content})`;
/** As recordProofs in write-entries.ts; runs before the entries change. */
const RECORD_PROOFS = `INSERT INTO proof_changes (entry_id, at, proofs, items)
  SELECT staged.entry_id, ?, staged.proofs, (SELECT count(*) FROM proof_items WHERE content = staged.content)
  FROM temp.staged AS staged LEFT JOIN entries USING (row)
  WHERE coalesce(entries.proofs, 'none') != staged.proofs OR staged.proofs != 'none' AND staged.is_new_content
    AND ${PROOFS_OF('staged.content')} != ${PROOFS_OF('entries.content')}`;

const INSERT_STAGED = `INSERT INTO entries (list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified,
    reported_at, updated_at, views, az_rank, name_folded, chat_id_folded, content)
  SELECT ?, entry_id, report_id, proofs_id, proofs, chat_id, name, verified, reported_at, ?, coalesce(views, 0), az_rank,
    name_folded, chat_id_folded, content
  FROM temp.staged WHERE row IS NULL ORDER BY place`;

const UPDATE_STAGED = `UPDATE entries SET name = staged.name, name_folded = staged.name_folded,
    chat_id_folded = staged.chat_id_folded, verified = staged.verified, reported_at = staged.reported_at,
    updated_at = ?, views = coalesce(staged.views, entries.views), proofs = staged.proofs, proofs_id = staged.proofs_id,
    content = staged.content, az_rank = CASE WHEN staged.is_renamed THEN staged.az_rank ELSE entries.az_rank END
  FROM temp.staged AS staged WHERE entries.row = staged.row`;
