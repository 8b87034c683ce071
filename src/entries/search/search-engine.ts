/**
 * Search in a list (SPEC 4.1, DESIGN section 3): which entries hold a text, how many, and a page of them in any order.
 * Chunks of the index say it; entries that changed since their chunk was made are looked into one by one, and chunks
 * that there are none of in the database. So an answer is right at every moment, and fast once the worker has caught
 * up. It works synchronously, for up to some tenths of a second: search-thread.ts keeps it out of everybody's way.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../db/database.ts';
import { foldText } from '../../text/fold-text.ts';
import type { Entry, ListKind } from '../entry.ts';
import type { EntriesPage } from '../list-entries.ts';
import type { ListQuery } from '../list-query.ts';
import { ENTRY_COLUMNS, toEntry } from '../read-entry.ts';
import type { EntryRow } from '../read-entry.ts';
import { openSearchChunk } from './chunk-file.ts';
import type { SearchChunk } from './chunk-file.ts';
import { EntryOrders } from './entry-orders.ts';
import { createFoundCache } from './found-cache.ts';
import {
  BITMAP_WORDS,
  CHUNK_ROWS,
  chunkOf,
  clearBit,
  countBits,
  hasBit,
  joinFields,
  setBit,
} from './grams.ts';
import type { FoldedTexts } from './grams.ts';
import { indexFolderOf, manifestPathOf, readManifest } from './index-folder.ts';
import { listChangedRows, readMoment } from './moment.ts';
import type { Moment } from './moment.ts';

/** More changes than these are not taken over one by one: everything is read again. */
const CHANGES_MAX = 2_000;
/** A chunk with more entries that changed is not worth reading. */
const CHANGED_ROWS_MAX = 2_000;
/** Longer texts of changed entries are read again for every search. */
const KEPT_TEXT_BYTES = 4_096;
/** Pages of the database that are kept: those of the page's rows, and the upper ones of the indexes. */
const CACHE_KIB = 8_192;

/** What a search asks; `search` is the text as the visitor gave it. */
export type SearchQuery = Omit<ListQuery, 'id' | 'search'> & { readonly search: string };

export interface SearchEngine {
  /** @param goOn called now and then; what it throws ends the search */
  find(list: ListKind, query: SearchQuery, goOn: () => void): EntriesPage;
  /** Reads beforehand what every search needs. */
  prepare(): void;
}

interface OpenedChunk {
  /** A number that no other opened file has. */
  readonly id: number;
  readonly index: SearchChunk;
  readonly seq: number;
  /** Places of entries that changed since; for them the database counts. */
  readonly changed: Set<number>;
}

interface State {
  readonly connection: unknown;
  readonly orders: EntryOrders;
  moment: Moment;
}

