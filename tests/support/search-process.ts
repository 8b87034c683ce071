/** A search thread whose searches do what their text says: `stay` until they are abandoned, `end` the thread, or answer. */
import { parentPort } from 'node:worker_threads';
import type { SearchOutcome, SearchTask } from '#src/entries/search/search-thread.ts';

parentPort?.on('message', ({ query, abandoned }: SearchTask) => {
  if (query.search === 'end') process.exit(3);
  if (query.search === 'stay') Atomics.wait(abandoned, 0, 0);
  const isAbandoned = Atomics.load(abandoned, 0) !== 0;
  const total = query.search.length;
  const outcome: SearchOutcome = { page: isAbandoned ? undefined : { entries: [], total, hasMore: false } };
  parentPort?.postMessage(outcome);
});
