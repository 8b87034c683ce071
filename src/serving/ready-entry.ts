/**
 * Entries ready to send. A frame is a text with the row, flags and dates of its entry, and a checksum over all of it:
 * SQLite's pages have none, and a wrong byte would be a wrong answer. Each entry has two: the `body`, its ListEntry
 * (SPEC 2.1) as JSON; and the `summary`, what a row of a list page shows.
 */
import { crc32 } from 'node:zlib';
import { LIST_KINDS } from '../entries/entry.ts';
import type { Entry, EntrySummary, ListEntry, ListKind, ProofsState } from '../entries/entry.ts';
import { toSummary } from '../entries/to-summary.ts';
import { visibleText } from '../text/visible-text.ts';
import { DamagedError } from './serving-file.ts';

/** Flags of an entry: its list in two bits, then these. */
export const LIST_BITS = 2;
export const VERIFIED = 1;
export const PROOFS = 2;
export const PRIVATE = 4;

/** A view of what was read. A class, because most are only copied: no other view is made until it is asked for. */
export class Frame {
  readonly row: number;
  readonly flags: number;
  readonly crc: number;
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;

  /** @param bytes with the frame at `start` */
  constructor(bytes: Buffer, start: number, end: number, crc: number) {
    this.row = bytes.readUInt32LE(start + ROW_AT);
    this.flags = bytes[start + FLAGS_AT] as number;
    this.crc = crc;
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  get isVerified(): boolean {
    return hasMark(this.flags, VERIFIED);
  }

  /** Epoch milliseconds. */
  get reportedAt(): number {
    return this.#bytes.readDoubleLE(this.#start + REPORTED_AT);
  }

  /** Epoch milliseconds. */
  get updatedAt(): number {
    return this.#bytes.readDoubleLE(this.#start + UPDATED_AT);
  }

  /** UTF-8. */
  get text(): Buffer {
    return this.#bytes.subarray(this.#start + HEADER_BYTES, this.#end);
  }

  /** Of the text. */
  get length(): number {
    return this.#end - this.#start - HEADER_BYTES;
  }

  /** With all that stands before the text. */
  get whole(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** Copies the text. @returns its length */
  copyText(target: Buffer, at: number): number {
    return this.#bytes.copy(target, at, this.#start + HEADER_BYTES, this.#end);
  }
}

const LENGTH_AT = 4;
const ROW_AT = 8;
const FLAGS_AT = 12;
const REPORTED_AT = 13;
const UPDATED_AT = 21;
const HEADER_BYTES = 29;

export function flagsOf(entry: {
  readonly list: ListKind;
  readonly verified: boolean;
  readonly proofs: ProofsState;
}): number {
  const marks =
    (entry.verified ? VERIFIED : 0) |
    (entry.proofs === 'none' ? 0 : PROOFS) |
    (entry.proofs === 'private' ? PRIVATE : 0);
  return LIST_KINDS.indexOf(entry.list) | (marks << LIST_BITS);
}

export function listOf(flags: number): ListKind {
  const list = LIST_KINDS[flags & ((1 << LIST_BITS) - 1)];
  if (!list) throw new DamagedError(`there is no list of these flags: ${flags}`);
  return list;
}

interface FrameHeader {
  readonly row: number;
  readonly flags: number;
  readonly reportedAt: number;
  readonly updatedAt: number;
}

function encodeFrame({ row, flags, reportedAt, updatedAt }: FrameHeader, text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32LE(length, LENGTH_AT);
  frame.writeUInt32LE(row, ROW_AT);
  frame.writeUInt8(flags, FLAGS_AT);
  frame.writeDoubleLE(reportedAt, REPORTED_AT);
  frame.writeDoubleLE(updatedAt, UPDATED_AT);
  frame.write(text, HEADER_BYTES);
  frame.writeUInt32LE(crc32(frame.subarray(LENGTH_AT)), 0);
  return frame;
}

/** @param bytes frames one after another. @throws {DamagedError} when one is not what was written */
export function readFrames(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length;) {
    const end =
      at + HEADER_BYTES <= bytes.length ? at + HEADER_BYTES + bytes.readUInt32LE(at + LENGTH_AT) : 0;
    if (end === 0 || end > bytes.length) throw new DamagedError('an entry is shorter than it was');
    const crc = bytes.readUInt32LE(at);
    if (crc !== crc32(bytes.subarray(at + LENGTH_AT, end))) throw new DamagedError('an entry is damaged');
    frames.push(new Frame(bytes, at, end, crc));
    at = end;
  }
  return frames;
}

export interface ReadyEntry {
  readonly row: number;
  readonly flags: number;
  readonly chatId: string;
  readonly summary: Buffer;
  readonly body: Buffer;
}

export function makeReady(row: number, entry: Entry): ReadyEntry {
  const flags = flagsOf(entry);
  const { _id, name, id, descHtml, verified, proofsId, reportId } = entry;
  const body: ListEntry = { _id, name, id, descHtml, verified, proofsId, reportId };
  const { reportedAt, updatedAt, excerpt } = toSummary(entry);
  const header = { row, flags, reportedAt, updatedAt };
  const summary = [_id, name, id, proofsId, reportId, excerpt];
  return {
    row,
    flags,
    chatId: id,
    summary: encodeFrame(header, JSON.stringify(summary)),
    body: encodeFrame(header, JSON.stringify(body)),
  };
}

/** @param summary frame of that kind */
export function readSummary(frame: Frame): EntrySummary {
  const { flags, reportedAt, updatedAt, isVerified, text } = frame;
  const [_id, name, id, proofsId, reportId, excerpt] = JSON.parse(text.toString()) as [
    string,
    string,
    string,
    string | null,
    string,
    string,
  ];
  return {
    _id,
    name,
    id,
    verified: isVerified,
    proofsId,
    reportId,
    list: listOf(flags),
    proofs: proofsOf(flags),
    reportedAt,
    updatedAt,
    excerpt,
  };
}

export function readEntry(body: Frame): Entry {
  const { flags, reportedAt, updatedAt } = body;
  const entry = JSON.parse(body.text.toString()) as ListEntry;
  const marks = { list: listOf(flags), proofs: proofsOf(flags) };
  return { ...entry, ...marks, reportedAt, updatedAt, visibleText: visibleText(entry.descHtml) };
}

/** What searches look into. */
export interface SearchedTexts {
  readonly name: string;
  readonly chatId: string;
  /** The reason as a reader sees it. */
  readonly reason: string;
}

export function readTexts(body: Frame): SearchedTexts {
  const { name, id, descHtml } = JSON.parse(body.text.toString()) as ListEntry;
  return { name, chatId: id, reason: visibleText(descHtml) };
}

function proofsOf(flags: number): ProofsState {
  if (hasMark(flags, PRIVATE)) return 'private';
  return hasMark(flags, PROOFS) ? 'public' : 'none';
}

function hasMark(flags: number, mark: number): boolean {
  return ((flags >> LIST_BITS) & mark) !== 0;
}
