import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase, type Transaction } from '#src/db/database.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';

it('makes files that only their owner may read', () => {
  const path = join(makeFolder(), 'new/czujka.db');
  using db = openDatabase(path, 'write');
  db.connection.exec('CREATE TABLE notes (text TEXT) STRICT');
  const modes = ['', '-wal', '-shm'].map((suffix) => statSync(path + suffix).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600]);
});

it('gives a transaction only to what runs in one', async () => {
  const db = await makeDatabase();
  const isWriting = (tx: Transaction): boolean => tx.connection.inTransaction;
  expect(db.write(isWriting)).toBe(true);
  // @ts-expect-error: the database itself may be outside of a transaction
  expect(isWriting(db)).toBe(false);
});
