/** A search thread whose searches do what their text says: `stay` until a file is there, `end` the thread, `fail`, or answer. */
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { SearchOutcome, SearchTask } from '#src/search/search-thread.ts';

const { databasePath } = workerData as { databasePath: string };
const finish = `${databasePath}.finish`;
const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

parentPort?.on('message', ({ query: { search } }: SearchTask) => {
  if (search === 'end') process.exit(3);
  while (search === 'stay' && !existsSync(finish)) Atomics.wait(cell, 0, 0, 10);
  const outcome: SearchOutcome =
    search === 'fail' ? { error: new Error('failed') } : { found: { rows: [], total: search.length } };
  parentPort?.postMessage(outcome);
});
