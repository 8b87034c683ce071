/**
 * Imports numbered records into the scammers and ends itself with SIGKILL in the midst of the transaction that makes them
 * count. Usage: node import-process.ts <database> <last number> <moment>, where the moment is `never`, or `entries N`,
 * `published N` or `changes N`: that table gets its N-th row.
 */
import { openDatabase } from '#src/db/database.ts';
import { numberedRecords, stageImport } from './stage-import.ts';

const [path = '', last = '', moment = ''] = process.argv.slice(2);
const [place = '', number = ''] = moment.split(' ');
const db = openDatabase(path, 'write');
const records = numberedRecords(1, Number(last), (number) => ({
  name: `inny ${(number * 31) % 997} ${number}`,
  reason: `Inny powód ${number}.`,
}));
const commit = await stageImport(db, 'scammers', records);
if (place !== 'never') {
  let rows = 0;
  db.connection.function('count_row', () => {
    rows += 1;
    if (rows === Number(number)) process.kill(process.pid, 'SIGKILL');
    return rows;
  });
  db.connection.exec(`CREATE TEMP TRIGGER counted AFTER INSERT ON ${place} BEGIN SELECT count_row(); END`);
}
process.stdout.write('staged\n');
commit();
