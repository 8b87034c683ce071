/**
 * `removed.key` beside the database: the key of the hashes by which a removed chat ID is known again, so that an old file
 * does not bring it back unnoticed. No backup has it: without the key a hash does not tell its ID.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}\n$/;

export function removedKeyPath(databasePath: string): string {
  return join(dirname(databasePath), 'removed.key');
}

/** Undefined when the key is not there, or is none. */
export function readRemovedKey(databasePath: string): Buffer | undefined {
  const path = removedKeyPath(databasePath);
  const text = existsSync(path) ? readFileSync(path, 'latin1') : '';
  return KEY.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/** Makes the key where there is no file. @returns the key; undefined when the file holds none */
export function makeRemovedKey(databasePath: string): Buffer | undefined {
  const path = removedKeyPath(databasePath);
  if (!existsSync(path)) {
    const part = `${path}.${process.pid}.part`;
    writeFileSync(part, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true });
    try {
      // Unlike a rename it leaves the key that another process has made meanwhile.
      linkSync(part, path);
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error;
    } finally {
      rmSync(part);
    }
  }
  return readRemovedKey(databasePath);
}

/** The hash of an ID that was removed from a list. */
export function hashRemovedId(key: Buffer, list: string, chatId: string): string {
  return createHmac('sha256', key).update(`${list} ${chatId}`).digest('hex');
}
