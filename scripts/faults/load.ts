/** What visitors ask on a busy day, at 70 % of what the machine can do: no error, and everything comes soon. */
import { Agent } from 'node:http';
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
import { askAs, askAtRate, askInTurn } from './visitors.ts';
import { startService } from './service.ts';
import { QUICK_FACTOR } from './scenario.ts';
import type { Finding, Scenario } from './scenario.ts';

const ENTRIES = { full: 100_000, quick: 1_000 };
const SECONDS = { full: 60, quick: 8 };
const MEASURE_SECONDS = { full: 10, quick: 4 };
const ADDRESSES = 10_000;
const SHARE = 0.7;
const P99_MS = { api: 20, pages: 150 };
/** While it is measured what is possible. */
const CONNECTIONS = 32;
const SEED = 11;
/** Of a hundred. */
const MIX = { ids: 70, nicks: 10, lists: 10, searches: 2, pages: 8 };
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
      const { perSecond, asked } = await askInTurn(
        service.origin,
        { connections: CONNECTIONS, seconds: of(MEASURE_SECONDS) },
        (at) => ({ path: questions[at % questions.length]?.path ?? '', address: addressOf(at) }),
      );
      const rate = SHARE * perSecond;
      const measured = await ask(service.origin, questions.slice(asked), rate, of(SECONDS) * 1_000);
      return (['api', 'pages'] as const).map((part) =>
        judge(part, rate, measured, isQuick ? QUICK_FACTOR : 1),
      );
    } finally {
      await service.end();
    }
  },
};

interface Question {
  readonly kind: Kind;
  readonly path: string;
}

interface Measured {
  readonly failures: Record<Kind, number>;
  /** Milliseconds that each answer took. */
  readonly times: Readonly<Record<Kind, number[]>>;
}

async function ask(
  origin: string,
  questions: readonly Question[],
  rate: number,
  lastsMs: number,
): Promise<Measured> {
  const measured: Measured = {
    failures: { ids: 0, nicks: 0, lists: 0, searches: 0, pages: 0 },
    times: { ids: [], nicks: [], lists: [], searches: [], pages: [] },
  };
  const agent = new Agent({ keepAlive: true });
  await askAtRate(rate, lastsMs, async (at) => {
    const question = questions[at % questions.length];
    if (!question) return;
    const { kind, path } = question;
    const begun = performance.now();
    const answer = await askAs(origin + path, addressOf(at), agent).catch(() => undefined);
    measured.times[kind].push(performance.now() - begun);
    if (answer?.statusCode !== 200) measured.failures[kind] += 1;
  });
  agent.destroy();
  return measured;
}

function addressOf(at: number): string {
  const client = at % ADDRESSES;
  return `10.14.${client >>> 8}.${client & 255}`;
}

function judge(
  part: keyof typeof P99_MS,
  rate: number,
  { failures, times }: Measured,
  factor: number,
): Finding {
  const kinds = KINDS.filter((kind) => (kind === 'pages') === (part === 'pages'));
  const failed = kinds.reduce((sum, kind) => sum + failures[kind], 0);
  const all = kinds.flatMap((kind) => times[kind]);
  const p99 = percentile(all, 0.99);
  const each = kinds
    .map((kind) => `${kind} ${percentile(times[kind], 0.5)} and ${percentile(times[kind], 0.99)}`)
    .join(', ');
  return {
    fault: `${part} at 70 % of what is possible: ${Math.round(rate).toLocaleString('en')} questions a second`,
    found: `${all.length.toLocaleString('en')} answers, ${failed} errors, p99 ${p99} ms; p50 and p99: ${each} ms`,
    isRight: failed === 0 && p99 <= factor * P99_MS[part],
  };
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
}

/** In random order. */
function drawQuestions(databasePath: string, entries: number): Question[] {
  const db = openDatabase(databasePath, 'read');
  try {
    const random = createRandom(SEED);
    const skipMax = Math.min(entries, 20_000);
    const countOf = (kind: Kind): number => MIX[kind] * ROUNDS;
    const paths: Record<Kind, string[]> = {
      ids: randomIds(db, random, countOf('ids')).map((id) => `/api/check?id=${id}`),
      nicks: randomNames(db, random, countOf('nicks')).map((name) => `/api/check?search=${name}`),
      lists: randomPages(random, countOf('lists'), skipMax),
      searches: randomSearches(db, random, countOf('searches'), false),
      pages: randomHtmlPages(random, countOf('pages'), skipMax),
    };
    return KINDS.flatMap((kind) => paths[kind].map((path) => ({ kind, path, at: random() })))
      .sort((a, b) => a.at - b.at)
      .map(({ kind, path }) => ({ kind, path }));
  } finally {
    db.close();
  }
}
