/** `removed.key` hashes removed chat IDs, by which an import recognizes them. It is in no backup. */
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { besideDatabase } from '../data-files.ts';
import { sqlBuilder, type Database, type Transaction } from '../db/database.ts';
import { writeFileAtomic } from '../db/write-file-atomic.ts';

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}\n$/;

export function removedKeyPath(databasePath: string): string {
  return besideDatabase(databasePath, 'removed.key');
}

export function readRemovedKey(databasePath: string): Buffer | undefined {
  const path = removedKeyPath(databasePath);
  const text = existsSync(path) ? readFileSync(path, 'latin1') : '';
  return KEY.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/**
 * Makes a missing file, unless IDs are hashed by a lost one: a new key would hide that they are not recognized.
 * @param tx keeps others from making it, too @returns undefined when the file is lost or malformed
 */
export function makeRemovedKey(tx: Transaction): Buffer | undefined {
  const path = removedKeyPath(tx.path);
  if (!existsSync(path) && !lacksRemovedKey(tx))
    writeFileAtomic(path, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
  return readRemovedKey(tx.path);
}

/** Without the key, removed IDs cannot be recognized. */
export function lacksRemovedKey(db: Database): boolean {
  if (readRemovedKey(db.path) !== undefined) return false;
  return existsSync(removedKeyPath(db.path)) || db.first(HASHED) !== undefined;
}

export function describeLostKey(databasePath: string): string {
  const says = 'is missing, or is no key: removed IDs are not known again, neither earlier ones nor new ones';
  return `${removedKeyPath(databasePath)} ${says}`;
}

const HASHED = sqlBuilder
  .selectFrom('tombstones')
  .select('id_hash')
  .where('id_hash', 'is not', null)
  .limit(1)
  .compile();

export function hashRemovedId(key: Buffer, list: string, chatId: string): string {
  return createHmac('sha256', key).update(`${list} ${chatId}`).digest('hex');
}
