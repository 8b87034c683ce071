/**
 * Entries by ID in the web process: out of the entry file as long as they have not changed since it was made, else from
 * the database. No older than the generation of the data.
 */
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { readLogHead } from '../../changes/log-head.ts';
import type { LogHead } from '../../changes/log-head.ts';
import type { Database } from '../../db/database.ts';
import { isLogWholeSince } from '../changed-names.ts';
import type { ListKind } from '../entry.ts';
import { findEntryJson, listEntryJsonById } from '../read-entry.ts';
import type { EntryJson, PlacedEntry } from '../read-entry.ts';
import { EntryFileError, entryFilePath, openEntryFile, readEntryFileHeader } from './entry-file.ts';
import type { EntryFile, FiledEntry } from './entry-file.ts';

/** An entry as the API sends it. */
export interface ReadyEntry {
  readonly list: ListKind;
  readonly json: Buffer;
  /** Differs whenever the JSON does; undefined where only the JSON itself can tell. */
  readonly tag: string | undefined;
}

export type PlacedReadyEntry = ReadyEntry & PlacedEntry;

export interface ReadyEntries {
  /** The public entries with a chat ID, at most one a list. */
  findById(chatId: string): readonly ReadyEntry[];
  /**
   * The public entry of a row, at a moment of the database.
   * @param head where the log stands, read in the same snapshot
   */
  findByRow(row: number, head: LogHead): PlacedReadyEntry | undefined;
  /** Resolves when the file that is there now is in use, or cannot be. */
  refresh(): Promise<void>;
  close(): void;
}

/** How often it is looked whether the worker has made another file. */
const LOOK_MS = 1_000;
/** With more changes than this, the file is not used: the worker is about to make another one. */
export const CHANGES_HELD_MAX = 20_000;

/** The file, and what it no longer tells. */
interface Held {
  readonly file: EntryFile;
  /** Everything up to this change is known. */
  seq: number;
  /** No change after the file's is missing in the log; true once it has been looked at. */
  isLogWhole: boolean;
  /** hashName of the public IDs of changed entries. */
  readonly changedEntries: Set<number>;
  /** hashName of the chat IDs that changed entries have now. */
  readonly changedIds: Set<number>;
}

/**
 * @param generation changes with the data
 * @param onFailure told when there is a file that cannot be used
 */
export function createReadyEntries(
  db: Database,
  generation: () => number,
  onFailure: (error: unknown) => void,
): ReadyEntries {
  const path = entryFilePath(db.path);
  let held: Held | undefined;
  let failure: string | undefined;
  let known = Number.NaN;
  let refreshing: Promise<void> | undefined;
  let isClosed = false;

  /** Name of the last file that turned out not to help: it is not read again at every look. */
  let refused: string | undefined;

  const drop = (): void => {
    held?.file.close();
    held = undefined;
  };

  const tell = (error: unknown): void => {
    const { code, message } = error as NodeJS.ErrnoException;
    // Told once, and not while there is none yet.
    if (code !== 'ENOENT' && message !== failure) onFailure(error);
    failure = message;
  };

  /** The database answers instead; other texts of the file may be whole. */
  const passOver = (error: unknown): void => {
    if (!(error instanceof EntryFileError)) throw error;
    tell(error);
  };

  const openUnlessRefused = async (made: string): Promise<EntryFile> => {
    try {
      return await openEntryFile(path);
    } catch (error) {
      if (error instanceof EntryFileError) refused = made;
      throw error;
    }
  };

  const load = async (): Promise<void> => {
    try {
      const { made, history, seq } = readEntryFileHeader(path);
      if (made === held?.file.header.made || made === refused) return;
      if (history !== readLogHead(db).history) return;
      const file = await openUnlessRefused(made);
      const next: Held = { file, seq, isLogWhole: false, changedEntries: new Set(), changedIds: new Set() };
      try {
        // Of a long log, the larger part is read here, where others have their turn in between.
        while (!isClosed && catchUp(db, next, readLogHead(db)) === 'more') await setImmediate();
      } catch (error) {
        file.close();
        throw error;
      }
      drop();
      if (isClosed) return file.close();
      held = next;
      known = Number.NaN;
      failure = undefined;
    } catch (error) {
      tell(error);
    }
  };
  const refresh = (): Promise<void> => (refreshing ??= load().finally(() => (refreshing = undefined)));
  void refresh();
  const timer = setInterval(() => void refresh(), LOOK_MS).unref();

  /** In a snapshot of the database. */
  const catchUpIn = (now: Held, head: LogHead): ReturnType<typeof catchUp> => {
    const state = catchUp(db, now, head);
    if (state === 'useless') {
      refused = now.file.header.made;
      drop();
    }
    return state;
  };

  /** Undefined when the file does not help now. */
  const current = (): Held | undefined => {
    const latest = generation();
    if (latest === known) return held;
    if (!held) return undefined;
    const now = held;
    if (db.snapshot(() => catchUpIn(now, readLogHead(db))) !== 'done') return undefined;
    known = latest;
    return held;
  };

  const isAsFiled = ({ changedEntries }: Held, found: readonly FiledEntry[]): boolean =>
    changedEntries.size === 0 || !found.some(({ entryId }) => changedEntries.has(hashName(entryId)));

  return {
    findById(chatId) {
      try {
        const now = current();
        if (now && (now.changedIds.size === 0 || !now.changedIds.has(hashName(chatId)))) {
          const found = now.file.findById(chatId);
          if (found && isAsFiled(now, found)) return found;
        }
      } catch (error) {
        passOver(error);
      }
      return listEntryJsonById(db, chatId).map(asReady);
    },
    findByRow(row, head) {
      try {
        const filed = held && catchUpIn(held, head) === 'done' ? held.file.findByRow(row) : undefined;
        if (filed && held && isAsFiled(held, [filed])) return new FiledPlace(db, filed);
      } catch (error) {
        passOver(error);
      }
      const found = findEntryJson(db, row);
      return found && { ...found, tag: undefined };
    },
    refresh,
    close() {
      isClosed = true;
      clearInterval(timer);
      drop();
    },
  };
}

