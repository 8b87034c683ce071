/**
 * Removes entries, adds them again and writes `removed.ndjson` after each, until it is killed. It prints `ready` when
 * the file is there. Usage: node removal-process.ts <database> <seed>
 */
import { openDatabase } from '#src/db/database.ts';
import { updateRemovedFile } from '#src/removals/removed-file.ts';
import { Random } from '../../scripts/sample/random.ts';
import { removeEntry } from './change-log.ts';
import { importRecords, makeRecord } from './make-entries.ts';

const READY_ROUND = 20;

const [path = '', seed = ''] = process.argv.slice(2);
const random = new Random(Number(seed));
const db = openDatabase(path, 'write');

for (let round = 0; ; round += 1) {
  if (round === READY_ROUND) process.stdout.write('ready\n');
  const id = String(100 + random.below(8));
  // With its report number, an entry that is added again is the same one.
  if (!removeEntry(db, 'scammers', id, 'request', Date.now()))
    await importRecords(db, 'scammers', [makeRecord({ id, reportId: `R-${id}` })]);
  updateRemovedFile(db);
}