export function createSearchEngine(db: Database): SearchEngine {
  const folder = indexFolderOf(db.path);
  const found = createFoundCache();
  let state: State | undefined;
  let manifestStamp = '';
  let chunks = new Map<number, OpenedChunk>();
  let opened = 0;
  /** Texts of changed entries, by row. */
  const texts = new Map<number, Buffer>();

  const closeChunks = (): void => {
    for (const { index } of chunks.values()) index.close();
    chunks = new Map();
    texts.clear();
  };

  /** Before the snapshot: the database is then at least as new as the index. */
  const openIndex = (): boolean => {
    const stat = statSync(manifestPathOf(folder), { throwIfNoEntry: false });
    const stamp = stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : '';
    if (stamp === manifestStamp) return false;
    manifestStamp = stamp;
    closeChunks();
    return true;
  };

  const readIndex = (history: string): void => {
    closeChunks();
    const manifest = readManifest(folder);
    if (manifest?.history !== history) return;
    for (const [number, { file, seq }] of Object.entries(manifest.chunks)) {
      try {
        const index = openSearchChunk(join(folder, file));
        opened += 1;
        chunks.set(Number(number), { id: opened, index, seq, changed: new Set() });
      } catch {
        // Replaced or damaged: its entries are searched in the database.
      }
    }
    const oldest = Math.min(...[...chunks.values()].map(({ seq }) => seq));
    if (chunks.size === 0) return;
    for (const { row, seq } of listChangedRows(db, oldest)) {
      const chunk = chunks.get(chunkOf(row));
      if (chunk && seq > chunk.seq) chunk.changed.add(row % CHUNK_ROWS);
    }
  };

  /** Brings everything that is kept in memory to the state of the snapshot. */
  const catchUp = (isIndexNew: boolean): State => {
    const moment = readMoment(db);
    const before = state;
    const load = (): State => {
      db.connection.pragma(`cache_size = -${CACHE_KIB}`);
      state = undefined;
      state = { connection: db.connection, orders: new EntryOrders(db, moment.popularity), moment };
      readIndex(moment.history);
      return state;
    };
    if (
      !before ||
      before.connection !== db.connection ||
      before.moment.history !== moment.history ||
      before.moment.collation !== moment.collation ||
      before.moment.seq > moment.seq
    ) {
      return load();
    }
    if (moment.seq > before.moment.seq) {
      const changes = db
        .statement<{ entry_id: string; removed: number }>(
          `SELECT entry_id, max(op = 'removed') AS removed FROM changes WHERE seq > ? GROUP BY entry_id LIMIT ?`,
        )
        .all(before.moment.seq, CHANGES_MAX + 1);
      if (changes.length > CHANGES_MAX) return load();
      for (const row of before.orders.apply(db, changes)) {
        texts.delete(row);
        chunks.get(chunkOf(row))?.changed.add(row % CHUNK_ROWS);
      }
    }
    if (isIndexNew) readIndex(moment.history);
    before.moment = moment;
    return before;
  };

  const readText = (row: number): Buffer => {
    const known = texts.get(row);
    if (known) return known;
    const fields = db.statement<FoldedTexts>(READ_TEXT).get(row);
    const text = fields ? joinFields(fields) : Buffer.alloc(0);
    if (text.length <= KEPT_TEXT_BYTES) texts.set(row, text);
    return text;
  };

  const scanDatabase = (number: number, list: ListKind, text: string): Uint32Array => {
    const bits = new Uint32Array(BITMAP_WORDS);
    const first = number * CHUNK_ROWS;
    const rows = db
      .statement<{ row: number }>(SCAN)
      .all(first, first + CHUNK_ROWS - 1, list, text, text, text);
    for (const { row } of rows) setBit(bits, row - first);
    return bits;
  };

  /** Places of a chunk that hold the text; undefined when there are none. */
  const findInChunk = (
    number: number,
    list: ListKind,
    text: string,
    needle: Buffer,
    listed: Uint32Array,
    goOn: () => void,
  ): Uint32Array | undefined => {
    const chunk = chunks.get(number);
    if (!chunk || chunk.changed.size > CHANGED_ROWS_MAX) return scanDatabase(number, list, text);
    const allowed = new Uint32Array(listed);
    for (const place of chunk.changed) clearBit(allowed, place);
    const candidates = chunk.index.listCandidates(needle, allowed);
    let bits = candidates?.places;
    if (candidates && !candidates.areExact) {
      const key = `${chunk.id} ${list} ${text}`;
      const known = found.get(key);
      bits = known ?? chunk.index.verify(candidates.places, needle, goOn);
      if (known) for (const place of chunk.changed) clearBit(known, place);
      else found.set(key, bits);
    }
    for (const place of chunk.changed) {
      if (!hasBit(listed, place) || !readText(number * CHUNK_ROWS + place).includes(needle)) continue;
      bits ??= new Uint32Array(BITMAP_WORDS);
      setBit(bits, place);
    }
    return bits;
  };

  return {
    prepare() {
      const isIndexNew = openIndex();
      db.snapshot(() => catchUp(isIndexNew));
    },
    find(list, { search, status, proofs, sort, skip, limit }, goOn) {
      const isIndexNew = openIndex();
      return db.snapshot(() => {
        const { orders, moment } = catchUp(isIndexNew);
        const text = foldText(search);
        if (text === '') return { entries: [], total: 0, hasMore: false };
        const needle = Buffer.from(text);
        const listed = orders.filter(list, 'all', 'all');
        const filter = orders.filter(list, status, proofs);
        const all = new Uint32Array(filter.length);
        for (let first = 0; first < filter.length; first += BITMAP_WORDS) {
          goOn();
          const filterPart = filter.subarray(first, first + BITMAP_WORDS);
          if (!filterPart.some((word) => word !== 0)) continue;
          const part = findInChunk(
            first / BITMAP_WORDS,
            list,
            text,
            needle,
            listed.subarray(first, first + BITMAP_WORDS),
            goOn,
          );
          if (!part) continue;
          for (let word = 0; word < BITMAP_WORDS; word += 1) {
            all[first + word] = (part[word] as number) & (filterPart[word] as number);
          }
        }
        const total = countBits(all);
        if (sort === 'popular' || sort === 'popular_asc') orders.followViews(db, list, moment.popularity);
        const rows = total > skip ? orders.page(all, list, sort, skip, limit) : [];
        const entries = readEntries(db, rows);
        return { entries, total, hasMore: skip + entries.length < total };
      });
    },
  };
}

const READ_TEXT = `SELECT name_folded AS name, chat_id_folded AS chatId, visible_text_folded AS reason
  FROM entries JOIN contents USING (content) WHERE row = ?`;

const READ_ENTRY = `SELECT ${ENTRY_COLUMNS} FROM entries JOIN contents USING (content) WHERE row = ?`;

/** The plus sign keeps SQLite to the rows. */
const SCAN = `SELECT entries.row AS row FROM entries JOIN contents USING (content)
  WHERE entries.row BETWEEN ? AND ? AND +entries.list = ?
  AND (instr(name_folded, ?) > 0 OR instr(chat_id_folded, ?) > 0 OR instr(visible_text_folded, ?) > 0)`;

function readEntries(db: Database, rows: readonly number[]): Entry[] {
  const read = db.statement<EntryRow>(READ_ENTRY);
  return rows.flatMap((row) => {
    const entry = read.get(row);
    return entry ? [toEntry(entry)] : [];
  });
}