/** What orders it is seldom asked for, and read only then: it may have changed without a change of the entry. */
class FiledPlace implements PlacedReadyEntry {
  readonly list: ListKind;
  readonly entryId: string;
  readonly json: Buffer;
  readonly tag: string;
  readonly #db: Database;
  readonly #row: number;
  #order: { views: number; reported_at: number } | undefined;

  constructor(db: Database, { list, entryId, json, tag, row }: FiledEntry) {
    this.#db = db;
    this.#row = row;
    this.list = list;
    this.entryId = entryId;
    this.json = json;
    this.tag = tag;
  }

  get views(): number {
    return this.#read().views;
  }

  get reportedAt(): number {
    return this.#read().reported_at;
  }

  #read(): { views: number; reported_at: number } {
    this.#order ??= this.#db
      .statement<{ views: number; reported_at: number }>(
        'SELECT views, reported_at FROM entries WHERE row = ?',
      )
      .get(this.#row);
    return this.#order ?? { views: 0, reported_at: 0 };
  }
}

/** A list of more would be longer than a hash is worth. */
const TAGS_MAX = 8;

/** ETag of an answer that is made of these entries alone; undefined when only the answer's own bytes tell. */
export function tagOf(found: readonly ReadyEntry[]): string | undefined {
  if (found.length === 0 || found.length > TAGS_MAX) return undefined;
  const [only] = found;
  if (only && found.length === 1) return only.tag && `"${only.tag}"`;
  const tags = found.map(({ tag }) => tag);
  return tags.includes(undefined) ? undefined : `"${tags.join('.')}"`;
}

/**
 * Numbers are found faster than strings that were just made. That two names have the same one does no harm: an entry is
 * read from the database that need not be.
 */
function hashName(name: string): number {
  return crc32(name);
}

function asReady({ list, json }: EntryJson): ReadyEntry {
  return { list, json, tag: undefined };
}

/** Changes read at once; in between other requests have their turn. */
const CHANGES_STEP = 1_000;

/** @returns whether everything is known up to the newest change */
function catchUp(db: Database, held: Held, latest: LogHead): 'done' | 'more' | 'useless' {
  const { header } = held.file;
  if (latest.history !== header.history || latest.seq < held.seq) return 'useless';
  if (latest.seq - header.seq > CHANGES_HELD_MAX) return 'useless';
  if (latest.seq === held.seq && held.isLogWhole) return 'done';
  if (!held.isLogWhole && !isLogWholeSince(db, header.seq)) return 'useless';
  held.isLogWhole = true;
  const to = Math.min(latest.seq, held.seq + CHANGES_STEP);
  const rows = db
    .statement<{ entry_id: string; chat_id: string | null }>(
      `SELECT changed.entry_id, chat_id FROM (SELECT DISTINCT entry_id FROM changes WHERE seq > ? AND seq <= ?) AS changed
       LEFT JOIN entries USING (entry_id)`,
    )
    .all(held.seq, to);
  for (const { entry_id: entryId, chat_id: chatId } of rows) {
    held.changedEntries.add(hashName(entryId));
    if (chatId !== null) held.changedIds.add(hashName(chatId));
  }
  held.seq = to;
  return to === latest.seq ? 'done' : 'more';
}
