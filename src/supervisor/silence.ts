/**
 * How long a process has said nothing although it could: the time that its main thread ran or stood still. While it waits
 * for a processor or for the disk, the machine is slow, and nothing is wrong with it.
 */
import { readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;
/** Stopped by a signal or a debugger, or asleep; a process that works is awake every few seconds. */
const STILL = /[TtS]/;

export type Silence = ReturnType<typeof createSilence>;

export function createSilence(pid: number) {
  let silentMs = 0;
  let before = readThread(pid);
  return {
    /** Counts the time since the last look. @returns milliseconds */
    look(elapsedMs: number): number {
      const now = readThread(pid);
      // Without /proc (macOS), all time counts.
      silentMs += !now || !before || now.isStill ? elapsedMs : now.ranMs - before.ranMs;
      before = now;
      return silentMs;
    },
    /** It said something. */
    break(): void {
      silentMs = 0;
    },
  };
}

function readThread(pid: number): { readonly isStill: boolean; readonly ranMs: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    // The name of the program before the last bracket may hold anything.
    const facts = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', userTicks, systemTicks] = [facts[0], facts[11], facts[12]];
    return { isStill: STILL.test(state), ranMs: (Number(userTicks) + Number(systemTicks)) * TICK_MS };
  } catch {
    return undefined;
  }
}
