/** `removed.key` hashes removed chat IDs, by which an import recognizes them. It is in no backup. */
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Transaction } from '../db/database.ts';
import { writeFileAtomic } from '../db/write-file-atomic.ts';

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}\n$/;

export function removedKeyPath(databasePath: string): string {
  return join(dirname(databasePath), 'removed.key');
}

export function readRemovedKey(databasePath: string): Buffer | undefined {
  const path = removedKeyPath(databasePath);
  const text = existsSync(path) ? readFileSync(path, 'latin1') : '';
  return KEY.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/** Makes a missing file. @param tx keeps others from making it, too. @returns undefined when the file is malformed */
export function makeRemovedKey({ path: databasePath }: Transaction): Buffer | undefined {
  const path = removedKeyPath(databasePath);
  if (!existsSync(path)) writeFileAtomic(path, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
  return readRemovedKey(databasePath);
}

export function hashRemovedId(key: Buffer, list: string, chatId: string): string {
  return createHmac('sha256', key).update(`${list} ${chatId}`).digest('hex');
}
