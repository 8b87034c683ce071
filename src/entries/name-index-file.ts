/**
 * The file of the name index (src/entries/name-index.ts), in indexes/ beside the database: a header, then the index's
 * buffers as they are. It says which history and change it is made for; what has been changed since is read from the
 * change log. A file that is cut short, damaged or of another database is refused as a whole.
 */
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import {
  bytesOf,
  decodeHeader,
  derivedFilePath,
  encodeHeader,
  HEADER_BYTES,
  writeAll,
  writeBeside,
} from './derived-file.ts';
import type { NameIndexParts } from './name-index.ts';
import { SEPARATOR } from './sort-suffixes.ts';

export interface NameIndexHeader {
  /** Name of the change log that the names were read from, and its last change at that moment. */
  readonly history: string;
  readonly seq: number;
  /** Value of the property `popularity` at that moment: the views that the order follows. */
  readonly popularity: string;
  readonly entries: number;
  readonly listEnds: readonly number[];
  /** Bytes of each section, in the order of SECTIONS. */
  readonly lengths: readonly number[];
  /** CRC-32 of each section but the first two: the first holds those of the second, and erasing changes both. */
  readonly checks: readonly number[];
  /** Random: another file has another one. */
  readonly made: string;
  /** Epoch milliseconds. */
  readonly madeAt: number;
}

/** What is stored: the index, and by which an entry is found again when it is to be erased. */
export interface StoredNames extends NameIndexParts {
  /** eraseKey of every entry, in the order of the names. */
  readonly keys: Uint32Array;
}

/** The file is not one that this version can use: it is to be made anew. */
export class NameIndexFileError extends Error {
  override name = 'NameIndexFileError';
}

const FORMAT = 'czujka names 1';
/** `textChecks` holds the CRC-32 of every TEXT_CHUNK bytes of the text: erasing a name changes one or two of them. */
const SECTIONS = ['textChecks', 'text', 'places', 'rows', 'ranks', 'minima', 'fences', 'keys'] as const;
const TEXT_CHUNK = 64 * 1024;
/** Bytes read between two looks at what else the process has to do. */
const READ_STEP = 1 << 20;
/** Written over erased names; no UTF-8 text holds it. */
const ERASED = 0xfe;

export function nameIndexPath(databasePath: string): string {
  return derivedFilePath(databasePath, 'names.idx');
}

/** Of an entry's public ID: enough to find it again among those that are no longer in the database. */
export function eraseKey(entryId: string): number {
  return crc32(entryId);
}

/** Makes the file, as writeBeside does. */
export function writeNameIndex(
  path: string,
  names: StoredNames,
  about: Pick<NameIndexHeader, 'history' | 'seq' | 'popularity'>,
): string {
  const made = randomBytes(6).toString('hex');
  const textChecks = checkText(names.text);
  const sections = SECTIONS.map((section) =>
    section === 'text' ? names.text : bytesOf(section === 'textChecks' ? textChecks : names[section]),
  );
  const header: NameIndexHeader = {
    ...about,
    entries: names.rows.length,
    listEnds: names.listEnds,
    lengths: sections.map(({ byteLength }) => byteLength),
    checks: sections.map((section, at) => (at < SECTIONS.indexOf('places') ? 0 : crc32(section))),
    made,
    madeAt: Date.now(),
  };
  return writeBeside(path, made, (file) => {
    for (const bytes of [encodeHeader(FORMAT, header), ...sections]) {
      writeAll(file, bytes);
      writeAll(file, new Uint8Array(padded(bytes.length) - bytes.length));
    }
  });
}

/** @throws {NameIndexFileError} when it is none; @throws ENOENT */
export async function readNameIndexHeader(path: string): Promise<NameIndexHeader> {
  const file = await open(path, 'r');
  try {
    return await readHeader(file);
  } finally {
    await file.close();
  }
}

/**
 * Reads and checks a whole file in short steps. Erased names are no longer among its places.
 * @throws {NameIndexFileError} when any part of it is not as it was written; @throws ENOENT
 */
export async function readNameIndex(path: string): Promise<{ header: NameIndexHeader; names: StoredNames }> {
  const file = await open(path, 'r');
  try {
    const header = await readHeader(file);
    const read = (section: Section): Promise<Uint32Array> =>
      readSection(file, header, section).then((bytes) => new Uint32Array(bytes.buffer));
    const checks = await read('textChecks');
    const text = await readText(file, header, checks);
    const names: StoredNames = {
      text,
      places: await read('places'),
      rows: await read('rows'),
      ranks: await read('ranks'),
      minima: await read('minima'),
      fences: await read('fences'),
      keys: await read('keys'),
      listEnds: header.listEnds,
    };
    if (text.includes(ERASED)) await leaveOutErased(text, names.places);
    return { header, names };
  } finally {
    await file.close();
  }
}

/**
 * Overwrites the names of entries that are no longer there, in place. Ended half-way it leaves a file that is refused.
 * @param isGone asked for entries whose key is among the keys: several entries may have the same one
 * @returns how many names are overwritten
 * @throws {NameIndexFileError} @throws ENOENT
 */
