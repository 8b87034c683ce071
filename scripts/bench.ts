/**
 * `npm run bench`: Czujka beside a bare node:http server that sends the same answers, in one run, so that the figures
 * are ratios and not a machine's speed. Options: --quick (short, no case over 100,000 entries), --json, and names of
 * cases.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openDatabase } from '#src/db/database.ts';
import { listServingFiles } from '#src/serving/serving-file.ts';
import { getBenchDatabase } from './bench/bench-database.ts';
import { CASES } from './bench/cases.ts';
import type { BenchCase } from './bench/cases.ts';
import { askBeside } from './bench/beside.ts';
import { checkAnswers } from './bench/check-answers.ts';
import { measureFigures } from './bench/figures.ts';
import type { Figure } from './bench/figures.ts';
import { findLoadGenerator, measure } from './bench/load.ts';
import type { Measured } from './bench/load.ts';
import { askMeanwhile, askOneByOne } from './bench/one-by-one.ts';
import { endProcess, floodFromOneAddress, startBare, startCzujka, startWorker } from './bench/processes.ts';
import { waitUntilFollowed } from './bench/serving-state.ts';
import { buildIfNeeded } from './build.ts';

interface Outcome {
  readonly name: string;
  readonly entries: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
  /** Of the bare server's requests a second. */
  readonly ratio: number | undefined;
  readonly goal: string;
  readonly met: boolean;
  readonly anonymousMegabytes: number;
  readonly startMs: number;
}

/** Names what is measured beside the cases: import, freshness, writes. */
const FIGURES = 'figures';
const FIGURES_ENTRIES = 100_000;
const QUICK_ENTRIES_MAX = 100_000;
/** Of Czujka and of the bare server in turn; each lasts so long. */
const ROUNDS = 3;
const SECONDS = 3;
const SECONDS_QUICK = 1;
const WARM_UP_SECONDS = 1;
/** Long enough that each of many questions is asked: a service that has run for a while knows its files. */
const WARM_UP_SECONDS_MANY = 4;
const MEGABYTE = 1024 * 1024;

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => name !== FIGURES && !CASES.some((known) => known.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `no such case: ${unknown.join(', ')}; there are ${[...CASES.map(({ name }) => name), FIGURES].join(', ')}\n`,
  );
  process.exit(1);
}
const generator = findLoadGenerator();
const seconds = values.quick ? SECONDS_QUICK : SECONDS;
buildIfNeeded();
const outcomes: Outcome[] = [];
for (const benchCase of CASES) {
  const chosen =
    positionals.length > 0
      ? positionals.includes(benchCase.name)
      : !values.quick || benchCase.entries <= QUICK_ENTRIES_MAX;
  if (!chosen) continue;
  const outcome = await runCase(benchCase);
  outcomes.push(outcome);
  if (!values.json) process.stdout.write(`${formatRow(outcome)}\n`);
}
const figures =
  positionals.includes(FIGURES) || (positionals.length === 0 && !values.quick)
    ? await measureFigures(FIGURES_ENTRIES)
    : [];
if (!values.json) for (const figure of figures) process.stdout.write(`${formatFigure(figure)}\n`);
if (values.json) process.stdout.write(`${JSON.stringify({ generator, seconds, outcomes, figures })}\n`);
process.exitCode = outcomes.every(({ failures }) => failures === 0) ? 0 : 1;

async function runCase(benchCase: BenchCase): Promise<Outcome> {
  const path = await getBenchDatabase(benchCase.entries, benchCase.hasLongReasons);
  const db = openDatabase(path, 'read');
  const paths = benchCase.paths(db);
  db.close();
  const czujka = await startCzujka(path, benchCase.isScraped);
  try {
    const drive: Drive = (origin, time, part = 0) =>
      measure(generator, {
        origin,
        paths: startAtPart(paths, part),
        connections: benchCase.connections,
        seconds: time,
      });
    const warmUp = paths.length > 1 && !values.quick ? WARM_UP_SECONDS_MANY : WARM_UP_SECONDS;
    if (benchCase.changeEvery === undefined) await drive(czujka.origin, warmUp);
    const { measured, ratio } =
      benchCase.p99GoalMs !== undefined
        ? { measured: await measureCase(benchCase, path, paths, czujka.origin, drive), ratio: undefined }
        : await measureInTurn(path, paths, czujka.origin, drive);
    return {
      name: benchCase.name,
      entries: benchCase.entries,
      ...measured,
      ratio,
      goal: formatGoal(benchCase),
      met:
        ratio === undefined
          ? measured.p99Ms <= (benchCase.p99GoalMs ?? 0)
          : ratio >= (benchCase.ratioGoal ?? Infinity) ||
            measured.requestsPerSecond >= (benchCase.rateGoal ?? Infinity),
      anonymousMegabytes: Math.round(czujka.anonymousBytes() / MEGABYTE),
      startMs: Math.round(czujka.startMs),
    };
  } finally {
    await czujka.end();
  }
}

