/** A search thread whose searches do what their text says: `stay` until they are abandoned, `end` the thread, or answer. */
import { parentPort } from 'node:worker_threads';
import type { PostedTask, SearchOutcome } from '#src/serving/search-thread.ts';

parentPort?.on('message', ({ task, abandoned }: PostedTask) => {
  const { search = '' } = task.kind === 'check' ? task : task.query;
  if (search === 'end') process.exit(3);
  // The service sets the flag and wakes nobody.
  while (search === 'stay' && Atomics.wait(abandoned, 0, 0, 10) === 'timed-out');
  const isAbandoned = Atomics.load(abandoned, 0) !== 0;
  const found = { frames: new Uint8Array(0), total: search.length };
  const later: SearchOutcome = { later: true };
  parentPort?.postMessage(
    search === 'later' ? later : ({ found: isAbandoned ? undefined : found } satisfies SearchOutcome),
  );
});
