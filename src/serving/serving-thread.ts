/** The worker's thread that keeps the serving file: sorting and full text take seconds, and its other jobs go on. */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../db/database.ts';
import { createServingKeeper } from './keep-serving.ts';

/** Goes on until nothing is left to do. */
export interface ServingTask {
  /** Not 0: end after this step. */
  readonly ending: Int32Array<SharedArrayBuffer>;
}

export type ServingOutcome = { readonly steps: number } | { readonly error: Error };

const { databasePath } = workerData as { databasePath: string };
const keeper = createServingKeeper(openDatabase(databasePath, 'read'));

parentPort?.on('message', (task: ServingTask) => {
  work(task).then(
    (outcome) => parentPort?.postMessage(outcome),
    (error: unknown) =>
      parentPort?.postMessage({ error: error instanceof Error ? error : new Error(String(error)) }),
  );
});

async function work({ ending }: ServingTask): Promise<ServingOutcome> {
  let steps = 0;
  while (Atomics.load(ending, 0) === 0 && keeper.step()) {
    steps += 1;
    await setImmediate();
  }
  return { steps };
}
