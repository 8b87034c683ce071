/** The keeper of the serving file works in batches. A batch ends at a number of rows or of bytes. */

/** Texts take several times these bytes during the work; the keeper's thread has 512 MiB. */
export const BATCH_BYTES = 8 * 1024 * 1024;

/** Takes items until the next one would exceed the bytes; takes at least one. */
export function takeBatch<T>(items: Iterable<T>, batchBytes: number, bytesOf: (item: T) => number): T[] {
  const batch: T[] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += bytesOf(item);
    if (batch.length > 0 && bytes > batchBytes) break;
    batch.push(item);
  }
  return batch;
}
