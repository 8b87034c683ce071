/** A real, migrated SQLite file in a folder of its own, gone after the test file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { migrateDatabase } from '#src/db/migrate.ts';

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A handle for writing; it is closed after the test file. */
export async function makeDatabase(folder = makeFolder()): Promise<Database> {
  const db = openDatabase(join(folder, 'czujka.db'), 'write');
  await migrateDatabase(db);
  afterAll(() => db.close());
  return db;
}
