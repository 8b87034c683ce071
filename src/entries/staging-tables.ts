/**
 * Additions and changes of entries are collected in two temporary tables, which only this connection sees, and one
 * transaction of few statements writes them, so that the write lock is short. Published JSON is made beforehand.
 */
import { readLogHead } from '../changes/change-log.ts';
import type { ReplacedEntry } from '../changes/undo-file.ts';
import { sqlBuilder, type Database, type Transaction } from '../db/database.ts';
import { REDACTION, RETURNED } from '../removals/removals.ts';
import { OperatorError } from '../operator-error.ts';
import { findAppeal } from './appeals.ts';
import { findHtml, findReason, removesProofs, listProofItems, sameProofs } from './entry-content.ts';
import { countsUpsert } from './entry-statistics.ts';
import { entryIdOf, proofsIdOf } from './entry-identity.ts';
import type { ListKind } from './entry.ts';
import type { EntryField, EntryRow, EntryWrite, Withdrawal, WriteOptions } from './entry-row.ts';
import { BY_SHA256, toImportRecord, type EntryWithReason } from './export-records.ts';
import { findEntryRowByChatId } from './find-entry-rows.ts';
import { FORMER_NAMES_MAX, formerNamesOf, ERASED_NAME } from './former-names.ts';
import { toPublicRow } from './public-entry.ts';

/** Keeps index pages in memory, which would otherwise be written and read again. */
const CACHE_KIB = 131_072;

interface Changed {
  readonly list: ListKind;
  readonly id: string;
  readonly at: number;
  readonly by: string | null;
}

/** Another proof may have the number by then. */
const REPEAT = 'look at it with "entry show" or "proofs show" before you repeat the command';

export class EntryChangedError extends OperatorError {
  constructor({ list, id, at: time, by }: Changed) {
    const at = new Date(time).toISOString();
    const what = `the entry ${id} of ${list} was changed meanwhile at ${at} by ${by ?? 'somebody'}`;
    super('conflict', `${what}; nothing was written; ${REPEAT}`, { list, id, at, by });
  }
}

/** Whether a write may change the column. Views are written apart. */
const IS_CHANGEABLE = {
  list: false,
  entry_id: false,
  report_id: false,
  proofs_id: true,
  proofs: true,
  chat_id: true,
  name: true,
  verified: true,
  reported_at: true,
  verified_at: true,
  account: true,
  account_since: true,
  updated_at: true,
} satisfies Record<Exclude<keyof EntryRow, 'row' | 'views'>, boolean>;
const COLUMNS = Object.keys(IS_CHANGEABLE);
const ENTRY = COLUMNS.join();

/** A connection has one set of staging tables, on the disk, until they are written or it closes. */
export function createStaging(db: Database): void {
  db.connection.exec(`
    PRAGMA cache_size = -${CACHE_KIB};
    DROP TABLE IF EXISTS temp.staged;
    DROP TABLE IF EXISTS temp.staged_texts;
    CREATE TEMP TABLE staged (
      staged_id INTEGER PRIMARY KEY,
      op,
      -- NULL for an added entry until the commit.
      row,
      ${ENTRY},
      -- NULL when the counted views stay.
      views,
      -- Names of the fields that differ from the entry before, separated by spaces.
      fields,
      -- The number of proofs, when the history of proofs gets a row.
      recorded_count,
      -- The replaced name, where it is kept; whether all of them are erased.
      former_name, erases_names, erases_notes,
      -- A JSON array of kinds of removals.
      removal_kinds,
      -- NULL when the public may not see the entry.
      flags
    );
    -- A table of its own, because it would double the time of statements that read no texts.
    CREATE TEMP TABLE staged_texts (
      staged_id INTEGER PRIMARY KEY, card, json,
      -- NULL when texts and proofs stay; the items are a JSON array.
      reason, items
    )`);
}

