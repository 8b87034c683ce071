/** A progress bar on standard error, where a person watches; silent elsewhere, so that logs and pipes stay clean. */
import type { CliStreams } from './cli.ts';

const WIDTH = 30;
const REDRAW_MS = 100;

/** @param stream undefined: none @param total undefined: unknown, so that only facts are shown */
export function createProgressBar(stream: CliStreams['stderr'] | undefined, total: number | undefined) {
  let drawnAt = 0;
  const end = (): void => void (stream?.isTTY && stream.write('\r\u001b[K'));
  return {
    /** The progress, compared with `total` where that is known. */
    done: 0,
    update(done: number, facts = ''): void {
      this.done = done;
      const now = performance.now();
      if (!stream?.isTTY || now - drawnAt < REDRAW_MS) return;
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
