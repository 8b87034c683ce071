/** What visitors ask on a busy day, at 70 % of what the machine can do: no error, and everything comes soon. */
import autocannon from 'autocannon';
import type { Result } from 'autocannon';
import { openDatabase } from '#src/db/database.ts';
import { getBenchDatabase } from '../bench/bench-database.ts';
import {
  createRandom,
  randomHtmlPages,
  randomIds,
  randomNames,
  randomPages,
  randomSearches,
} from '../bench/questions.ts';
import { startService } from './service.ts';
import { QUICK_FACTOR } from './scenario.ts';
import type { Finding, Scenario } from './scenario.ts';

const ENTRIES = { full: 100_000, quick: 1_000 };
const SECONDS = { full: 60, quick: 8 };
const MEASURE_SECONDS = { full: 10, quick: 4 };
const ADDRESSES = 10_000;
const SHARE = 0.7;
const P99_MS = { api: 20, pages: 150 };
const CONNECTIONS = { api: 24, pages: 8 };
const SEED = 11;
/** Of a hundred. */
const MIX = { ids: 70, nicks: 10, lists: 10, pages: 8, searches: 2 };
const ROUNDS = 200;

export const load: Scenario = {
  name: 'load',
  rows: 'load',
  isAlone: true,
  isLong: true,
  async run({ isQuick }) {
    const of = <T>(given: { readonly full: T; readonly quick: T }): T => (isQuick ? given.quick : given.full);
    const entries = of(ENTRIES);
    const path = await getBenchDatabase(entries);
    const service = await startService(path);
    try {
      const { api, pages } = drawQuestions(path, entries);
      const drive = (seconds: number, rate?: number): Promise<readonly [Result, Result]> =>
        Promise.all([
          run(service.origin, api, CONNECTIONS.api, seconds, rate && rate * (1 - MIX.pages / 100)),
          run(service.origin, pages, CONNECTIONS.pages, seconds, rate && (rate * MIX.pages) / 100),
        ]);
      const capacity = capacityOf(await drive(of(MEASURE_SECONDS)));
      const measured = await drive(of(SECONDS), SHARE * capacity);
      return measured.map((result, at) =>
        judge(result, at === 0 ? 'api' : 'pages', isQuick ? QUICK_FACTOR : 1),
      );
    } finally {
      await service.end();
    }
  },
};

/** The mix as a whole can be no faster than its slower part. */
function capacityOf([api, pages]: readonly [Result, Result]): number {
  const share = MIX.pages / 100;
  return Math.min(api.requests.average / (1 - share), pages.requests.average / share);
}

function judge(
  { requests, latency, errors, non2xx }: Result,
  kind: keyof typeof P99_MS,
  factor: number,
): Finding {
  const failures = errors + non2xx;
  return {
    fault: `${kind}: ${Math.round(requests.average).toLocaleString('en')} a second, 70 % of what is possible`,
    found: `${failures} errors, p50 ${latency.p50} ms, p99 ${latency.p99} ms`,
    isRight: failures === 0 && latency.p99 <= factor * P99_MS[kind],
  };
}

function run(
  url: string,
  paths: readonly string[],
  connections: number,
  duration: number,
  rate: number | undefined,
): Promise<Result> {
  const requests = paths.map((path, at) => {
    const client = at % ADDRESSES;
    return { path, headers: { 'X-Forwarded-For': `10.14.${client >>> 8}.${client & 255}` } };
  });
  return autocannon({ url, connections, duration, requests, ...(rate && { overallRate: Math.ceil(rate) }) });
}

function drawQuestions(
  databasePath: string,
  entries: number,
): { readonly api: string[]; readonly pages: string[] } {
  const db = openDatabase(databasePath, 'read');
  try {
    const random = createRandom(SEED);
    const skipMax = Math.min(entries, 20_000);
    const questions = [
      randomIds(db, random, MIX.ids * ROUNDS).map((id) => `/api/check?id=${id}`),
      randomNames(db, random, MIX.nicks * ROUNDS).map((name) => `/api/check?search=${name}`),
      randomPages(random, MIX.lists * ROUNDS, skipMax),
      randomSearches(db, random, MIX.searches * ROUNDS, false),
    ].flat();
    // Mixed, so that each connection gets some of each.
    const api = questions.map((path) => ({ path, at: random() })).sort((a, b) => a.at - b.at);
    return { api: api.map(({ path }) => path), pages: randomHtmlPages(random, ADDRESSES, skipMax) };
  } finally {
    db.close();
  }
}
