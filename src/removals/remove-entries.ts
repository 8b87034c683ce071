/**
 * Removes entries and leaves anonymous tombstones. All names are looked at before the first entry goes. Few statements remove a step of many entries, and the write lock is free
 * between two steps, so that others write meanwhile. What a killed remover has done stays, and is not done twice.
 */
import { setTimeout } from 'node:timers/promises';
import { readLogHead } from '../changes/change-log.ts';
import type { Database } from '../db/database.ts';
import type { ListKind } from '../entries/entry.ts';
import { countsUpsert, daysToDecide } from '../entries/entry-statistics.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import { findEntryRow, notFoundError } from '../entries/find-entry-rows.ts';
import { listTombstones } from './tombstones.ts';
import { joinSome } from '../text/shorten.ts';
import { OperatorError } from '../operator-error.ts';
import { REMOVAL_REASONS, type RemovalReason } from './removal-reasons.ts';
import { findEntryRemoval } from './removals.ts';
import { hashRemovedId, makeRemovedKey, readRemovedKey } from './removed-key.ts';

/** An entry that goes. It stays when its chat ID is another by then. */
export interface RemovalTarget extends Pick<EntryRow, 'row' | 'list' | 'entry_id' | 'chat_id'> {
  readonly reason_code: RemovalReason;
  /** Epoch milliseconds. */
  readonly at: number;
  /** With a change of a larger number the entry stays. */
  readonly comparedAtSeq?: number;
}

export interface RemoveOptions {
  readonly by?: string | undefined;
  /** An undo takes back an addition: unless the entry was removed before, imports and restores may add it again. */
  readonly origin?: 'undo' | undefined;
}

export interface StepOptions extends RemoveOptions {
  /** Runs a step, which takes back what it did when it throws; the caller may try it again. */
  readonly attempt?: (step: () => RemovalTarget[]) => Promise<RemovalTarget[]>;
  /** Ends the work between two steps. */
  readonly signal: AbortSignal;
  /** @param count entries that were looked at so far */
  readonly onStep: (count: number) => void;
}

const STEP_MIN = 500;
/** A step takes about as long, on a slow machine, too. */
const STEP_MS = 800;
/** SQLite asks for a lock that is not free every 100 ms at least. */
const PAUSE_MS = 120;
/** Keeps index pages of tombstones and removals in memory. */
const CACHE_KIB = 65_536;
/** 64 MB: steps change the same index pages, which then reach the file once for several of them. */
const CHECKPOINT_PAGES = 16_000;

const UNKNOWN_LISTED = 50;

/**
 * @param identifiers chat IDs, report numbers or `_id`s
 * @throws {OperatorError} and removes nothing when the list never had one of the entries, or when the reason is that owners have
 * their accounts back, and one was not hijacked
 */
export async function removeByIdentifiers(
  db: Database,
  list: ListKind,
  identifiers: readonly string[],
  reason_code: RemovalReason,
  options: StepOptions,
) {
  const { entries, removedBefore } = db.read(() => {
    const found = resolveIdentifiers(db, list, identifiers);
    if (reason_code !== 'recovered') return found;
    refuseNotHijacked(found.entries);
    // Set back meanwhile, it stays.
    const { seq: comparedAtSeq } = readLogHead(db);
    return { ...found, entries: found.entries.map((entry) => ({ ...entry, comparedAtSeq })) };
  });
  const at = Date.now();
  const targets = entries.map((entry) => ({ ...entry, reason_code, at }));
  const { conflicts, count } = await removeInSteps(db, targets, options);
  if (count < targets.length)
    throw new Error(`ended after ${count} of ${targets.length} entries; run the command again to go on`);
  const staying = new Set(conflicts.map((entry) => entry.chat_id));
  const ids = targets.map((entry) => entry.chat_id).filter((id) => !staying.has(id));
  // Conflicts: chat IDs of those that stay, because they were changed meanwhile.
  return { ids, conflicts: [...staying], removedBefore };
}

