/**
 * The entry file, indexes/entries.dat beside the database: the JSON of every public entry as the API sends it, and
 * tables by which it is found, so that a check by ID costs one look into a table and one short read. It holds for one
 * change of the log; what has changed since is read from the entries (ready-entries.ts). It is written once; only
 * texts that no longer hold are overwritten with zeros.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { readLogHead } from '../../changes/log-head.ts';
import type { Database } from '../../db/database.ts';
import {
  bytesOf,
  decodeHeader,
  derivedFilePath,
  encodeHeader,
  HEADER_BYTES,
  writeAll,
  writeBeside,
} from '../derived-file.ts';
import { LIST_KINDS } from '../entry.ts';
import type { ListKind } from '../entry.ts';
import { pageEntryJson } from '../read-entry.ts';

export interface EntryFileHeader {
  /** Name of the change log, and its last change when the first entry was read. */
  readonly history: string;
  readonly seq: number;
  readonly entries: number;
  /** Of all records together. */
  readonly recordBytes: number;
  readonly slots: number;
  /** CRC-32 of each table, in the order of TABLES. */
  readonly checks: readonly number[];
  /** Random: another file has another one. */
  readonly made: string;
  /** Epoch milliseconds. */
  readonly madeAt: number;
}

/** An entry as it was when it was written. */
export interface FiledEntry {
  readonly list: ListKind;
  readonly entryId: string;
  readonly row: number;
  /** Its ListEntry (SPEC 2.1). */
  readonly json: Buffer;
  /** The JSON between what comes before and after it in an answer. */
  within(before: Buffer, after: Buffer): Buffer;
  /** Names this text among all that ever were in such files. */
  readonly tag: string;
}

export interface EntryFile {
  readonly header: EntryFileHeader;
  /**
   * Entries with this chat ID, at most one a list.
   * @returns undefined when one of them has been erased
   * @throws {EntryFileError} when a record is not what was written
   */
  findById(chatId: string): FiledEntry[] | undefined;
  /** As findById; undefined also when there is none in this row. */
  findByRow(row: number): FiledEntry | undefined;
  close(): void;
}

/** The file is not one that this version can use: it is to be made anew. */
export class EntryFileError extends Error {
  override name = 'EntryFileError';
}

const FORMAT = 'czujka entries 1';
/** Before the JSON of each record: the CRC-32 of what follows, then the list's number. Lists count from 1: 0 is erased. */
const CHECK_BYTES = 4;
const PREFIX_BYTES = CHECK_BYTES + 1;
/** Left free around a record that is read: most answers are made of one, and need no copy then. */
const ROOM_BYTES = 64;
const JSON_BEGINS = '{"_id":"';
/** Entries read, and bytes written, at once while a file is made. */
const READ_ENTRIES = 500;
const WRITE_BYTES = 1 << 20;
/** Bytes read, and records looked at to be erased, between two looks at what else the process has to do. */
const READ_STEP = 1 << 20;
const ERASE_STEP = 100;

/**
 * slots: a table of hashed chat IDs with open addressing, number of the record or 0; hashes: of the chat ID; ends: where
 * each record ends; rows: ascending; keys: of the entry's public ID, for erasing. Records count from 1 in the slots.
 */
const TABLES = ['slots', 'hashes', 'ends', 'rows', 'keys'] as const;
type Table = (typeof TABLES)[number];

interface Tables {
  readonly slots: Uint32Array;
  readonly hashes: Uint32Array;
  readonly ends: Float64Array;
  readonly rows: Uint32Array;
  readonly keys: Uint32Array;
}

export function entryFilePath(databasePath: string): string {
  return derivedFilePath(databasePath, 'entries.dat');
}

/**
 * Makes the file, as writeBeside does. Read in steps: an entry that changes meanwhile has changed since the header's
 * change, and nobody takes it from here.
 */
export function writeEntryFile(db: Database, path: string): string {
  const { history, seq } = readLogHead(db);
  const made = randomBytes(6).toString('hex');
  return writeBeside(path, made, (file) => {
    writeAll(file, Buffer.alloc(HEADER_BYTES));
    const { recordBytes, ...lists } = writeRecords(db, file);
    const tables = makeTables(lists);
    for (const table of TABLES) writeAll(file, bytesOf(tables[table]));
    const header: EntryFileHeader = {
      history,
      seq,
      entries: tables.rows.length,
      recordBytes,
      slots: tables.slots.length,
      checks: TABLES.map((table) => crc32(bytesOf(tables[table]))),
      made,
      madeAt: Date.now(),
    };
    writeSync(file, encodeHeader(FORMAT, header), 0, HEADER_BYTES, 0);
  });
}

interface RecordLists {
  readonly hashes: number[];
  readonly ends: number[];
  readonly rows: number[];
  readonly keys: number[];
}