const STAGE = `INSERT INTO temp.staged VALUES (NULL, @op, @row, ${COLUMNS.map((column) => `@${column}`).join()},
    @views, @fields, @recorded_count, @former_name, @erases_names, @erases_notes, @removal_kinds, @flags)`;

/** @returns false when the write would change nothing @throws {EntryChangedError} when the entry is gone */
export function stageEntry(db: Database, write: EntryWrite, before: EntryRow | undefined): boolean {
  const {
    content,
    recordedWithdrawals = [],
    formerNames = 'add',
    erasesNotes = false,
    changesAppeal,
    ...facts
  } = write;
  const { list, name, proofs, report_id } = facts;
  const entry_id = before?.entry_id ?? entryIdOf(report_id);
  const proofs_id = proofs === 'none' ? null : proofsIdOf(report_id);
  const itemsBefore = before ? listProofItems(db, before.row) : [];
  const items = content?.proofItems ?? itemsBefore;
  const isProofsChange =
    (before?.proofs ?? 'none') !== proofs || (proofs !== 'none' && !sameProofs(itemsBefore, items));
  const reasonBefore = before && findReason(db, before.row);
  if (before && reasonBefore === undefined) throw new EntryChangedError(getNewestChange(db, before));
  const isReasonChange = before !== undefined && content !== undefined && reasonBefore !== content.reason;
  const isRenamed = before !== undefined && before.name !== name;
  const storesName = formerNames === 'add' && isRenamed && list !== 'legit' && before.name !== ERASED_NAME;
  const erasesNames = formerNames === 'erase' && formerNamesOf(db, entry_id).length > 0;
  const fields =
    before &&
    listTrue({
      id: before.chat_id !== write.chat_id,
      name: isRenamed,
      reason: isReasonChange,
      verified: before.verified !== write.verified,
      reportedAt: before.reported_at !== write.reported_at,
      verifiedAt: before.verified_at !== write.verified_at,
      account: before.account !== write.account,
      accountSince: before.account_since !== write.account_since,
      views: (write.views ?? before.views) !== before.views,
      proofs: isProofsChange,
      formerNames: erasesNames,
      appeal: changesAppeal,
    } satisfies Record<Exclude<EntryField, 'reportId'> | 'formerNames', boolean | undefined>);
  const removalKinds = listTrue({
    name: recordedWithdrawals.includes('name') || erasesNames || (formerNames === 'erase' && isRenamed),
    reason: recordedWithdrawals.includes('reason'),
    proofs: recordedWithdrawals.includes('proofs') && removesProofs(items, itemsBefore),
    private: before?.proofs === 'public' && proofs === 'private',
  } satisfies Record<Withdrawal, boolean>);
  if (fields?.length === 0 && !content && removalKinds.length === 0) return false;
  const descHtml = content?.descHtml ?? (before && findHtml(db, before.row));
  if (descHtml === undefined) throw new Error(`the entry ${entry_id} is written without its text`);
  const appeal = before ? findAppeal(db, before.row) : null;
  const shownAppeal = erasesNotes && appeal ? { ...appeal, note: null } : appeal;
  const published = toPublicRow({ ...facts, entry_id, proofs_id }, descHtml, shownAppeal);
  const { lastInsertRowid: stagedId } = db.statement(STAGE).run({
    ...facts,
    op: before ? 'updated' : 'added',
    row: before?.row ?? null,
    entry_id,
    proofs_id,
    fields: fields?.join(' ') ?? null,
    recorded_count: isProofsChange ? items.length : null,
    former_name: storesName ? before.name : null,
    erases_names: formerNames === 'erase' ? 1 : 0,
    erases_notes: erasesNotes ? 1 : 0,
    removal_kinds: removalKinds.length > 0 ? JSON.stringify(removalKinds) : null,
    flags: published?.flags ?? null,
  });
  db.statement('INSERT INTO temp.staged_texts VALUES (?, ?, ?, ?, ?)').run(
    stagedId,
    published?.card ?? null,
    published?.json ?? null,
    content?.reason ?? null,
    content && content.proofItems.length > 0 ? JSON.stringify(content.proofItems) : null,
  );
  return true;
}

