/**
 * A file of hash prefixes with which clients look for an ID without telling anybody which: the first 4 bytes of the
 * SHA-256 of each public entry's chat ID, ascending, each once. Before them stands a line with the cursor, which is not
 * served.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { listChangedEntries, readLogHead, type LogHead, formatCursor } from '../../changes/change-log.ts';
import { paramList, type Database } from '../../db/database.ts';
import { writeFileAtomic } from '../../db/write-file-atomic.ts';
import { publicEntries } from '../public-entry.ts';
import { PUBLIC_MODE, snapshotsFolder } from './manifest.ts';

export const PREFIXES_FILE = 'prefixes';
const PREFIX_BYTES = 4;
/** Writing takes 30 ms at 100,000 entries. */
const WRITTEN_EVERY_MS = 1_000;

const shown = publicEntries.select(['entries.entry_id as entryId', 'entries.chat_id as chatId']);
const ALL = shown.compile();
const CHANGED = shown.where('entries.entry_id', 'in', paramList('entryIds')).compile();

export type PrefixPublisher = ReturnType<typeof createPrefixPublisher>;

/** Remembers the prefix of each entry, so that a change costs one hash. */
export function createPrefixPublisher(db: Database) {
  const folder = snapshotsFolder(db.path);
  const path = join(folder, PREFIXES_FILE);
  const prefixes = new Map<string, number>();
  let reached: LogHead | undefined;
  let writtenAt = -Infinity;

  const catchUp = (head: LogHead): void => {
    if (reached?.logId !== head.logId || reached.seq > head.seq) prefixes.clear();
    const changed = prefixes.size > 0 && reached ? listChangedEntries(db, reached.seq, head.seq) : undefined;
    for (const entryId of changed ?? []) prefixes.delete(entryId);
    const found = changed ? db.all(CHANGED, { entryIds: JSON.stringify(changed) }) : db.all(ALL);
    for (const { entryId, chatId } of found)
      prefixes.set(entryId, hash('sha256', chatId, 'buffer').readUInt32BE());
    reached = head;
  };

  return {
    /** @returns whether a file was written */
    async publish(signal?: AbortSignal): Promise<boolean> {
      const waitMs = writtenAt + WRITTEN_EVERY_MS - performance.now();
      if (waitMs > 0) await setTimeout(waitMs, undefined, signal && { signal });
      const head = readLogHead(db);
      if (reached?.logId === head.logId && reached.seq === head.seq && existsSync(path)) return false;
      db.read(() => catchUp(head));
      const sorted = Uint32Array.from(new Set(prefixes.values())).sort();
      const file = Buffer.alloc(sorted.length * PREFIX_BYTES);
      for (const [at, prefix] of sorted.entries()) file.writeUInt32BE(prefix, at * PREFIX_BYTES);
      mkdirSync(folder, { recursive: true });
      const cursor = Buffer.from(`${formatCursor(head)}\n`);
      writeFileAtomic(path, Buffer.concat([cursor, file]), PUBLIC_MODE);
      writtenAt = performance.now();
      return true;
    },
  };
}
