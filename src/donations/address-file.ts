/** The account keys' next indexes beside the database: who loses only the database gives no address out twice. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { besideDatabase } from '../data-files.ts';
import { writeFileAtomic } from '../db/write-file-atomic.ts';

const FILE_NAME = 'donation-addresses.json';
const INDEX_MAX = 2 ** 31 - 1;
const schema = z.array(z.object({ key_id: z.string(), next_index: z.int().min(0).max(INDEX_MAX) }));

export type KeyIndexes = z.output<typeof schema>;

export function writeAddressFile(databasePath: string, indexes: KeyIndexes): void {
  writeFileAtomic(besideDatabase(databasePath, FILE_NAME), `${JSON.stringify(indexes)}\n`);
}

/** @returns nothing for a file that is missing or damaged */
export function readAddressFile(databasePath: string): KeyIndexes {
  const path = besideDatabase(databasePath, FILE_NAME);
  try {
    return existsSync(path) ? schema.parse(JSON.parse(readFileSync(path, 'utf8'))) : [];
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return [];
    throw error;
  }
}