function getNewestChange(db: Database, { list, chat_id: id, entry_id }: EntryRow): Changed {
  const changes = sqlBuilder
    .selectFrom('changes')
    .leftJoin('change_notes', 'change_notes.seq', 'changes.seq');
  const newest = changes.select(['at', 'by']).where('entry_id', '=', entry_id).orderBy('changes.seq', 'desc');
  return { list, id, at: Date.now(), by: null, ...db.first(newest.limit(1)) };
}

/**
 * Writes entries that are compared already, all or none; inside a transaction, as a part of it.
 * @throws as writeStagedEntries does
 */
export function writeEntries(db: Database, writes: Iterable<EntryWrite>, options: WriteOptions): void {
  createStaging(db);
  db.read(() => {
    for (const write of writes) stageEntry(db, write, findEntryRowByChatId(db, write.list, write.chat_id));
  });
  db.write((tx) => writeStagedEntries(tx, options));
}

function listTrue(flags: Readonly<Record<string, boolean | undefined>>): string[] {
  return Object.keys(flags).filter((name) => flags[name]);
}

/** @throws {EntryChangedError} and changes nothing when one of the entries changed meanwhile */
export function writeStagedEntries(tx: Transaction, { comparedAtSeq, now, by, origin }: WriteOptions): void {
  const { logId, seq } = readLogHead(tx);
  const changed =
    seq === comparedAtSeq
      ? undefined
      : tx.statement<Changed>(CHANGED_SINCE).get({ comparedAtSeq, origin: origin ?? null });
  if (changed) throw new EntryChangedError(changed);
  const parameters = { now, seq, logId, by: by ?? null, origin: origin ?? null };
  for (const statement of STATEMENTS) tx.statement(statement).run(parameters);
  // Temporary rows must not stay on the disk as long as the connection.
  tx.connection.exec('DROP TABLE temp.staged; DROP TABLE temp.staged_texts');
}

// Kysely knows neither temporary tables nor sqlite_sequence.
/** The newest change of a staged entry, or of one that has its chat ID now. */
const CHANGED_SINCE = `SELECT mine.list, chat_id AS id, at, by FROM changes LEFT JOIN change_notes USING (seq)
    JOIN (
      SELECT entry_id, list, chat_id FROM temp.staged
      UNION SELECT entries.entry_id, list, chat_id FROM temp.staged JOIN entries USING (list, chat_id)
      -- The operator who adds an ID is asked about a removed one. The tables do not tell which removal had it.
      UNION SELECT removed.entry_id, list, chat_id FROM changes AS removed JOIN temp.staged USING (list)
        WHERE seq > @comparedAtSeq AND removed.op = 'removed' AND @origin IN ('edit', 'redaction')
          AND (staged.op = 'added' OR instr(' ' || fields || ' ', ' id '))
    ) AS mine USING (entry_id)
  WHERE seq > @comparedAtSeq ORDER BY seq DESC LIMIT 1`;

