/** The thread in which keep-entry-file.ts makes a file: reading a million entries takes seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../db/database.ts';
import { entryFilePath, writeEntryFile } from './entry-file.ts';

const { databasePath } = workerData as { databasePath: string };
const db = openDatabase(databasePath, 'read');
try {
  parentPort?.postMessage(writeEntryFile(db, entryFilePath(databasePath)));
} finally {
  db.close();
}
