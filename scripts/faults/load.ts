/** What visitors ask on a busy day, at 70 % of what the machine can do: no error, and everything comes soon. */
import autocannon from 'autocannon';
import type { Request, Result } from 'autocannon';
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
/** While it is measured what is possible, everybody asks everything. */
const CONNECTIONS = 32;
const SEED = 11;
/** Of a hundred. Visitors are many: who checks an ID does not stand in a row behind somebody else's search. */
const MIX = {
  ids: { share: 70, connections: 16, of: 'api' },
  nicks: { share: 10, connections: 8, of: 'api' },
  lists: { share: 10, connections: 8, of: 'api' },
  searches: { share: 2, connections: 16, of: 'api' },
  pages: { share: 8, connections: 16, of: 'pages' },
} as const;
type Kind = keyof typeof MIX;
const KINDS = Object.keys(MIX) as Kind[];
/** So many times the mix that hardly anything is asked twice, and comes out of the cache. */
const ROUNDS = 2_000;

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
      const questions = drawQuestions(path, entries);
      const capacity = await measureCapacity(service.origin, questions, of(MEASURE_SECONDS));
      const rate = SHARE * capacity;
      const measured = await Promise.all(
        KINDS.map(async (kind) => ({
          kind,
          ...(await drive(
            service.origin,
            questions[kind],
            MIX[kind].connections,
            of(SECONDS),
            rateOf(kind, rate),
          )),
        })),
      );
      return (['api', 'pages'] as const).map((part) =>
        judge(
          part,
          measured.filter(({ kind }) => MIX[kind].of === part),
          isQuick ? QUICK_FACTOR : 1,
        ),
      );
    } finally {
      await service.end();
    }
  },
};

interface Driven {
  readonly result: Result;
  /** Milliseconds that each answer took. */
  readonly times: readonly number[];
}

function rateOf(kind: Kind, rate: number): number {
  return Math.ceil((rate * MIX[kind].share) / 100);
}

/** @returns requests a second when some connections ask the mix, each one as soon as it has the last answer */
async function measureCapacity(
  origin: string,
  questions: Readonly<Record<Kind, readonly string[]>>,
  seconds: number,
): Promise<number> {
  const random = createRandom(SEED);
  const mixed = KINDS.flatMap((kind) => questions[kind])
    .map((path) => ({ path, at: random() }))
    .sort((a, b) => a.at - b.at);
  const { result } = await drive(
    origin,
    mixed.map(({ path }) => path),
    CONNECTIONS,
    seconds,
  );
  return result.requests.average;
}

function judge(
  part: keyof typeof P99_MS,
  measured: readonly (Driven & { readonly kind: Kind })[],
  factor: number,
): Finding {
  const rate = measured.reduce((sum, { result }) => sum + result.requests.average, 0);
  const failures = measured.reduce((sum, { result }) => sum + result.errors + result.non2xx, 0);
  const wanted = measured.reduce((sum, { kind }) => sum + MIX[kind].share, 0);
  const p99 = percentile(
    measured.flatMap(({ times }) => times),
    0.99,
  );
  const each = measured
    .map(({ kind, times }) => `${kind} ${percentile(times, 0.5)} and ${percentile(times, 0.99)}`)
    .join(', ');
  return {
    fault: `${part}: ${Math.round(rate).toLocaleString('en')} a second, 70 % of what is possible (${wanted} of 100 questions)`,
    found: `${failures} errors, p99 ${p99} ms; p50 and p99: ${each} ms`,
    isRight: failures === 0 && p99 <= factor * P99_MS[part],
  };
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
}

function drive(
  url: string,
  paths: readonly string[],
  connections: number,
  duration: number,
  overallRate?: number,
): Promise<Driven> {
  let asked = 0;
  const setupRequest = (request: Request): Request => {
    const client = asked % ADDRESSES;
    const path = paths[asked % paths.length] ?? '';
    asked += 1;
    return { ...request, path, headers: { 'X-Forwarded-For': `10.14.${client >>> 8}.${client & 255}` } };
  };
  const times: number[] = [];
  return new Promise((resolve, reject) => {
    const options = {
      url,
      connections,
      duration,
      requests: [{ setupRequest }],
      ...(overallRate && { overallRate }),
    };
    const instance = autocannon(options, (error, result) => {
      if (error) reject(error as Error);
      else resolve({ result, times });
    });
    instance.on('response', (_client, _status, _bytes, milliseconds) => void times.push(milliseconds));
  });
}

function drawQuestions(databasePath: string, entries: number): Readonly<Record<Kind, readonly string[]>> {
  const db = openDatabase(databasePath, 'read');
  try {
    const random = createRandom(SEED);
    const skipMax = Math.min(entries, 20_000);
    const countOf = (kind: Kind): number => MIX[kind].share * ROUNDS;
    return {
      ids: randomIds(db, random, countOf('ids')).map((id) => `/api/check?id=${id}`),
      nicks: randomNames(db, random, countOf('nicks')).map((name) => `/api/check?search=${name}`),
      lists: randomPages(random, countOf('lists'), skipMax),
      searches: randomSearches(db, random, countOf('searches'), false),
      pages: randomHtmlPages(random, countOf('pages'), skipMax),
    };
  } finally {
    db.close();
  }
}