function writeRecords(db: Database, file: number): RecordLists & { recordBytes: number } {
  const lists: RecordLists = { hashes: [], ends: [], rows: [], keys: [] };
  let recordBytes = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = (): void => {
    writeAll(file, Buffer.concat(waiting));
    waiting = [];
    waitingBytes = 0;
  };
  for (let after = 0; ;) {
    const entries = pageEntryJson(db, after, READ_ENTRIES);
    for (const { row, list, entryId, chatId, json } of entries) {
      const record = encodeRecord(list, json);
      waiting.push(record);
      waitingBytes += record.length;
      recordBytes += record.length;
      lists.hashes.push(crc32(chatId));
      lists.ends.push(recordBytes);
      lists.rows.push(row);
      lists.keys.push(crc32(entryId));
      after = row;
    }
    if (waitingBytes >= WRITE_BYTES) flush();
    if (entries.length < READ_ENTRIES) break;
  }
  flush();
  // The tables begin at whole words.
  const padding = -recordBytes & 7;
  writeAll(file, Buffer.alloc(padding));
  return { ...lists, recordBytes: recordBytes + padding };
}

function encodeRecord(list: ListKind, json: Buffer): Buffer {
  const record = Buffer.allocUnsafe(PREFIX_BYTES + json.length);
  record[CHECK_BYTES] = LIST_KINDS.indexOf(list) + 1;
  json.copy(record, PREFIX_BYTES);
  record.writeUInt32LE(crc32(record.subarray(CHECK_BYTES)));
  return record;
}

function makeTables({ hashes, ends, rows, keys }: RecordLists): Tables {
  let size = 16;
  while (size < 2 * hashes.length) size *= 2;
  const slots = new Uint32Array(size);
  for (const [index, hash] of hashes.entries()) {
    let slot = hash & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = index + 1;
  }
  return {
    slots,
    hashes: Uint32Array.from(hashes),
    ends: Float64Array.from(ends),
    rows: Uint32Array.from(rows),
    keys: Uint32Array.from(keys),
  };
}

