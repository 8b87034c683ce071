/** The databases of the benchmark: made once for each size, kept between runs. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openOperatorDatabase } from '../operator/operator-database.ts';
import { seedDatabase } from '../operator/seed-database.ts';
import { runWorkerUntilIdle } from './processes.ts';

const FOLDER = join(import.meta.dirname, '../../data/bench');
/** Raised when what is made changes; older databases are made anew. */
const VERSION = '4';
const SEED = 1;

/** @returns path of a database whose scammers list has this many entries */
export async function getBenchDatabase(entries: number): Promise<string> {
  const folder = join(FOLDER, String(entries));
  const path = join(folder, 'czujka.db');
  const stamp = join(folder, '.version');
  const isThere = existsSync(stamp) && readFileSync(stamp, 'utf8') === VERSION;
  if (!isThere) {
    rmSync(folder, { recursive: true, force: true });
    process.stderr.write(`Making a database of ${entries} entries …\n`);
    const db = await openOperatorDatabase(path);
    try {
      await seedDatabase(db, { count: entries, seed: SEED, list: 'scammers', now: Date.now() });
      db.connection.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      db.close();
    }
  }
  // The read model may be of older code.
  await runWorkerUntilIdle(path);
  writeFileSync(stamp, VERSION);
  return path;
}
