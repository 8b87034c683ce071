/** The cases of the benchmark and what each is to reach. */
import type { Database } from '#src/db/database.ts';
import { LIMIT_MAX } from '#src/entries/list-query.ts';
import {
  createRandom,
  letterSearches,
  randomHtmlPages,
  randomIds,
  randomNames,
  randomPages,
  randomSearches,
  randomVerdicts,
} from './questions.ts';

export interface BenchCase {
  readonly name: string;
  readonly entries: number;
  readonly connections: number;
  /** Undefined where only the time counts. */
  readonly ratioGoal?: number;
  /** Requests a second that are enough, whatever the ratio. */
  readonly rateGoal?: number;
  readonly p99GoalMs?: number;
  readonly paths: (db: Database) => readonly string[];
  /** Set: one client asks each once, and after so many questions an entry changes. */
  readonly changeEvery?: number;
  /** Other questions that are asked before; else the same ones. */
  readonly warmUp?: (db: Database) => readonly string[];
  /** What as many other clients as there are paths ask again and again meanwhile. */
  readonly beside?: readonly string[];
  /** What one other address asks for at once when the measuring begins. */
  readonly flood?: readonly string[];
  /** With metrics, which are asked for every second. */
  readonly isScraped?: boolean;
  /** Each entry's reason is as long as one may be. */
  readonly hasLongReasons?: boolean;
}

const FEW = 1_000;
const MANY = 100_000;
const MOST = 1_000_000;
/** Entries of 20,000 characters. */
const LONG = 3_000;
/** The limit of an address for a minute. */
const FLOOD = 1_000;
const CONNECTIONS = 32;
/** Different questions of a case; a round takes longer than a cached answer is worth anything. */
const QUESTIONS = 20_000;
/** Who writes in a server: a bot asks about each of their messages. */
const MEMBERS = 1_000;
/** More than are asked in a run, so that none is asked twice. */
const NAMES = 300_000;
const SEARCHES = 500;
const SEED = 7;
const CHANGE_EVERY = 10;
/** Single letters, whose pages the clients turn. */
const LETTERS = [...'aeionrzw'].map((letter) => `/api/scammers?search=${letter}&skip=`);

function otherSearches(db: Database): string[] {
  return randomSearches(db, createRandom(SEED + 1), SEARCHES / 5, true);
}

/** Of questions that are asked once, or seldom. */
const GOALS = { page: 0.35, id: 0.48, nick: 0.3, verdict: 0.45, likeness: 0.25 };
const GOALS_MILLION = { page: 0.15, id: 0.4, nick: 0.06, verdict: 0.45, likeness: 0.15 };

