import { expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { limitWalSize } from '#src/db/truncate-wal.ts';
import { parseConfig } from '#src/config.ts';
import { checkRoom } from '#src/operator/doctor/disk-check.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const SAYS = /-wal has grown to \d+ MB, because something reads the database without a pause/;

it('a log that cannot be emptied is a problem for doctor when it has become long, and is short again when nothing reads any more', async () => {
  const db = await makeDatabase();
  const config = parseConfig({ DATABASE_PATH: db.path });
  const saysDoctor = () => checkRoom(config).find(({ says }) => SAYS.test(says))?.state;
  const reader = openDatabase(db.path, 'read');
  reader.connection.exec('BEGIN');
  reader.statement('SELECT count(*) FROM entries').get();
  db.connection.exec('CREATE TABLE notes (text BLOB); INSERT INTO notes VALUES (zeroblob(1000000))');
  limitWalSize(db);
  expect(saysDoctor()).toBeUndefined();

  db.connection.exec('INSERT INTO notes VALUES (zeroblob(70000000))');
  expect(() => limitWalSize(db)).toThrow(SAYS);
  expect(saysDoctor()).toBe('wrong');

  reader.close();
  limitWalSize(db);
  expect(saysDoctor()).toBeUndefined();
});
