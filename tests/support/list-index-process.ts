/**
 * Brings list indexes up to date, says so, and does it again for every line of its input.
 * Usage: node list-index-process.ts <database>
 */
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDatabase } from '#src/db/database.ts';
import { INDEX_FOLDER } from '#src/entries/list-indexes/index-files.ts';
import { createListIndexWriter } from '#src/entries/list-indexes/index-writer.ts';

const [path = ''] = process.argv.slice(2);
const db = openDatabase(path, 'write');
const writer = createListIndexWriter(db, join(dirname(path), INDEX_FOLDER));
const { signal } = new AbortController();
process.stdout.write('ready\n');
for await (const _line of createInterface({ input: process.stdin })) {
  await writer.refresh((change) => db.write(change), signal);
  await writer.tidy((change) => db.write(change), signal);
  process.stdout.write('done\n');
}
