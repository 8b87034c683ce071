import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { makeFolder } from '../../support/temporary-database.ts';

it('makes files that only their owner may read', () => {
  const path = join(makeFolder(), 'new/czujka.db');
  const db = openDatabase(path, 'write');
  db.connection.exec('CREATE TABLE notes (text TEXT) STRICT');
  const modes = ['', '-wal', '-shm'].map((suffix) => statSync(path + suffix).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600]);
  db.close();
});
