/** search.db: FTS5 over folded texts (trigrams; one and two letters), which Kysely does not know. It can be made again. */
import { rmSync } from 'node:fs';
import { besideDatabase } from '../data-files.ts';
import type { LogHead } from '../changes/change-log.ts';
import { identifyFile, openDatabase, type Database } from '../db/database.ts';
import { MAPPED_BYTES } from '../db/reader.ts';
import type { ListEntry } from '../entries/entry-schema.ts';
import { foldText } from '../text/fold-text.ts';
import { visibleText } from '../text/visible-text.ts';

/** Version of the tables and of folding; a file of another one is rebuilt. */
export const FORMAT = 3;

export function searchPath(databasePath: string): string {
  return besideDatabase(databasePath, 'search.db');
}

export function openSearchFile(path: string, mode: 'read' | 'write'): Database {
  const db = openDatabase(path, mode);
  if (mode === 'read') db.connection.pragma(`mmap_size = ${MAPPED_BYTES}`);
  // A power cut may lose recent writes, because they can be repeated.
  else db.connection.pragma('synchronous = NORMAL');
  return db;
}

export class DamagedSearchError extends Error {
  override name = 'DamagedSearchError';
}

export function createSearchHandle(databasePath: string, mode: 'read' | 'write') {
  const path = searchPath(databasePath);
  let current: { readonly db: Database; readonly identity: string } | undefined;
  const close = (): void => {
    current?.db.close();
    current = undefined;
  };
  return {
    close,
    /** @throws {DamagedSearchError} after it deleted a damaged file, which the worker makes again */
    use<T>(this: void, work: () => T): T {
      try {
        return work();
      } catch (error) {
        const { code = '', message } = error as Error & { code?: string };
        // FTS5 says the last when its settings cannot be read.
        if (
          !/^SQLITE_(?:CORRUPT|NOTADB|IOERR_SHORT_READ)|vtable constructor failed/.test(`${code} ${message}`)
        )
          throw error;
        const damaged = current?.identity ?? identifyFile(path);
        close();
        if (identifyFile(path) === damaged) rmSync(path, { force: true });
        throw new DamagedSearchError(`${path} was damaged; the worker makes it again`, { cause: error });
      }
    },
    /** @param readHead called after the file is opened, because the file must not be newer */
    open(readHead: () => LogHead): Database | undefined {
      const identity = identifyFile(path);
      if (current?.identity !== identity) close();
      if (identity === undefined) return undefined;
      current ??= { db: openSearchFile(path, mode), identity };
      const { db } = current;
      const { logId, seq } = readHead();
      const state = findSearchState(db);
      return state?.logId === logId && state.seq <= seq ? db : undefined;
    },
  };
}

export function findSearchState(db: Database): LogHead | undefined {
  return db.statement<LogHead>('SELECT history AS logId, seq FROM state WHERE format = ?').get(FORMAT);
}

export function foldTexts({ name, id, descHtml }: ListEntry) {
  return { name: foldText(name), chatId: foldText(id), reason: foldText(visibleText(descHtml)) };
}

export function containsText(entry: ListEntry, folded: string): boolean {
  return Object.values(foldTexts(entry)).some((text) => text.includes(folded));
}

const TRIGRAM_LETTERS = 3;

export function matchRows(db: Database, folded: string): number[] {
  if ([...folded].length >= TRIGRAM_LETTERS) {
    const phrase = `"${folded.replaceAll('"', '""')}"`;
    return db.statement('SELECT rowid FROM pieces WHERE pieces MATCH ?').pluck().all(phrase) as number[];
  }
  // The last gram is the whole text.
  const word = listGrams([folded]).split(' ').at(-1);
  return db.statement('SELECT rowid FROM letters WHERE letters MATCH ?').pluck().all(word) as number[];
}

const POINTS = 0x110000;

/** Every letter and every pair of neighbours, each once, as words. */
export function listGrams(texts: readonly string[]): string {
  // Numbers, because they are many: a code point, or a pair above all code points.
  const grams = new Set<number>();
  for (const text of texts) {
    let before = -1;
    for (let at = 0; at < text.length; at += 1) {
      const point = text.codePointAt(at) as number;
      if (point > 0xffff) at += 1;
      grams.add(point);
      if (before >= 0) grams.add((before + 1) * POINTS + point);
      before = point;
    }
  }
  return Array.from(grams, encodeGram).join(' ');
}

function encodeGram(gram: number): string {
  const second = (gram % POINTS).toString(16);
  return gram < POINTS ? second : `${(Math.floor(gram / POINTS) - 1).toString(16)}z${second}`;
}
