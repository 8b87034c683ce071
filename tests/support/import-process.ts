/**
 * Imports numbered records into the scammers and ends itself with SIGKILL, in the midst of the transaction that makes
 * them count or when others get their turn. Usage: node import-process.ts <database> <last number> <moment>, where
 * the moment is one of `never`, `entries N` and `changes N` (that table gets its N-th row), and `turn N`.
 */
import { createYieldLock } from '#src/db/yield-write-lock.ts';
import { openDatabase } from '#src/db/database.ts';
import { numberedRecords, stageImport } from './stage-import.ts';

const [path = '', last = '', moment = ''] = process.argv.slice(2);
const [place = '', number = ''] = moment.split(' ');
const die = (): void => void process.kill(process.pid, 'SIGKILL');
const db = openDatabase(path, 'write');
const yieldLock = createYieldLock();
let turn = 0;
const records = numberedRecords(1, Number(last), (number) => ({
  name: `inny ${(number * 31) % 997} ${number}`,
  reason: `Inny powód ${number}.`,
}));
const commit = await stageImport(db, 'scammers', records, (heldMs) => {
  if (place === 'turn' && turn === Number(number)) die();
  turn += 1;
  yieldLock(heldMs);
});
if (place === 'entries' || place === 'changes') {
  let rows = 0;
  db.connection.function('count_row', () => {
    rows += 1;
    if (rows === Number(number)) die();
    return rows;
  });
  db.connection.exec(`CREATE TEMP TRIGGER counted AFTER INSERT ON ${place} BEGIN SELECT count_row(); END`);
}
process.stdout.write('staged\n');
commit();
