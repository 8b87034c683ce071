/**
 * Imports numbered records into the scammers and ends itself with SIGKILL at one of the moments at which others get
 * their turn. Usage: node import-process.ts <database> <last number> <turn>
 */
import { createGiveWay } from '#src/db/give-way.ts';
import { openDatabase } from '#src/db/database.ts';
import { numberedRecords, stageImport } from './stage-import.ts';

const [path = '', last = '', turnKilled = ''] = process.argv.slice(2);
const db = openDatabase(path, 'write');
const giveWay = createGiveWay();
let turn = 0;
const records = numberedRecords(1, Number(last), (number) => ({
  name: `inny ${(number * 31) % 997} ${number}`,
}));
const commit = await stageImport(db, 'scammers', records, (heldMs) => {
  if (turn === Number(turnKilled)) process.kill(process.pid, 'SIGKILL');
  turn += 1;
  giveWay(heldMs);
});
process.stdout.write('staged\n');
commit();
