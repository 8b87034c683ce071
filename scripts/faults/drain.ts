/** The service is asked to end under load: every answer that was begun comes whole, and all of it is gone in ten seconds. */
import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#src/db/database.ts';
import { getBenchDatabase } from '../bench/bench-database.ts';
import { createRandom, letterSearches, randomHtmlPages, randomIds, randomPages } from '../bench/questions.ts';
import { seconds } from './fault.ts';
import { startService } from './service.ts';
import type { Finding, Scenario } from './scenario.ts';

const GONE_WITHIN_MS = 10_000;
const CLIENTS = 32;
const LOAD_MS = 3_000;
const SEED = 7;
const FULL_ENTRIES = 1_000_000;
const QUICK_ENTRIES = 1_000;

export const drain: Scenario = {
  name: 'drain',
  rows: 'F20',
  isAlone: true,
  async run({ isQuick }) {
    const entries = isQuick ? QUICK_ENTRIES : FULL_ENTRIES;
    const path = await getBenchDatabase(entries);
    const service = await startService(path);
    const paths = mixedPaths(path, entries);
    const count = { whole: 0, cut: 0 };
    const ended = new AbortController();
    const clients = Array.from({ length: CLIENTS }, (_, at) =>
      ask(service.origin, paths, at, count, ended.signal),
    );
    await setTimeout(LOAD_MS);
    const goneMs = await service.end();
    ended.abort();
    await Promise.all(clients);
    return [
      {
        fault: `SIGTERM under load, ${entries.toLocaleString('en')} entries`,
        found: `gone after ${seconds(goneMs)}, ${count.cut} of ${count.cut + count.whole} answers cut`,
        isRight: goneMs <= GONE_WITHIN_MS && count.cut === 0,
      } satisfies Finding,
    ];
  },
};

function mixedPaths(databasePath: string, entries: number): string[] {
  const db = openDatabase(databasePath, 'read');
  try {
    const random = createRandom(SEED);
    const skipMax = Math.min(entries, 20_000);
    return [
      ...randomIds(db, random, 100).map((id) => `/api/check?id=${id}`),
      ...randomPages(random, 100, skipMax),
      ...randomHtmlPages(random, 100, skipMax),
      ...letterSearches(100),
    ];
  } finally {
    db.close();
  }
}

/** One client that asks on until nobody listens any more. */
async function ask(
  origin: string,
  paths: readonly string[],
  client: number,
  count: { whole: number; cut: number },
  signal: AbortSignal,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let at = client; !signal.aborted; at += CLIENTS + 1) {
    const headers = { 'X-Forwarded-For': `10.8.${(at >>> 8) & 255}.${at & 255}` };
    const found = await askOnce(`${origin}${paths[at % paths.length]}`, agent, headers);
    if (found === 'refused') break;
    count[found] += 1;
  }
  agent.destroy();
}

/** @returns refused: no byte of an answer came */
function askOnce(
  url: string,
  agent: Agent,
  headers: Record<string, string>,
): Promise<'whole' | 'cut' | 'refused'> {
  return new Promise((resolve) => {
    const request = get(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.once('close', () => resolve(answer.complete ? 'whole' : 'cut'));
    });
    // Before the head: the connection was closed between two questions, which HTTP allows.
    request.once('error', () => resolve('refused'));
  });
}
