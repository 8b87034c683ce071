/**
 * A worker that keeps sorted lists and full text, and imports, removes and erases beside that, until it is killed. It
 * prints `ready` before it begins. Usage: node index-process.ts <database> <seed>
 */
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { createIndexUpdater } from '#src/lists/update-list-indexes.ts';
import { createSearchUpdater, orderNewSearchFile } from '#src/search/update-search-file.ts';
import { eraseRemoved } from '#src/removals/erase-removed.ts';
import { removeEntry } from './change-log.ts';
import { Random } from '../../scripts/sample/random.ts';
import { importRecords, NOW } from './make-entries.ts';

const [path = '', seed = ''] = process.argv.slice(2);
const random = new Random(Number(seed));
const db = openDatabase(path, 'write');
const other = openDatabase(path, 'write');
const [indexes, search] = [createIndexUpdater(other), createSearchUpdater(other)];

const record = (list: string) => {
  const number = random.below(700);
  return {
    id: `${LIST_KINDS.findIndex((known) => known === list)}00${number}`,
    name: `nick ${random.below(50)} ${'żółw konto ł'.slice(0, random.below(12))}`.trim(),
    reason: `Powód ${random.below(1_000)}. ${'słowa i słowa '.repeat(random.below(90))}`,
    verified: list === 'legit' || random.chance(0.5),
    reportedAt: NOW - random.below(50) * 1_000,
    views: random.below(9),
  };
};

async function change(): Promise<void> {
  const list = random.pick(LIST_KINDS);
  if (random.chance(0.8)) {
    const records = Array.from({ length: 1 + random.below(40) }, () => record(list));
    return importRecords(db, list, new Map(records.map((one) => [one.id, one])).values());
  }
  const newest = db
    .statement<string>('SELECT chat_id FROM entries WHERE list = ? ORDER BY row DESC')
    .pluck()
    .get(list);
  if (newest !== undefined) removeEntry(db, list, newest, 'other', NOW);
  if (random.chance(0.3)) await eraseRemoved(db, dirname(path));
}

async function follow(): Promise<never> {
  for (;;) {
    await indexes.follow();
    await search.follow();
    if (random.chance(0.2)) orderNewSearchFile(other);
    await setTimeout(2);
  }
}

process.stdout.write('ready\n');
void follow();
for (;;) {
  await change();
  await setTimeout(1);
}
