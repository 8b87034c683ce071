/** The thread in which src/entries/keep-name-index.ts makes a file: sorting a million names takes seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../db/database.ts';
import { collectNames } from './collect-names.ts';
import { nameIndexPath, writeNameIndex } from './name-index-file.ts';
import { makeNameIndexParts } from './name-index.ts';

const { databasePath } = workerData as { databasePath: string };
const db = openDatabase(databasePath, 'read');
try {
  const { table, keys, moment } = collectNames(db);
  // Outside of the transaction, which should not last that long.
  const names = { ...makeNameIndexParts(table), keys };
  parentPort?.postMessage(writeNameIndex(nameIndexPath(databasePath), names, moment));
} finally {
  db.close();
}
