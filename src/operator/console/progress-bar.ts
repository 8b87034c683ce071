/** A progress bar on standard error, where a person watches; silent elsewhere, so that logs and pipes stay clean. */

const WIDTH = 30;
const REDRAW_MS = 100;

export type ProgressBar = ReturnType<typeof createProgressBar>;

export function createProgressBar(total: number | undefined, stream = process.stderr) {
  let drawnAt = 0;
  const end = (): void => void (stream.isTTY && stream.write('\r\u001b[K'));
  return {
    /** The progress, compared with `total` where that is known. */
    done: 0,
    update(done: number, facts = ''): void {
      this.done = done;
      const now = performance.now();
      if (!stream.isTTY || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const share = total ? Math.min(1, done / total) : 0;
      const filled = Math.round(share * WIDTH);
      const bar = total
        ? `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${Math.floor(share * 100)}%`
        : '';
      stream.write(`\r${bar} ${facts}\u001b[K`);
    },
    end,
    [Symbol.dispose]: end,
  };
}
