/** A progress bar on standard error, where a person watches; silent elsewhere, so that logs and pipes stay clean. */

export interface ProgressBar {
  /** @param done of `total`; unknown totals are shown as a count */
  update(done: number, note?: string): void;
  end(): void;
}

const WIDTH = 30;
const REDRAW_MS = 100;

export function createProgressBar(total: number | undefined, stream = process.stderr): ProgressBar {
  if (!stream.isTTY) return { update: () => {}, end: () => {} };
  let drawnAt = 0;
  return {
    update(done, note = '') {
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const share = total ? Math.min(1, done / total) : 0;
      const filled = Math.round(share * WIDTH);
      const bar = total
        ? `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${Math.floor(share * 100)}%`
        : '';
      stream.write(`\r${bar} ${note}\u001b[K`);
    },
    end() {
      stream.write('\r\u001b[K');
    },
  };
}
