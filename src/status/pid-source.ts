/** A bot that writes its process ID into a file. */
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pidusage from 'pidusage';
import { toBotReading } from './bot-reading.ts';
import type { BotReading } from './bot-reading.ts';
import type { BotSource } from './bot-source.ts';

/** Between the two readings that the first use of the processor needs. */
const FIRST_SPAN_MS = 500;
/** pidusage remembers the last reading of a process for as long, and tells the mean since. */
const REMEMBERED_MS = 60_000;
/** A process that began later than this after its file was written is another one with the same number. */
const CLOCK_SLACK_MS = 5_000;

const OFFLINE: BotReading = { state: 'offline', uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };

export function createPidSource({ file }: { readonly file: string }): BotSource {
  let last: { pid: number; at: number } | undefined;
  return async (signal) => {
    const written = await readPidFile(file);
    if (!written) return OFFLINE;
    const { pid, writtenAt } = written;
    let usage = await readUsage(pid);
    if (!usage || Date.now() - usage.elapsed > writtenAt + CLOCK_SLACK_MS) return OFFLINE;
    const isFirst = last?.pid !== pid || Date.now() - last.at > REMEMBERED_MS / 2;
    last = { pid, at: Date.now() };
    if (isFirst) {
      await sleep(FIRST_SPAN_MS, undefined, { signal });
      usage = await readUsage(pid);
      if (!usage) return OFFLINE;
    }
    return toBotReading({
      state: 'running',
      uptimeMs: usage.elapsed,
      memoryBytes: usage.memory,
      cpuPercent: usage.cpu,
    });
  };
}

/** @returns undefined when there is no file. @throws when it holds no process ID */
async function readPidFile(file: string): Promise<{ pid: number; writtenAt: number } | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    if (!/^\s*[1-9]\d{0,9}\s*$/.test(text)) throw new Error('the pid file holds no process ID');
    return { pid: Number(text), writtenAt: mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @returns undefined when there is no such process */
async function readUsage(pid: number): Promise<pidusage.Status | undefined> {
  try {
    return await pidusage(pid, { maxage: REMEMBERED_MS });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
