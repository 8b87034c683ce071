/** `entry remove`: all names are looked at before the first entry goes, and then one step of them goes after the other. */
import { readRemovedKey } from '../removals/removed-key.ts';
import type { RemovalReason } from '../removals/removal-reasons.ts';
import type { Database } from '../db/database.ts';
import type { ListKind } from '../entries/entry.ts';
import { removeInSteps, type Leaving } from '../removals/remove-entries.ts';
import { findRemovedByName } from '../entries/report-numbers.ts';
import { note, type Cli } from './console/cli.ts';
import { findByName, getRow } from './entry-record.ts';
import { BadInputError, counted, named, PROBLEMS_LISTED } from './console/outcome.ts';
import { withReserve } from './console/full-disk.ts';
import { createProgressBar } from './console/progress-bar.ts';
import { untilStopped } from './console/until-stopped.ts';

/**
 * @param names chat IDs, report numbers or `_id`s; those of removed entries are noted
 * @returns chat IDs of the entries that went, and of those that stay because they were changed meanwhile
 * @throws {BadInputError} and removes nothing when the list never had one of the entries
 */
export async function removeNamed(
  cli: Cli,
  db: Database,
  list: ListKind,
  names: readonly string[],
  reason_code: RemovalReason,
): Promise<{ readonly ids: readonly string[]; readonly left: readonly string[] }> {
  const entries = findAll(cli, db, list, names);
  const at = Date.now();
  const leaving = entries.map((entry) => ({ ...entry, reason_code, at }));
  const bar = createProgressBar(leaving.length);
  const { left, count } = await untilStopped((signal) =>
    removeInSteps(db, leaving, {
      by: cli.by,
      attempt: (step) => withReserve(cli, step),
      signal,
      onStep: (done) => bar.update(done),
    }),
  );
  bar.end();
  if (count < leaving.length)
    throw new Error(`ended after ${count} of ${leaving.length} entries; run the command again to go on`);
  const staying = new Set(left.map((entry) => entry.chat_id));
  return { ids: leaving.map((entry) => entry.chat_id).filter((id) => !staying.has(id)), left: [...staying] };
}

function findAll(cli: Cli, db: Database, list: ListKind, names: readonly string[]) {
  const key = readRemovedKey(db.path);
  const found = new Map<number, Pick<Leaving, 'row' | 'list' | 'entry_id' | 'chat_id'>>();
  const removed: string[] = [];
  const unknown: string[] = [];
  db.read(() => {
    for (const name of names) {
      const entry = findByName(db, list, name);
      if (entry)
        found.set(entry.row, { row: entry.row, list, entry_id: entry.entry_id, chat_id: entry.chat_id });
      else (findRemovedByName(db, key, list, name) ? removed : unknown).push(name);
    }
  });
  const [first] = unknown;
  // Its message has a hint, for which it reads all nicks.
  if (first !== undefined && unknown.length === 1) getRow(db, list, first);
  if (first !== undefined) throw new BadInputError(describeUnknown(list, unknown));
  if (removed.length > 0)
    note(cli, `removed already: ${counted(removed.length, 'entry', 'entries')} (${named(removed)})`);
  return [...found.values()];
}

function describeUnknown(list: ListKind, names: readonly string[]): string {
  const lines = names.slice(0, PROBLEMS_LISTED).map((name) => `${list} has no entry with the ID ${name}`);
  const more = names.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : []), 'nothing was removed'].join('\n');
}
