/** What each thread of search-pool.ts runs: one search after another, over a database of its own. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../../db/reader.ts';
import type { ListKind } from '../entry.ts';
import type { EntriesPage } from '../list-entries.ts';
import { createSearchEngine } from './search-engine.ts';
import type { SearchQuery } from './search-engine.ts';

/** Lower than the thread that answers everybody: where there is one core too few, searches wait. */
const NICE = 10;

export interface SearchTask {
  readonly list: ListKind;
  readonly query: SearchQuery;
  /** Not 0 when nobody waits for the answer any more. */
  readonly abandoned: Int32Array<SharedArrayBuffer>;
}

/** Undefined: it was abandoned. */
export type SearchOutcome = { readonly page: EntriesPage | undefined } | { readonly error: Error };

class AbandonedError extends Error {
  override name = 'AbandonedError';
}

try {
  // On Linux this is about the calling thread alone.
  if (process.platform === 'linux') setPriority(NICE);
} catch {
  // A system that does not allow it: they share the cores as equals.
}

const { databasePath } = workerData as { databasePath: string };
const engine = createSearchEngine(openReader(databasePath, () => {}));
try {
  engine.prepare();
} catch {
  // The first search will say so.
}
parentPort?.on('message', (task: SearchTask) => parentPort?.postMessage(answer(task)));

function answer({ list, query, abandoned }: SearchTask): SearchOutcome {
  try {
    const goOn = (): void => {
      if (Atomics.load(abandoned, 0) !== 0) throw new AbandonedError();
    };
    return { page: engine.find(list, query, goOn) };
  } catch (error) {
    if (error instanceof AbandonedError) return { page: undefined };
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}
