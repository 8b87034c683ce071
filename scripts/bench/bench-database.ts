/** The databases of the benchmark: made once for each size, kept between runs. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REASON_MAX } from '#src/entries/import-record.ts';
import { openOperatorDatabase } from '../operator/operator-database.ts';
import { seedDatabase } from '../operator/seed-database.ts';
import { sampleRecords } from '../sample/sample-records.ts';
import { runVerb, runWorkerUntilFollowed } from './processes.ts';

const FOLDER = join(import.meta.dirname, '../../data/bench');
/** Raised when what is made changes; older databases are made anew. */
const VERSION = '5';
const SEED = 1;
const PARAGRAPH = '\n\n';

/**
 * @param hasLongReasons each as long as one may be
 * @returns path of a database whose scammers list has this many entries
 */
export async function getBenchDatabase(entries: number, hasLongReasons = false): Promise<string> {
  const folder = join(FOLDER, `${entries}${hasLongReasons ? '-long' : ''}`);
  const path = join(folder, 'czujka.db');
  const stamp = join(folder, '.version');
  const isThere = existsSync(stamp) && readFileSync(stamp, 'utf8') === VERSION;
  if (!isThere) {
    rmSync(folder, { recursive: true, force: true });
    process.stderr.write(`Making a database of ${entries} entries …\n`);
    if (hasLongReasons) await importLong(folder, path, entries);
    else await seed(path, entries);
  }
  // Schema and read model may be of older code.
  (await openOperatorDatabase(path)).close();
  await runWorkerUntilFollowed(path);
  writeFileSync(stamp, VERSION);
  return path;
}

async function seed(path: string, entries: number): Promise<void> {
  const db = await openOperatorDatabase(path);
  try {
    await seedDatabase(db, { count: entries, seed: SEED, list: 'scammers', now: Date.now() });
    db.connection.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

async function importLong(folder: string, path: string, entries: number): Promise<void> {
  const lines = Array.from(sampleRecords('scammers', { count: entries, seed: SEED }), (record) => {
    const times = Math.ceil(REASON_MAX / (record.reason.length + PARAGRAPH.length));
    const reason = Array.from({ length: times }, () => record.reason)
      .join(PARAGRAPH)
      .slice(0, REASON_MAX);
    return JSON.stringify({ ...record, reason, proofs: undefined });
  });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'long.ndjson');
  writeFileSync(file, `${lines.join('\n')}\n`);
  await runVerb(path, ['import', file, '--list', 'scammers']);
  rmSync(file);
}
