/** Books the batches of views that the web process left (count-views.ts); each of them once. Runs in the worker. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';

/** Counts how often `popular` got a new order: what is made of that order follows it. */
const POPULARITY_PROPERTY = 'popularity';
const BOOKED_AT_PROPERTY = 'views_booked_at';
/** The order of `popular` changes at most this often; somewhat less, for schedules are not exact. */
const PAUSE_MS = 55_000;
const BATCHES_MAX = 1_000;

const batchForm = z.record(z.string(), z.number().int().min(1));

export interface Booking {
  readonly batches: number;
  readonly views: number;
}

/**
 * @param write runs a transaction
 * @param now epoch milliseconds
 */
export function applyViewCounts(
  db: Database,
  write: (change: () => void) => void,
  folder: string,
  now: number,
): Booking {
  forgetBooked(db, write, folder);
  const sinceMs = now - Number(findProperty(db, BOOKED_AT_PROPERTY) ?? 0);
  // A clock that was set back must not stop the booking.
  if (!existsSync(folder) || (sinceMs >= 0 && sinceMs < PAUSE_MS)) return { batches: 0, views: 0 };
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .slice(0, BATCHES_MAX);
  if (names.length === 0) return { batches: 0, views: 0 };
  const counts = new Map<string, number>();
  let views = 0;
  for (const name of names) {
    for (const [entryId, count] of Object.entries(readBatch(join(folder, name)))) {
      counts.set(entryId, (counts.get(entryId) ?? 0) + count);
      views += count;
    }
  }
  write(() => {
    for (const name of names) db.statement('INSERT INTO view_batches (name) VALUES (?)').run(name);
    for (const [entryId, count] of counts) {
      db.statement('UPDATE entries SET views = views + ? WHERE entry_id = ?').run(count, entryId);
    }
    setProperty(db, POPULARITY_PROPERTY, Number(findProperty(db, POPULARITY_PROPERTY) ?? 0) + 1);
    setProperty(db, BOOKED_AT_PROPERTY, now);
  });
  forgetBooked(db, write, folder);
  return { batches: names.length, views };
}

/** Removes the files of booked batches, and only then the note that they are booked. */
function forgetBooked(db: Database, write: (change: () => void) => void, folder: string): void {
  const booked = db.statement<{ name: string }>('SELECT name FROM view_batches').all();
  if (booked.length === 0) return;
  for (const { name } of booked) rmSync(join(folder, name), { force: true });
  write(() => {
    db.statement('DELETE FROM view_batches').run();
  });
}

/** Empty when the file is not what the web process writes: a power cut may have cut it off. */
function readBatch(path: string): Record<string, number> {
  try {
    return batchForm.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
}

/** Another one after each new order of `popular`. */
export function readPopularity(db: Database): string {
  return findProperty(db, POPULARITY_PROPERTY) ?? '0';
}
