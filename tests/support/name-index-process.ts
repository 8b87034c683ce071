/**
 * Keeps the name index of a database as the worker does, and makes it anew each time, until it is killed.
 * Usage: node name-index-process.ts <database>
 */
import { rmSync } from 'node:fs';
import { openDatabase } from '#src/db/database.ts';
import { keepNameIndex } from '#src/entries/keep-name-index.ts';
import { nameIndexPath } from '#src/entries/name-index-file.ts';
import { createLog } from '#src/log.ts';

const [path = ''] = process.argv.slice(2);
const db = openDatabase(path, 'write');
const { signal } = new AbortController();
const keep = (): Promise<object> => keepNameIndex({ db, signal, erasedTo: undefined, now: Date.now() });

await keep();
createLog('worker').info('keeping');
for (;;) {
  await keep();
  rmSync(nameIndexPath(path));
}
