/** What the thread of search-pool.ts runs: one task after another, with database handles of its own. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../db/reader.ts';
import { NotReadyError, SearchEngine } from './search-engine.ts';
import type { Found, SearchTask } from './search-engine.ts';
import { DamagedError } from './serving-file.ts';

/** Lower than the thread that answers everybody: where there is one core too few, searches wait. */
const NICE = 10;
/** What is answered without a serving file may take so long. */
const WORK_MAX_MS = 2_000;

export interface PostedTask {
  readonly task: SearchTask;
  /** Not 0 when nobody waits for the answer any more. */
  readonly abandoned: Int32Array<SharedArrayBuffer>;
}

/** `later`: it cannot be answered yet, or would take too long; undefined: it was abandoned. */
export type SearchOutcome =
  { readonly found: Found | undefined } | { readonly later: true } | { readonly error: Error };

class AbandonedError extends Error {}

try {
  // On Linux this is about the calling thread alone.
  if (process.platform === 'linux') setPriority(NICE);
} catch {
  // A system that does not allow it: they share the cores as equals.
}

const { databasePath } = workerData as { databasePath: string };
const engine = new SearchEngine(
  openReader(databasePath, () => {}),
  () => {},
);
parentPort?.on('message', (posted: PostedTask) => {
  const outcome = answer(posted);
  const frames = 'found' in outcome ? outcome.found?.frames : undefined;
  parentPort?.postMessage(outcome, frames ? [frames.buffer] : []);
});

function answer({ task, abandoned }: PostedTask): SearchOutcome {
  const deadline = performance.now() + WORK_MAX_MS;
  try {
    const goOn = (): void => {
      if (Atomics.load(abandoned, 0) !== 0) throw new AbandonedError();
      if (performance.now() > deadline) throw new NotReadyError('it takes too long');
    };
    return { found: engine.answer(task, goOn) };
  } catch (error) {
    if (error instanceof AbandonedError) return { found: undefined };
    if (error instanceof NotReadyError || error instanceof DamagedError) return { later: true };
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}
