/**
 * Keeps the entry file of a database as the worker does, and makes it anew each time, until it is killed.
 * Usage: node entry-file-process.ts <database>
 */
import { rmSync } from 'node:fs';
import { openDatabase } from '#src/db/database.ts';
import { entryFilePath } from '#src/entries/entry-file/entry-file.ts';
import { keepEntryFile } from '#src/entries/entry-file/keep-entry-file.ts';
import { createLog } from '#src/log.ts';

const [path = ''] = process.argv.slice(2);
const db = openDatabase(path, 'write');
const { signal } = new AbortController();
const keep = (): Promise<object> => keepEntryFile({ db, signal, erasedTo: undefined, now: Date.now() });

await keep();
createLog('worker').info('keeping');
for (;;) {
  await keep();
  rmSync(entryFilePath(path));
}
