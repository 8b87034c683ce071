/**
 * Answers leave together, once a turn of the event loop. Each one that leaves alone wakes its reader up, at the price of
 * some of the answer's own work; many that leave one after the other wake him once. With one client nothing waits: the
 * turn ends when its request has been dealt with.
 */
export type BatchedResponses<Item> = (item: Item) => void;

export function createBatchedResponses<Item>(write: (item: Item) => void): BatchedResponses<Item> {
  let waiting: Item[] = [];
  const flush = (): void => {
    const leaving = waiting;
    waiting = [];
    for (const item of leaving) write(item);
  };
  return (item) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(item);
  };
}