/**
 * The operating system then holds the file, as it does while a service runs: else the disk would be what is measured of
 * questions that are asked once.
 */
function readThrough(path: string): void {
  const file = openSync(path, 'r');
  const bytes = Buffer.allocUnsafe(MEGABYTE);
  while (readSync(file, bytes) > 0);
  closeSync(file);
}

/** @param part of the questions that comes first: each round has its own, so that what is to be new is new */
type Drive = (origin: string, time: number, part?: number) => Promise<Measured>;

function startAtPart(paths: readonly string[], part: number): readonly string[] {
  const start = Math.floor((part * paths.length) / (ROUNDS + 1));
  return [...paths.slice(start), ...paths.slice(0, start)];
}

/** In turn with a bare server, so that both get the same of what else goes on in the machine. */
async function measureInTurn(
  databasePath: string,
  paths: readonly string[],
  origin: string,
  drive: Drive,
): Promise<{ measured: Measured; ratio: number }> {
  const bare = await startBare(origin, paths);
  const rounds: { bare: Measured; own: Measured }[] = [];
  await drive(bare.origin, WARM_UP_SECONDS);
  const check = checkAnswers(origin, databasePath, paths);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ofBare = await drive(bare.origin, seconds, round);
    for (const path of listServingFiles(databasePath)) readThrough(path);
    rounds.push({ bare: ofBare, own: await drive(origin, seconds, round) });
  }
  const wrong = await check.end();
  await bare.end();
  const mean = (of: (round: (typeof rounds)[number]) => number): number =>
    rounds.reduce((sum, round) => sum + of(round), 0) / ROUNDS;
  return {
    measured: {
      requestsPerSecond: mean(({ own }) => own.requestsPerSecond),
      p50Ms: mean(({ own }) => own.p50Ms),
      p99Ms: mean(({ own }) => own.p99Ms),
      failures: wrong + ROUNDS * mean(({ own }) => own.failures),
    },
    ratio: mean(({ own }) => own.requestsPerSecond) / mean((round) => round.bare.requestsPerSecond),
  };
}

async function measureCase(
  { changeEvery, warmUp, beside, flood }: BenchCase,
  databasePath: string,
  paths: readonly string[],
  origin: string,
  drive: Drive,
): Promise<Measured> {
  if (changeEvery !== undefined) {
    const db = openDatabase(databasePath, 'write');
    const worker = startWorker(databasePath);
    worker.stdout.resume();
    try {
      await waitUntilFollowed(db);
      // Threads read the entries at their start: not what is measured.
      for (const other of warmUp?.(db) ?? []) await (await fetch(origin + other)).arrayBuffer();
      return await askOneByOne(origin, paths, db, changeEvery);
    } finally {
      db.close();
      await endProcess(worker);
    }
  }
  if (flood) {
    await drive(origin, WARM_UP_SECONDS);
    return askMeanwhile(origin, paths, floodFromOneAddress(origin, flood));
  }
  const others = beside && askBeside(origin, beside);
  const check = checkAnswers(origin, databasePath, paths);
  let wrong: number;
  let measured: Measured;
  try {
    measured = await drive(origin, seconds);
  } finally {
    await others?.end();
    wrong = await check.end();
  }
  return { ...measured, failures: measured.failures + wrong };
}

function formatGoal({ ratioGoal, rateGoal, p99GoalMs }: BenchCase): string {
  if (p99GoalMs !== undefined) return `p99 ≤ ${p99GoalMs} ms`;
  const goals = [ratioGoal, rateGoal?.toLocaleString('en').concat('/s')].filter((goal) => goal !== undefined);
  return `≥ ${goals.join(' or ')}`;
}

function formatRow(outcome: Outcome): string {
  const {
    name,
    entries,
    requestsPerSecond,
    p50Ms,
    p99Ms,
    ratio,
    goal,
    met,
    failures,
    anonymousMegabytes,
    startMs,
  } = outcome;
  const cells = [
    name,
    entries.toLocaleString('en'),
    Math.round(requestsPerSecond).toLocaleString('en'),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    ratio === undefined ? '' : ratio.toFixed(2),
    goal,
    failures > 0 ? `${failures} FAILED` : met ? 'met' : 'not met',
    `${anonymousMegabytes} MB`,
    `${startMs} ms`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function formatFigure({ name, value, unit, goalMax }: Figure): string {
  const met = value <= goalMax ? 'met' : 'not met';
  return `| ${name} | ${value.toFixed(2)} ${unit} | ≤ ${goalMax} ${unit} | ${met} |`;
}