/** In this order. */
const STATEMENTS: readonly string[] = [
  // Row numbers are never used twice.
  `UPDATE temp.staged
    SET row = staged_id + (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'entries')
    WHERE op = 'added'`,
  `INSERT INTO entries (row, ${ENTRY}, views)
    SELECT row, ${ENTRY}, coalesce(views, (SELECT views FROM entries WHERE row = staged.row), 0)
    FROM temp.staged WHERE true ORDER BY staged_id
    ON CONFLICT (row) DO UPDATE SET ${listTrue(IS_CHANGEABLE)
      .map((column) => `${column} = excluded.${column}`)
      .join()},
      views = excluded.views`,
  // A name that comes again becomes the newest.
  `INSERT OR REPLACE INTO former_names (row, name)
    SELECT row, former_name FROM temp.staged WHERE former_name IS NOT NULL ORDER BY staged_id`,
  `DELETE FROM former_names AS old
    WHERE row IN (SELECT row FROM temp.staged WHERE former_name IS NOT NULL)
      AND (SELECT count(*) FROM former_names WHERE row = old.row AND former > old.former) >= ${FORMER_NAMES_MAX}`,
  'DELETE FROM former_names WHERE row IN (SELECT row FROM temp.staged WHERE erases_names)',
  'DELETE FROM entry_notes WHERE row IN (SELECT row FROM temp.staged WHERE erases_notes)',
  'UPDATE appeals SET note = NULL WHERE row IN (SELECT row FROM temp.staged WHERE erases_notes)',
  `INSERT INTO contents (row, reason)
    SELECT row, reason FROM temp.staged JOIN temp.staged_texts USING (staged_id)
    WHERE reason IS NOT NULL ORDER BY staged_id
    ON CONFLICT (row) DO UPDATE SET reason = excluded.reason`,
  `DELETE FROM proof_items WHERE row IN (
    SELECT row FROM temp.staged JOIN temp.staged_texts USING (staged_id)
    WHERE op = 'updated' AND reason IS NOT NULL)`,
  `INSERT INTO proof_items (row, position, text, text_html, url, file_sha256, file_name, caption)
    SELECT row, item.key, item.value ->> 'text', item.value ->> 'textHtml', item.value ->> 'url',
      item.value ->> 'fileSha256', item.value ->> 'fileName', item.value ->> 'caption'
    FROM temp.staged_texts JOIN temp.staged USING (staged_id), json_each(items) AS item WHERE items IS NOT NULL`,
  'DELETE FROM published WHERE row IN (SELECT row FROM temp.staged WHERE flags IS NULL)',
  `INSERT INTO published (row, flags, chat_id, card, json)
    SELECT row, flags, chat_id, card, json FROM temp.staged JOIN temp.staged_texts USING (staged_id)
    WHERE flags IS NOT NULL ORDER BY staged_id
    ON CONFLICT (row) DO UPDATE
      SET chat_id = excluded.chat_id, flags = excluded.flags, card = excluded.card, json = excluded.json`,
  `INSERT INTO proof_changes (entry_id, at, proofs, items)
    SELECT entry_id, @now, proofs, recorded_count FROM temp.staged
    WHERE recorded_count IS NOT NULL ORDER BY staged_id`,
  `INSERT INTO changes (at, op, list, entry_id)
    SELECT @now, op, list, entry_id FROM temp.staged ORDER BY staged_id`,
  `INSERT INTO change_notes (seq, by, fields, how)
    SELECT seq, @by, fields, @origin FROM changes JOIN temp.staged USING (entry_id)
    WHERE seq > @seq AND (@by IS NOT NULL OR fields IS NOT NULL)`,
  `INSERT OR REPLACE INTO removals (at, list, entry_id, what, reason_code, history, change)
    SELECT @now, list, entry_id, value, iif(@origin = '${REDACTION}', @origin, (SELECT reason_code FROM removals
        WHERE entry_id = staged.entry_id AND what = value AND history = @logId)),
      @logId, (SELECT max(seq) FROM changes)
    FROM temp.staged, json_each(removal_kinds) ORDER BY staged_id`,
  // A removed entry that is added again has its report number, so its `_id` too.
  `INSERT OR REPLACE INTO removals (at, list, entry_id, what, history, change)
    SELECT @now, staged.list, entry_id, '${RETURNED}', @logId, (SELECT max(seq) FROM changes)
    FROM temp.staged JOIN tombstones USING (entry_id) WHERE op = 'added' ORDER BY staged_id`,
  "DELETE FROM tombstones WHERE entry_id IN (SELECT entry_id FROM temp.staged WHERE op = 'added')",
  countsUpsert(`SELECT @now AS at, 'added' AS what, 0 AS days, count(*) AS count
    FROM temp.staged WHERE op = 'added' HAVING count(*) > 0`),
];