type FoundEntry = Pick<EntryRow, 'row' | 'list' | 'entry_id' | 'chat_id' | 'account'>;

/** @throws {OperatorError} */
function refuseNotHijacked(entries: readonly FoundEntry[]): void {
  const own = entries.filter(({ account }) => account === 'own').map(({ chat_id }) => chat_id);
  if (own.length === 0) return;
  const reasons = REMOVAL_REASONS.filter((code) => code !== 'recovered').join(', ');
  const problem = `not hijacked: ${joinSome(own)}; "recovered" is for hijacked accounts, others have ${reasons}`;
  throw new OperatorError('invalid', `${problem}; nothing was removed`);
}

function resolveIdentifiers(db: Database, list: ListKind, identifiers: readonly string[]) {
  const key = readRemovedKey(db.path);
  const found = new Map<number, FoundEntry>();
  const removedBefore: string[] = [];
  const unknown: string[] = [];
  for (const identifier of identifiers) {
    const entry = findEntryRow(db, list, identifier);
    if (entry) {
      const { row, entry_id, chat_id, account } = entry;
      found.set(row, { row, list, entry_id, chat_id, account });
    } else (listTombstones(db, key, list, identifier).length > 0 ? removedBefore : unknown).push(identifier);
  }
  const [first] = unknown;
  if (first !== undefined && unknown.length === 1) throw notFoundError(db, list, first);
  if (first !== undefined) {
    const lines = unknown.slice(0, UNKNOWN_LISTED).map((name) => `${list} has no entry with the ID ${name}`);
    const more = unknown.length - lines.length;
    const said = [...lines, ...(more > 0 ? [`… and ${more} more`] : []), 'nothing was removed'];
    throw new OperatorError('not_found', said.join('\n'));
  }
  return { entries: [...found.values()], removedBefore };
}

/** @returns the entries that stay, because they were changed meanwhile, and the number of those that were looked at */
export async function removeInSteps(
  db: Database,
  targets: readonly RemovalTarget[],
  { attempt = async (step) => step(), signal, onStep, ...options }: StepOptions,
): Promise<{ readonly conflicts: readonly RemovalTarget[]; readonly count: number }> {
  // Neighbours share pages, so that a step writes fewer.
  const sorted = targets.toSorted((one, other) => one.row - other.row);
  const conflicts: RemovalTarget[] = [];
  let count = 0;
  for (let size = STEP_MIN; count < sorted.length && !signal.aborted;) {
    const step = sorted.slice(count, count + size);
    const startedAt = performance.now();
    conflicts.push(...(await attempt(() => removeEntries(db, step, options))));
    const share = STEP_MS / (performance.now() - startedAt);
    size = Math.max(STEP_MIN, Math.ceil(size * Math.min(2, share)));
    count += step.length;
    onStep(count);
    // Also takes signals, which wait while this thread works.
    await setTimeout(count < sorted.length ? PAUSE_MS : 0);
  }
  return { conflicts, count };
}

/** In one transaction. @returns the entries that stay, because they were changed meanwhile */
export function removeEntries(
  db: Database,
  targets: readonly RemovalTarget[],
  { by, origin }: RemoveOptions = {},
): RemovalTarget[] {
  db.connection.exec(CREATE);
  const stage = db.statement(STAGE);
  const key = readRemovedKey(db.path) ?? db.write(makeRemovedKey);
  db.read(() => {
    for (const { comparedAtSeq: compared_at_seq = null, ...entry } of targets) {
      const before = origin && findEntryRemoval(db, entry.entry_id);
      const isWithdrawn = origin === undefined || before !== undefined;
      stage.run({
        ...entry,
        compared_at_seq,
        removed_at: before?.at ?? entry.at,
        reason_code: before?.reason_code ?? entry.reason_code,
        id_hash: key && isWithdrawn ? hashRemovedId(key, entry.list, entry.chat_id) : null,
        is_withdrawn: Number(isWithdrawn),
      });
    }
  });
  const stale = db.write((tx) => {
    const parameters = { by: by ?? null, origin: origin ?? null, ...readLogHead(tx) };
    const rows = tx.statement<number>(STALE).pluck().all(parameters);
    for (const statement of STATEMENTS) tx.statement(statement).run(parameters);
    return new Set(rows);
  });
  return targets.filter(({ row }) => stale.has(row));
}

