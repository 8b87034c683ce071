/** Reads from the database what the name index is made of. */
import { readLogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import { LIST_KINDS } from './entry.ts';
import { eraseKey } from './name-index-file.ts';
import type { NameIndexHeader } from './name-index-file.ts';
import type { NameTable } from './name-index.ts';
import { SEPARATOR } from './sort-suffixes.ts';

export type NameIndexMoment = Pick<NameIndexHeader, 'history' | 'seq' | 'popularity'>;

const FIRST_TEXT_BYTES = 1 << 16;
/** Of one folded name: a hundred characters may each become eighteen, of four bytes. */
const NAME_BYTES_MAX = 8_192;

/** All public entries of one moment. */
export function collectNames(db: Database): { table: NameTable; keys: Uint32Array; moment: NameIndexMoment } {
  return db.snapshot(() => {
    const moment = readNameIndexMoment(db);
    const { count } = db.statement<{ count: number }>('SELECT count(*) AS count FROM entries').get() ?? {
      count: 0,
    };
    const rows = new Uint32Array(count);
    const keys = new Uint32Array(count);
    const text = new GrowingText();
    const listEnds: number[] = [];
    let number = 0;
    for (const list of LIST_KINDS) {
      for (const [row, entryId, folded] of iterateNames(db, list)) {
        rows[number] = row;
        keys[number] = eraseKey(entryId);
        number += 1;
        text.append(folded);
      }
      listEnds.push(text.length - 1);
    }
    return {
      table: { text: text.written(), rows: rows.slice(0, number), listEnds },
      keys: keys.slice(0, number),
      moment,
    };
  });
}

/** The moment of the database as it is now. */
export function readNameIndexMoment(db: Database): NameIndexMoment {
  const popularity = db
    .statement<{ value: string }>("SELECT value FROM properties WHERE key = 'popularity'")
    .get();
  return { ...readLogHead(db), popularity: popularity?.value ?? '' };
}

/** Most viewed first; what the public may not see is left out. */
function iterateNames(db: Database, list: string): IterableIterator<[number, string, string]> {
  return db
    .statement(
      `SELECT row, entry_id, name_folded FROM entries WHERE list = ? AND (list != 'legit' OR verified = 1)
       ORDER BY views DESC, reported_at DESC, entry_id`,
    )
    .raw()
    .iterate(list) as IterableIterator<[number, string, string]>;
}

/** A separator, and after every name another one. */
class GrowingText {
  #bytes = Buffer.alloc(FIRST_TEXT_BYTES);
  length = 1;

  constructor() {
    this.#bytes[0] = SEPARATOR;
  }

  append(name: string): void {
    if (this.length + NAME_BYTES_MAX > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    }
    this.length += this.#bytes.write(name, this.length);
    this.#bytes[this.length] = SEPARATOR;
    this.length += 1;
  }

  written(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.length));
  }
}