const LARGEST = 10;
/** Their texts are in memory at once. */
const REPLACED_AT_ONCE = 5_000;

export type StagedSummary = ReturnType<typeof summarizeStaged>;

interface StagedChange {
  readonly id: string;
  readonly name: string;
  readonly fields: string;
  /** Characters of the reason, where it changes. */
  readonly before: number | null;
  readonly after: number | null;
}

export interface WithdrawnPart {
  readonly id: string;
  readonly what: Withdrawal;
  readonly at: number;
}

const FIELDS = 'SELECT fields, count(*) AS count FROM temp.staged WHERE row IS NOT NULL GROUP BY fields';
const LARGEST_CHANGES = `SELECT id, name, fields, iif(isReason, before, NULL) AS before, iif(isReason, after, NULL) AS after
  FROM (SELECT chat_id AS id, name, fields, instr(' ' || fields || ' ', ' reason ') AS isReason, length(contents.reason) AS before,
      length(staged_texts.reason) AS after
    FROM temp.staged JOIN temp.staged_texts USING (staged_id) JOIN contents USING (row))
  ORDER BY coalesce(max(before, after), 0) DESC, length(fields) DESC LIMIT ${LARGEST}`;
const WITHDRAWN = `SELECT chat_id AS id, what, max(at) AS at FROM temp.staged JOIN removals USING (entry_id)
  WHERE row IS NOT NULL AND CASE what
    WHEN 'private' THEN staged.proofs = 'public'
    WHEN 'proofs' THEN staged.proofs <> 'none' AND instr(' ' || fields || ' ', ' proofs ')
    ELSE instr(' ' || fields || ' ', ' ' || what || ' ') END
  GROUP BY staged_id, what ORDER BY staged_id, what`;
const HIJACKED = `SELECT count(*) FROM temp.staged LEFT JOIN entries USING (row)
  WHERE staged.account = 'hijacked' AND entries.account IS NOT 'hijacked'`;
const REPLACED_ROWS = `SELECT staged_id, entries.*, contents.reason
  FROM temp.staged JOIN entries USING (row) JOIN contents USING (row)
  WHERE staged_id > ? ORDER BY staged_id LIMIT ${REPLACED_AT_ONCE}`;

export function summarizeStaged(db: Database) {
  /** The number of entries whose field changes. */
  const fields: Record<string, number> = {};
  for (const row of db.statement<{ fields: string; count: number }>(FIELDS).all())
    for (const field of row.fields.split(' ')) fields[field] = (fields[field] ?? 0) + row.count;
  return {
    fields,
    largest: db
      .statement<StagedChange>(LARGEST_CHANGES)
      .all()
      .map((change) => ({ ...change, fields: change.fields.split(' ') })),
    /** Parts that an operator withdrew for good and the staged changes write again. */
    withdrawn: db.statement<WithdrawnPart>(WITHDRAWN).all(),
    /** Entries that become hijacked. */
    hijacked: db.statement<number>(HIJACKED).pluck().get() ?? 0,
  };
}

/** Entries as they are before the staged changes, the next ones after `stagedId`; none at the end. */
export function listReplacedEntries(
  db: Database,
  stagedId = 0,
): (ReplacedEntry & { readonly stagedId: number })[] {
  const rows = db.statement<EntryWithReason & { staged_id: number }>(REPLACED_ROWS).all(stagedId);
  return rows.map((entry) => {
    const record = toImportRecord(db, entry, BY_SHA256);
    const items = record.proofs ? listProofItems(db, entry.row) : [];
    const files = Object.fromEntries(
      items.flatMap(({ fileSha256, fileName }) => (fileSha256 === null ? [] : [[fileSha256, fileName]])),
    ) as ReplacedEntry['files'];
    return { stagedId: entry.staged_id, entryId: entry.entry_id, record: JSON.stringify(record), files };
  });
}