// Kysely does not know temporary tables.
const CREATE = `PRAGMA cache_size = -${CACHE_KIB};
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
  DROP TABLE IF EXISTS temp.targets;
  CREATE TEMP TABLE targets (
    place INTEGER PRIMARY KEY, row UNIQUE, list, entry_id, chat_id, at, compared_at_seq, removed_at, reason_code, id_hash, is_withdrawn
  )`;
const STAGE = `INSERT OR IGNORE INTO temp.targets
    (row, list, entry_id, chat_id, at, compared_at_seq, removed_at, reason_code, id_hash, is_withdrawn)
  VALUES (@row, @list, @entry_id, @chat_id, @at, @compared_at_seq, @removed_at, @reason_code, @id_hash, @is_withdrawn)`;
const STALE = `DELETE FROM temp.targets AS one
  WHERE NOT EXISTS (SELECT 1 FROM entries WHERE row = one.row AND chat_id = one.chat_id)
    OR EXISTS (SELECT 1 FROM changes WHERE entry_id = one.entry_id AND seq > one.compared_at_seq)
    OR (@origin = 'undo' AND row IN (SELECT row FROM entry_notes))
  RETURNING row`;

/** In this order. */
const STATEMENTS: readonly string[] = [
  `INSERT OR REPLACE INTO tombstones (entry_id, report_id, list, removed_at, reason_code, id_hash)
    SELECT targets.entry_id, report_id, targets.list, removed_at, reason_code, id_hash
    FROM temp.targets JOIN entries USING (row) ORDER BY place`,
  "INSERT INTO changes (at, op, list, entry_id) SELECT at, 'removed', list, entry_id FROM temp.targets ORDER BY place",
  `INSERT INTO change_notes (seq, by, fields, how)
    SELECT seq, @by, NULL, @origin FROM changes WHERE seq > @seq AND (@by IS NOT NULL OR @origin IS NOT NULL)`,
  `INSERT OR REPLACE INTO removals (at, list, entry_id, what, reason_code, history, change)
    SELECT removed_at, targets.list, entry_id, 'entry', reason_code, @logId, changes.seq
    FROM temp.targets JOIN changes USING (entry_id) WHERE is_withdrawn AND changes.seq > @seq ORDER BY place`,
  countsUpsert(`SELECT removed_at AS at, iif(@origin IS NULL, 'removed', 'added') AS what, 0 AS days, iif(@origin IS NULL, 1, -1) AS count
      FROM temp.targets
    -- 1 says that it was opened before, so that it counts as decided below.
    UNION ALL SELECT removed_at, 'granted', row IN (SELECT row FROM appeals WHERE decided_at IS NULL), 1
      FROM temp.targets WHERE @origin IS NULL AND reason_code = 'appeal'
    UNION ALL SELECT removed_at, 'decided', ${daysToDecide('removed_at')}, 1
      FROM temp.targets JOIN appeals USING (row) WHERE @origin IS NULL AND decided_at IS NULL`),
  'DELETE FROM proof_changes WHERE entry_id IN (SELECT entry_id FROM temp.targets)',
  // The foreign keys delete texts, proofs, former names and the published row.
  'DELETE FROM entries WHERE row IN (SELECT row FROM temp.targets)',
  // Temporary rows must not stay on the disk as long as the connection.
  'DROP TABLE temp.targets',
];
