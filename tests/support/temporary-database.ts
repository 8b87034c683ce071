/** A real, migrated SQLite file in a folder of its own; it lasts as long as the test run. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openDatabase, type Database } from '#src/db/database.ts';
import { migrateDatabase } from '#src/db/migrate.ts';

export function makeFolder(): string {
  return mkdtempSync(join(inject('temporaryRoot'), 'folder-'));
}

/** A handle for writing; it is closed with the worker that runs the test file. */
export async function makeDatabase(folder = makeFolder()): Promise<Database> {
  const db = openDatabase(join(folder, 'czujka.db'), 'write');
  await migrateDatabase(db);
  return db;
}
