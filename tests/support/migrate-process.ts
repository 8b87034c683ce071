/**
 * Migrates a database in a process of its own, which kills itself when a migration asks for `checkpoint(<number>)`.
 * Usage: node migrate-process.ts <database> <folder of migrations> [<number>]
 */
import { openDatabase } from '#src/db/database.ts';
import { migrateDatabase } from '#src/db/migrate.ts';

const [path = '', folder, killAt] = process.argv.slice(2);
const db = openDatabase(path, 'write');
db.connection.function('checkpoint', (number) => {
  if (number === Number(killAt ?? -1)) process.kill(process.pid, 'SIGKILL');
  return Number(number);
});
const applied = await migrateDatabase(db, folder);
db.close();
process.stdout.write(JSON.stringify(applied));
