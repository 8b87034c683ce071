/** A search thread whose searches do what their text says: `stay` until they are abandoned, `end` the thread, or answer. */
import { parentPort } from 'node:worker_threads';
import type { PostedTask, SearchOutcome } from '#src/serving/search-thread.ts';

parentPort?.on('message', ({ task, abandoned }: PostedTask) => {
  if (task.kind !== 'check') throw new Error('only checks are asked here');
  if (task.search === 'end') process.exit(3);
  if (task.search === 'stay') Atomics.wait(abandoned, 0, 0);
  const isAbandoned = Atomics.load(abandoned, 0) !== 0;
  const found = { frames: new Uint8Array(0), total: task.search.length };
  const later: SearchOutcome = { later: true };
  parentPort?.postMessage(
    task.search === 'later' ? later : ({ found: isAbandoned ? undefined : found } satisfies SearchOutcome),
  );
});