export const CASES: readonly BenchCase[] = [
  { name: 'list', entries: MANY, connections: CONNECTIONS, ratioGoal: 0.8, paths: () => ['/api/scammers'] },
  {
    name: 'list-with-metrics',
    entries: MANY,
    connections: CONNECTIONS,
    ratioGoal: 0.8,
    isScraped: true,
    paths: () => ['/api/scammers'],
  },
  { name: 'page', entries: MANY, connections: CONNECTIONS, ratioGoal: 0.8, paths: () => ['/scammers'] },
  { name: 'status', entries: MANY, connections: CONNECTIONS, ratioGoal: 0.8, paths: () => ['/api/status'] },
  {
    name: 'avatar-hit',
    entries: MANY,
    connections: CONNECTIONS,
    ratioGoal: 0.8,
    paths: () => ['/api/chat/avatar/80351110224678912'],
  },
  {
    name: 'page-random',
    entries: MANY,
    connections: CONNECTIONS,
    ratioGoal: 0.04,
    rateGoal: 1_200,
    paths: () => randomHtmlPages(createRandom(SEED), QUESTIONS, QUESTIONS),
  },
  {
    name: 'page-long',
    entries: LONG,
    hasLongReasons: true,
    connections: CONNECTIONS,
    rateGoal: 300,
    paths: () => randomHtmlPages(createRandom(SEED), QUESTIONS, LONG, LIMIT_MAX),
  },
  {
    name: 'page-check',
    entries: MANY,
    connections: CONNECTIONS,
    rateGoal: 1_500,
    paths: (db) => randomIds(db, createRandom(SEED), QUESTIONS).map((id) => `/?id=${id}`),
  },
  {
    name: 'page-entry',
    entries: MANY,
    connections: CONNECTIONS,
    rateGoal: 1_500,
    paths: (db) => randomIds(db, createRandom(SEED), QUESTIONS).map((id) => `/scammers?id=${id}`),
  },
  ...[FEW, MANY, MOST].flatMap((entries): BenchCase[] => {
    const name = entries === MANY ? '' : entries === FEW ? '-thousand' : '-million';
    const goals = entries === MOST ? GOALS_MILLION : GOALS;
    const ids = (db: Database): string[] => randomIds(db, createRandom(SEED), QUESTIONS);
    return [
      {
        name: `list-random${name}`,
        entries,
        connections: CONNECTIONS,
        ratioGoal: goals.page,
        paths: () => randomPages(createRandom(SEED), QUESTIONS, Math.min(entries, 20_000)),
      },
      {
        name: `list-id${name}`,
        entries,
        connections: CONNECTIONS,
        ratioGoal: goals.id,
        paths: (db) => ids(db).map((id) => `/api/scammers?id=${id}`),
      },
      {
        name: `check-id${name}`,
        entries,
        connections: CONNECTIONS,
        ratioGoal: goals.id,
        paths: (db) => ids(db).map((id) => `/api/check?id=${id}`),
      },
      {
        name: `check-nick${name}`,
        entries,
        connections: CONNECTIONS,
        ratioGoal: goals.nick,
        paths: (db) => randomNames(db, createRandom(SEED), NAMES).map((nick) => `/api/check?search=${nick}`),
      },
      {
        name: `verdict-id${name}`,
        entries,
        connections: CONNECTIONS,
        ratioGoal: goals.verdict,
        paths: (db) => ids(db).map((id) => `/api/verdict?id=${id}`),
      },
      {
        name: `verdict-name${name}`,
        entries,
        connections: CONNECTIONS,
        ratioGoal: goals.likeness,
        paths: (db) => randomVerdicts(db, createRandom(SEED), QUESTIONS),
      },
      {
        name: `verdict-name-strange${name}`,
        entries,
        connections: CONNECTIONS,
        ratioGoal: goals.likeness,
        paths: (db) => randomVerdicts(db, createRandom(SEED), QUESTIONS, true),
      },
      {
        name: `verdict-name-again${name}`,
        entries,
        connections: CONNECTIONS,
        ratioGoal: goals.likeness,
        paths: (db) => randomVerdicts(db, createRandom(SEED), MEMBERS),
      },
    ];
  }),
  {
    name: 'search',
    entries: MANY,
    connections: 1,
    p99GoalMs: 20,
    changeEvery: CHANGE_EVERY,
    warmUp: otherSearches,
    paths: (db) => randomSearches(db, createRandom(SEED), SEARCHES, true),
  },
  {
    name: 'search-million',
    entries: MOST,
    connections: 1,
    p99GoalMs: 300,
    changeEvery: CHANGE_EVERY,
    warmUp: otherSearches,
    paths: (db) => randomSearches(db, createRandom(SEED), SEARCHES, false),
  },
  {
    name: 'search-million-filtered',
    entries: MOST,
    connections: 1,
    p99GoalMs: 300,
    changeEvery: CHANGE_EVERY,
    warmUp: otherSearches,
    paths: (db) => randomSearches(db, createRandom(SEED), SEARCHES, true),
  },
  {
    name: 'check-id-beside-searches',
    entries: MOST,
    connections: 1,
    p99GoalMs: 10,
    paths: (db) => randomIds(db, createRandom(SEED), QUESTIONS).map((id) => `/api/check?id=${id}`),
    beside: LETTERS,
  },
  {
    name: 'check-id-beside-page-flood',
    entries: LONG,
    hasLongReasons: true,
    connections: 1,
    p99GoalMs: 50,
    paths: (db) => randomIds(db, createRandom(SEED), QUESTIONS).map((id) => `/api/check?id=${id}`),
    flood: randomHtmlPages(createRandom(SEED), FLOOD, LONG, LIMIT_MAX),
  },
  {
    name: 'check-id-beside-search-flood',
    entries: MANY,
    connections: 1,
    p99GoalMs: 50,
    paths: (db) => randomIds(db, createRandom(SEED), QUESTIONS).map((id) => `/api/check?id=${id}`),
    flood: letterSearches(FLOOD),
  },
  {
    name: 'search-beside-search-flood',
    entries: MANY,
    connections: 1,
    p99GoalMs: 1_000,
    paths: (db) => randomSearches(db, createRandom(SEED), QUESTIONS, true),
    flood: letterSearches(FLOOD),
  },
];