/** @throws {EntryFileError} when it is none; @throws ENOENT */
export function readEntryFileHeader(path: string): EntryFileHeader {
  const file = openSync(path, 'r');
  try {
    return readHeader(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Opens the file and reads its tables, in short steps.
 * @throws {EntryFileError} when any part of them is not as it was written; @throws ENOENT
 */
export async function openEntryFile(path: string): Promise<EntryFile> {
  const file = openSync(path, 'r');
  try {
    const header = readHeader(file);
    const tables = {
      slots: new Uint32Array(await readTable(file, header, 'slots')),
      hashes: new Uint32Array(await readTable(file, header, 'hashes')),
      ends: new Float64Array(await readTable(file, header, 'ends')),
      rows: new Uint32Array(await readTable(file, header, 'rows')),
    };
    return wrap(file, header, tables);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function wrap(file: number, header: EntryFileHeader, tables: Omit<Tables, 'keys'>): EntryFile {
  const { slots, hashes, ends, rows } = tables;
  const read = (index: number): FiledEntry | undefined => {
    const roomy = readRecord(file, ends, index, ROOM_BYTES);
    const record = roomy.subarray(ROOM_BYTES, -ROOM_BYTES);
    const list = LIST_KINDS[(record[CHECK_BYTES] as number) - 1];
    // Erased: it no longer holds.
    if (!list) return undefined;
    if (record.readUInt32LE() !== crc32(record.subarray(CHECK_BYTES))) throw damaged('a record');
    return new ReadRecord(list, rows[index] as number, roomy, `${header.made}-${index.toString(36)}`);
  };
  return {
    header,
    findById(chatId) {
      const found: FiledEntry[] = [];
      const hash = crc32(chatId);
      let id: string | undefined;
      let slot = hash & (slots.length - 1);
      for (let number = slots[slot] as number; number !== 0; number = slots[slot] as number) {
        slot = (slot + 1) & (slots.length - 1);
        if (hashes[number - 1] !== hash) continue;
        const entry = read(number - 1);
        if (!entry) return undefined;
        // Quotes inside of texts are escaped: this stands nowhere else.
        id ??= `,"id":${JSON.stringify(chatId)},`;
        if (entry.json.includes(id)) found.push(entry);
      }
      return found;
    },
    findByRow(row) {
      const index = indexOfRow(rows, row);
      return index === undefined ? undefined : read(index);
    },
    close: () => closeSync(file),
  };
}

/** Most are sent on without a look at what their ID is. */
class ReadRecord implements FiledEntry {
  readonly list: ListKind;
  readonly row: number;
  readonly json: Buffer;
  readonly tag: string;
  /** The record with ROOM_BYTES on both sides; undefined when something stands there. */
  #roomy: Buffer | undefined;

  constructor(list: ListKind, row: number, roomy: Buffer, tag: string) {
    this.list = list;
    this.row = row;
    this.json = roomy.subarray(ROOM_BYTES + PREFIX_BYTES, -ROOM_BYTES);
    this.tag = tag;
    this.#roomy = roomy;
  }

  within(before: Buffer, after: Buffer): Buffer {
    const roomy = this.#roomy;
    if (!roomy || before.length > ROOM_BYTES || after.length > ROOM_BYTES)
      return Buffer.concat([before, this.json, after]);
    // What stands there is wanted by nobody else.
    this.#roomy = undefined;
    const start = ROOM_BYTES + PREFIX_BYTES - before.length;
    const end = roomy.length - ROOM_BYTES + after.length;
    roomy.set(before, start);
    roomy.set(after, end - after.length);
    return roomy.subarray(start, end);
  }

  get entryId(): string {
    return entryIdOf(this.json);
  }
}

/** Rows have few gaps: where there are none before or behind a row, its place is known at once. */
function indexOfRow(rows: Uint32Array, row: number): number | undefined {
  const last = rows.length - 1;
  let low = Math.max(0, last - ((rows[last] as number) - row));
  let high = Math.min(last, row - (rows[0] as number));
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as number) < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row ? low : undefined;
}

/** @param room bytes that are left free on both sides */
function readRecord(file: number, ends: Float64Array, index: number, room: number): Buffer {
  const start = index === 0 ? 0 : (ends[index - 1] as number);
  const length = (ends[index] as number) - start;
  const roomy = Buffer.allocUnsafe(length + 2 * room);
  readAt(file, roomy, HEADER_BYTES + start, room, length);
  return roomy;
}

function entryIdOf(json: Buffer): string {
  return json.toString('latin1', JSON_BEGINS.length, json.indexOf('"', JSON_BEGINS.length));
}

/**
 * Overwrites texts that no longer hold, in place.
 * @param entryIds of entries that have changed since the file's change
 * @returns how many were overwritten
 * @throws {EntryFileError} @throws ENOENT
 */
export async function eraseRecords(path: string, entryIds: readonly string[]): Promise<number> {
  if (entryIds.length === 0) return 0;
  const file = openSync(path, 'r+');
  try {
    const header = readHeader(file);
    const keys = new Uint32Array(await readTable(file, header, 'keys'));
    const wanted = new Set(entryIds);
    const wantedKeys = new Set(entryIds.map((entryId) => crc32(entryId)));
    let ends: Float64Array | undefined;
    let looked = 0;
    let erased = 0;
    for (let index = 0; index < keys.length; index += 1) {
      if (!wantedKeys.has(keys[index] as number)) continue;
      looked += 1;
      if (looked % ERASE_STEP === 0) await setImmediate();
      ends ??= new Float64Array(await readTable(file, header, 'ends'));
      const record = readRecord(file, ends, index, 0);
      if (record[CHECK_BYTES] === 0 || !wanted.has(entryIdOf(record.subarray(PREFIX_BYTES)))) continue;
      const start = HEADER_BYTES + (ends[index] as number) - record.length;
      writeSync(file, record.fill(0), 0, record.length, start);
      erased += 1;
    }
    if (erased > 0) fsyncSync(file);
    return erased;
  } finally {
    closeSync(file);
  }
}

function readHeader(file: number): EntryFileHeader {
  const bytes = Buffer.alloc(HEADER_BYTES);
  readAt(file, bytes, 0);
  const header = decodeHeader<EntryFileHeader>(FORMAT, bytes);
  if (!header) throw damaged('its header');
  return header;
}

async function readTable(file: number, header: EntryFileHeader, table: Table): Promise<ArrayBuffer> {
  const at = TABLES.indexOf(table);
  const offset = TABLES.slice(0, at).reduce(
    (sum, before) => sum + tableBytes(header, before),
    HEADER_BYTES + header.recordBytes,
  );
  const bytes = new Uint8Array(tableBytes(header, table));
  let check = 0;
  for (let from = 0; from < bytes.length; from += READ_STEP) {
    const step = bytes.subarray(from, from + READ_STEP);
    readAt(file, step, offset + from);
    check = crc32(step, check);
    await setImmediate();
  }
  if (check !== header.checks[at]) throw damaged(`table ${table}`);
  return bytes.buffer;
}

function tableBytes({ slots, entries }: EntryFileHeader, table: Table): number {
  if (table === 'slots') return slots * Uint32Array.BYTES_PER_ELEMENT;
  return entries * (table === 'ends' ? Float64Array : Uint32Array).BYTES_PER_ELEMENT;
}

function readAt(file: number, into: Uint8Array, offset: number, at = 0, length = into.length): void {
  if (readSync(file, into, at, length, offset) !== length) throw damaged('its length');
}

function damaged(what: string): EntryFileError {
  return new EntryFileError(`the entry file cannot be used: ${what} is damaged`);
}
