/** All names are looked at before the first entry goes, and then one step of them goes after the other. */
import { readLogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import type { ListKind } from '../entries/entry.ts';
import { findInList, getRow } from '../entries/find-rows.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import { findTombstone } from '../entries/report-numbers.ts';
import { named } from '../text/shorten.ts';
import { VerbError } from '../verb-error.ts';
import { removeInSteps, type StepOptions } from './remove-entries.ts';
import { REMOVAL_REASONS, type RemovalReason } from './removal-reasons.ts';
import { readRemovedKey } from './removed-key.ts';

interface NamedEntries {
  readonly list: ListKind;
  /** Chat IDs, report numbers or `_id`s. */
  readonly names: readonly string[];
  readonly reason: RemovalReason;
}

const UNKNOWN_LISTED = 50;

/**
 * @throws {VerbError} and removes nothing when the list never had one of the entries, or when the reason is that owners have
 * their accounts back, and one was not hijacked
 */
export async function removeNamed(
  db: Database,
  { list, names, reason: reason_code }: NamedEntries,
  options: StepOptions,
) {
  const { entries, removedBefore } = db.read(() => {
    const found = findAll(db, list, names);
    if (reason_code !== 'recovered') return found;
    refuseOwn(found.entries);
    // Set back meanwhile, it stays.
    const { seq: seen } = readLogHead(db);
    return { ...found, entries: found.entries.map((entry) => ({ ...entry, seen })) };
  });
  const at = Date.now();
  const leaving = entries.map((entry) => ({ ...entry, reason_code, at }));
  const { left, count } = await removeInSteps(db, leaving, options);
  if (count < leaving.length)
    throw new Error(`ended after ${count} of ${leaving.length} entries; run the command again to go on`);
  const staying = new Set(left.map((entry) => entry.chat_id));
  const ids = leaving.map((entry) => entry.chat_id).filter((id) => !staying.has(id));
  return {
    ids,
    /** Chat IDs of those that stay, because they were changed meanwhile. */
    left: [...staying],
    removedBefore,
  };
}

type Found = Pick<EntryRow, 'row' | 'list' | 'entry_id' | 'chat_id' | 'account'>;

/** @throws {VerbError} */
function refuseOwn(entries: readonly Found[]): void {
  const own = entries.filter(({ account }) => account === 'own').map(({ chat_id }) => chat_id);
  if (own.length === 0) return;
  const reasons = REMOVAL_REASONS.filter((code) => code !== 'recovered').join(', ');
  const problem = `not hijacked: ${named(own)}; "recovered" is for hijacked accounts, others have ${reasons}`;
  throw new VerbError('invalid', `${problem}; nothing was removed`);
}

function findAll(db: Database, list: ListKind, names: readonly string[]) {
  const key = readRemovedKey(db.path);
  const found = new Map<number, Found>();
  const removedBefore: string[] = [];
  const unknown: string[] = [];
  for (const name of names) {
    const entry = findInList(db, list, name);
    if (entry) {
      const { row, entry_id, chat_id, account } = entry;
      found.set(row, { row, list, entry_id, chat_id, account });
    } else (findTombstone(db, key, list, name) ? removedBefore : unknown).push(name);
  }
  const [first] = unknown;
  // Its message has a hint, for which it reads all nicks.
  if (first !== undefined && unknown.length === 1) getRow(db, list, first);
  if (first !== undefined) {
    const lines = unknown.slice(0, UNKNOWN_LISTED).map((name) => `${list} has no entry with the ID ${name}`);
    const more = unknown.length - lines.length;
    const said = [...lines, ...(more > 0 ? [`… and ${more} more`] : []), 'nothing was removed'];
    throw new VerbError('not_found', said.join('\n'));
  }
  return { entries: [...found.values()], removedBefore };
}
