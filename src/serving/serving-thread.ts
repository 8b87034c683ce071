/** The worker's thread that keeps the serving file: sorting and full text take seconds, and its other jobs go on. */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../db/database.ts';
import { checkFile, checkServing, createServingKeeper } from './keep-serving.ts';

export interface ServingTask {
  /** `follow`: until nothing is left to do; `check`: for damage, of the database too. */
  readonly kind: 'follow' | 'check';
  /** Not 0: end after this step. */
  readonly ending: Int32Array<SharedArrayBuffer>;
}

export type ServingOutcome =
  { readonly steps: number; readonly problems: readonly string[] } | { readonly error: Error };

const { databasePath } = workerData as { databasePath: string };
const main = openDatabase(databasePath, 'read');
const keeper = createServingKeeper(main);

parentPort?.on('message', (task: ServingTask) => {
  work(task).then(
    (outcome) => parentPort?.postMessage(outcome),
    (error: unknown) =>
      parentPort?.postMessage({ error: error instanceof Error ? error : new Error(String(error)) }),
  );
});

async function work({ kind, ending }: ServingTask): Promise<ServingOutcome> {
  if (kind === 'check') return { steps: 0, problems: [...checkFile(main), ...checkServing(databasePath)] };
  let steps = 0;
  while (Atomics.load(ending, 0) === 0 && keeper.step()) {
    steps += 1;
    await setImmediate();
  }
  return { steps, problems: [] };
}
