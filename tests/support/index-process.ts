/**
 * A worker at work: it keeps sorted lists and full text, and imports, removes and erases beside that.
 * Prints `ready`, begins when it reads a line, and goes on until it is killed.
 * Usage: node lists-process.ts <database> <seed>
 */
import { once } from 'node:events';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { createIndexUpdater } from '#src/lists/update-list-indexes.ts';
import { createSearchUpdater } from '#src/search/update-search-file.ts';
import { eraseRemoved } from '#src/worker/erase-removed.ts';
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
  if (random.chance(0.7)) {
    const records = Array.from({ length: 1 + random.below(40) }, () => record(list));
    const byId = new Map(records.map((one) => [one.id, one]));
    await importRecords(db, list, byId.values());
    return;
  }
  if (random.chance(0.5)) {
    db.write(() => {
      db.statement('UPDATE entries SET views = views + 1 WHERE row % 7 = ?').run(random.below(7));
      db.statement("INSERT OR REPLACE INTO properties (key, value) VALUES ('popularity', ?)").run(
        String(random.below(1e9)),
      );
    });
    return;
  }
  const newest = 'SELECT chat_id FROM entries WHERE list = ? ORDER BY row DESC LIMIT 1';
  const chatId = db.statement(newest).pluck().get(list) as string | undefined;
  if (chatId !== undefined) removeEntry(db, list, chatId, 'other', NOW);
  if (random.chance(0.3)) await eraseRemoved(db, dirname(path));
}

process.stdout.write('ready\n');
await once(process.stdin, 'data');
async function follow(): Promise<void> {
  for (;;) {
    await indexes.follow();
    await search.follow();
    await setTimeout(2);
  }
}
void follow().catch((error: Error) => process.stdout.write(`failed: ${error.stack}\n`));
for (;;) {
  await change();
  await setTimeout(1);
}