export async function eraseNames(
  path: string,
  entryIds: readonly string[],
  isGone: (row: number, entryId: string) => boolean,
): Promise<number> {
  if (entryIds.length === 0) return 0;
  const file = await open(path, 'r+');
  try {
    const header = await readHeader(file);
    const keys = new Uint32Array((await readSection(file, header, 'keys')).buffer);
    const wanted = new Map(entryIds.map((entryId) => [eraseKey(entryId), entryId]));
    const found: number[] = [];
    for (let number = 0; number < keys.length; number++) {
      if (wanted.has(keys[number] as number)) found.push(number);
    }
    if (found.length === 0) return 0;
    const rows = new Uint32Array((await readSection(file, header, 'rows')).buffer);
    const checks = new Uint32Array((await readSection(file, header, 'textChecks')).buffer);
    const text = await readText(file, header, checks);
    const starts = findStarts(text, found);
    let erased = 0;
    for (const [number, start] of starts) {
      const entryId = wanted.get(keys[number] as number) as string;
      if (!isGone(rows[number] as number, entryId)) continue;
      const end = text.indexOf(SEPARATOR, start + 1);
      if (text[start + 1] === ERASED) continue;
      text.fill(ERASED, start + 1, end);
      await eraseBytes(file, header, { text, checks, from: start + 1, to: end });
      erased += 1;
    }
    if (erased > 0) await file.sync();
    return erased;
  } finally {
    await file.close();
  }
}

async function eraseBytes(
  file: FileHandle,
  header: NameIndexHeader,
  change: { text: Uint8Array; checks: Uint32Array; from: number; to: number },
): Promise<void> {
  const { text, checks, from, to } = change;
  await writeAt(file, text.subarray(from, to), offsetOf(header, 'text') + from);
  for (let chunk = Math.floor(from / TEXT_CHUNK); chunk * TEXT_CHUNK < to; chunk++) {
    checks[chunk] = crc32(text.subarray(chunk * TEXT_CHUNK, (chunk + 1) * TEXT_CHUNK));
    await writeAt(
      file,
      bytesOf(checks.subarray(chunk, chunk + 1)),
      offsetOf(header, 'textChecks') + chunk * Uint32Array.BYTES_PER_ELEMENT,
    );
  }
}

/** By number of a name: where its separator stands. */
function findStarts(text: Uint8Array, numbers: readonly number[]): Map<number, number> {
  const wanted = new Set(numbers);
  const starts = new Map<number, number>();
  let number = 0;
  for (let at = 0; at < text.length && starts.size < wanted.size; at++) {
    if (text[at] !== SEPARATOR) continue;
    if (wanted.has(number)) starts.set(number, at);
    number += 1;
  }
  return starts;
}

/** Each of their places becomes that of its neighbour: the order stays, and nothing is found twice. */
async function leaveOutErased(text: Uint8Array, places: Uint32Array): Promise<void> {
  const isErased = (place: number): boolean =>
    text[place] === ERASED || (text[place] === SEPARATOR && text[place + 1] === ERASED);
  let last = places.find((place) => !isErased(place)) ?? 0;
  for (let index = 0; index < places.length; index++) {
    const place = places[index] as number;
    if (isErased(place)) places[index] = last;
    else last = place;
    if (index % READ_STEP === 0) await setImmediate();
  }
}

type Section = (typeof SECTIONS)[number];

function offsetOf({ lengths }: NameIndexHeader, section: Section): number {
  return lengths
    .slice(0, SECTIONS.indexOf(section))
    .reduce((offset, length) => offset + padded(length), HEADER_BYTES);
}

/** Sections begin at whole words. */
function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}

function checkText(text: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: Math.ceil(text.length / TEXT_CHUNK) }, (_, chunk) =>
    crc32(text.subarray(chunk * TEXT_CHUNK, (chunk + 1) * TEXT_CHUNK)),
  );
}

async function readHeader(file: FileHandle): Promise<NameIndexHeader> {
  const bytes = Buffer.alloc(HEADER_BYTES);
  await readAt(file, bytes, 0);
  const header = decodeHeader<NameIndexHeader>(FORMAT, bytes);
  if (!header) throw damaged('its header');
  const { size } = await file.stat();
  if (size !== offsetOf(header, 'keys') + padded(header.lengths.at(-1) ?? 0)) throw damaged('its length');
  return header;
}

/** @throws {NameIndexFileError} when the section is not as it was written */
async function readSection(file: FileHandle, header: NameIndexHeader, section: Section): Promise<Uint8Array> {
  const at = SECTIONS.indexOf(section);
  const bytes = new Uint8Array(header.lengths[at] as number);
  let check = 0;
  await readInSteps(file, bytes, offsetOf(header, section), (step) => {
    check = crc32(step, check);
  });
  // What erasing changes cannot be known beforehand.
  if (section !== 'textChecks' && check !== header.checks[at]) throw damaged(section);
  return bytes;
}

async function readText(file: FileHandle, header: NameIndexHeader, checks: Uint32Array): Promise<Uint8Array> {
  const text = new Uint8Array(header.lengths[SECTIONS.indexOf('text')] as number);
  let chunk = 0;
  await readInSteps(file, text, offsetOf(header, 'text'), (step) => {
    for (const check of checkText(step)) if (check !== checks[chunk++]) throw damaged('text');
  });
  if (chunk !== checks.length) throw damaged('text');
  return text;
}

async function readInSteps(
  file: FileHandle,
  bytes: Uint8Array,
  offset: number,
  look: (step: Uint8Array) => void,
): Promise<void> {
  for (let from = 0; from < bytes.length; from += READ_STEP) {
    const step = bytes.subarray(from, from + READ_STEP);
    await readAt(file, step, offset + from);
    look(step);
  }
}

async function readAt(file: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, offset + done);
    if (bytesRead === 0) throw damaged('its length');
    done += bytesRead;
  }
}

async function writeAt(file: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
  }
}

function damaged(what: string): NameIndexFileError {
  return new NameIndexFileError(`the name index cannot be used: ${what} is damaged`);
}
