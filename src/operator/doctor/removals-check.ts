/** Checks what was removed: the database, the file and the key beside it agree. They change nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readLogHead } from '../../changes/change-log.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { readRemovedFile, REMOVED_FILE, RemovedFileError, removedPath } from '../../removals/removed-file.ts';
import { describeLostKey, lacksRemovedKey, removedKeyPath } from '../../removals/removed-key.ts';
import type { RemovalEvent } from '../../removals/removals.ts';
import { wrong, type Found } from './finding.ts';

/** Finds an earlier state that was put in the place of the database. */
export function checkRemovals(db: Database): Found[] {
  const file = removedPath(db.path);
  const { logId, seq } = readLogHead(db);
  const { events = [] } = readEvents(file);
  if (!events.some((removal) => removal.logId === logId && removal.change > seq)) return [];
  const says = `is older than ${file}: somebody put an earlier state in its place, and removed entries are back`;
  const todo = 'take them out again: czujka backup NEW-FOLDER && czujka restore NEW-FOLDER --yes';
  return [wrong(says, todo)];
}

function readEvents(file: string): { events?: readonly RemovalEvent[]; damage?: RemovedFileError } {
  try {
    return { events: existsSync(file) ? readRemovedFile(file) : [] };
  } catch (error) {
    if (error instanceof RemovedFileError) return { damage: error };
    throw error;
  }
}

/** A damaged line costs nothing: a copy of the file lies beside the backups, and the database knows its removals. */
export function checkRemovedFile({ databasePath, backups }: Config): Found[] {
  const file = removedPath(databasePath);
  const { damage } = readEvents(file);
  if (!damage) return [];
  const copy = backups && join(backups.folder, REMOVED_FILE);
  const isCopied = copy !== undefined && (readEvents(copy).events ?? []).length > 0;
  const mend = isCopied ? `cp -p ${copy} ${file}` : `sed -i ${damage.line}d ${file}`;
  const todo =
    `the database is well. Mend the file, as the user of the service: cp -p ${file} ${file}.damaged && ${mend}; ` +
    'within an hour the worker adds what the database knows';
  return [wrong(`${damage.message}, so that none is noted there`, todo)];
}

export function checkRemovedKey(db: Database): Found[] {
  if (!lacksRemovedKey(db)) return [];
  const path = removedKeyPath(db.path);
  const todo =
    `put it back from where .env is kept. Only where it is lost for good, as the user of the service: ` +
    `(umask 077; head -c 32 /dev/urandom | sha256sum | cut -c -64 > ${path}); that recognizes IDs that are removed from then on`;
  return [wrong(describeLostKey(db.path), todo)];
}
