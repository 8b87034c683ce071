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
import type { EntryJson } from '../read-entry.ts';
import { EntryFileError, entryFilePath, openEntryFile, readEntryFileHeader } from './entry-file.ts';
import type { EntryFile, FiledEntry } from './entry-file.ts';

/** An entry as the API sends it. */
export interface ReadyEntry {
  readonly list: ListKind;
  readonly json: Buffer;
  /** The JSON between what comes before and after it in an answer. */
  within(before: Buffer, after: Buffer): Buffer;
  /** Differs whenever the JSON does; undefined where only the JSON itself can tell. */
  readonly tag: string | undefined;
}

/** The part of the entries that the file tells of, at one moment of the database; no look at the database itself. */
export interface FiledEntries {
  readonly head: LogHead;
  /** Entries with this chat ID, at most one a list; undefined when the database has to be asked. */
  findById(chatId: string): readonly FiledEntry[] | undefined;
  /** As findById; undefined also when there is no public entry in this row. */
  findByRow(row: number): FiledEntry | undefined;
}

export interface ReadyEntries {
  /** The public entries with a chat ID, at most one a list. */
  findById(chatId: string): readonly ReadyEntry[];
  /** Undefined while the file does not help. It holds until something else has its turn. */
  filed(): FiledEntries | undefined;
  /** Resolves when the file that is there now is in use, or cannot be. */
  refresh(): Promise<void>;
  close(): void;
}

/** How often it is looked whether the worker has made another file. */
const LOOK_MS = 1_000;
/** With more changes than this, the file is not used: the worker is about to make another one. */
export const CHANGES_HELD_MAX = 20_000;

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
    held?.close();
    held = undefined;
  };

  const tell = (error: unknown): void => {
    const { code, message } = error as NodeJS.ErrnoException;
    // Told once, and not while there is none yet.
    if (code !== 'ENOENT' && message !== failure) onFailure(error);
    failure = message;
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
      const { made, history } = readEntryFileHeader(path);
      if (made === held?.made || made === refused) return;
      if (history !== readLogHead(db).history) return;
      const next = new Held(await openUnlessRefused(made), tell);
      try {
        // Of a long log, the larger part is read here, where others have their turn in between.
        while (!isClosed && next.catchUp(db) === 'more') await setImmediate();
      } catch (error) {
        next.close();
        throw error;
      }
      drop();
      if (isClosed) return next.close();
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

  const filed = (): Held | undefined => {
    const latest = generation();
    if (latest === known || !held) return held;
    const state = held.catchUp(db);
    if (state === 'useless') {
      refused = held.made;
      drop();
    }
    if (state !== 'done') return undefined;
    known = latest;
    return held;
  };

  return {
    findById: (chatId) => filed()?.findById(chatId) ?? listEntryJsonById(db, chatId).map(asReady),
    filed,
    refresh,
    close() {
      isClosed = true;
      clearInterval(timer);
      drop();
    },
  };
}

/** The file, and what it no longer tells. */
class Held implements FiledEntries {
  readonly #file: EntryFile;
  readonly #tell: (error: unknown) => void;
  /** Everything up to this change is known. */
  #head: LogHead;
  /** No change after the file's is missing in the log; true once it has been looked at. */
  #isLogWhole = false;
  /** hashName of the public IDs of changed entries. */
  readonly #changedEntries = new Set<number>();
  /** hashName of the chat IDs that changed entries have now. */
  readonly #changedIds = new Set<number>();

  /** @param tell of texts that are damaged */
  constructor(file: EntryFile, tell: (error: unknown) => void) {
    this.#file = file;
    this.#tell = tell;
    this.#head = file.header;
  }

  get made(): string {
    return this.#file.header.made;
  }

  get head(): LogHead {
    return this.#head;
  }

  findById(chatId: string): readonly FiledEntry[] | undefined {
    if (this.#changedIds.size > 0 && this.#changedIds.has(hashName(chatId))) return undefined;
    try {
      const found = this.#file.findById(chatId);
      return found?.every((entry) => this.#isAsFiled(entry)) ? found : undefined;
    } catch (error) {
      return this.#passOver(error);
    }
  }

  findByRow(row: number): FiledEntry | undefined {
    try {
      const found = this.#file.findByRow(row);
      return found && this.#isAsFiled(found) ? found : undefined;
    } catch (error) {
      return this.#passOver(error);
    }
  }

  /**
   * Reads at most CHANGES_STEP changes.
   * @returns whether everything is known up to the newest change
   */
  catchUp(db: Database): 'done' | 'more' | 'useless' {
    return db.snapshot(() => {
      const latest = readLogHead(db);
      const { history, seq: from } = this.#head;
      if (latest.history !== history || latest.seq < from) return 'useless';
      const { seq: filedSeq } = this.#file.header;
      if (latest.seq - filedSeq > CHANGES_HELD_MAX) return 'useless';
      this.#isLogWhole ||= isLogWholeSince(db, filedSeq);
      if (!this.#isLogWhole) return 'useless';
      const to = Math.min(latest.seq, from + CHANGES_STEP);
      if (to > from) this.#readChanges(db, from, to);
      this.#head = { history, seq: to };
      return to === latest.seq ? 'done' : 'more';
    });
  }

  close(): void {
    this.#file.close();
  }

  #readChanges(db: Database, from: number, to: number): void {
    const rows = db
      .statement<{ entry_id: string; chat_id: string | null }>(
        `SELECT changed.entry_id, chat_id FROM (SELECT DISTINCT entry_id FROM changes WHERE seq > ? AND seq <= ?) AS changed
         LEFT JOIN entries USING (entry_id)`,
      )
      .all(from, to);
    for (const { entry_id: entryId, chat_id: chatId } of rows) {
      this.#changedEntries.add(hashName(entryId));
      if (chatId !== null) this.#changedIds.add(hashName(chatId));
    }
  }

  #isAsFiled(entry: FiledEntry): boolean {
    return this.#changedEntries.size === 0 || !this.#changedEntries.has(hashName(entry.entryId));
  }

  /** The database answers instead; other texts of the file may be whole. */
  #passOver(error: unknown): undefined {
    if (!(error instanceof EntryFileError)) throw error;
    this.#tell(error);
    return undefined;
  }
}

/** Changes read at once; in between other requests have their turn. */
const CHANGES_STEP = 1_000;

/**
 * Numbers are found faster than strings that were just made. That two names have the same one does no harm: an entry is
 * read from the database that need not be.
 */
function hashName(name: string): number {
  return crc32(name);
}

/** The public entry of a row, from the database. */
export function findReadyEntry(db: Database, row: number): (ReadyEntry & EntryJson) | undefined {
  const found = findEntryJson(db, row);
  return found && asReady(found);
}

function asReady(entry: EntryJson): ReadyEntry & EntryJson {
  const within = (before: Buffer, after: Buffer): Buffer => Buffer.concat([before, entry.json, after]);
  return { ...entry, tag: undefined, within };
}
