/**
 * `npm run bench`: Czujka beside a bare node:http server that sends the same answers, in one run. Options: --quick
 * (shorter, without the figures), --json, and names of cases. The exit code is 1 when an answer was wrong or an error.
 */
import { parseArgs } from 'node:util';
import { openDatabase } from '#src/db/database.ts';
import { CASES, type BenchCase } from './bench/cases.ts';
import { changeEntry, measureFigures, type Figure } from './bench/figures.ts';
import { measure, takePart, type Measured } from './bench/load.ts';
import { measureBeside, measureInTurn, measureOneByOne, ROUNDS } from './bench/measure-case.ts';
import { end, getDatabase, memoryMb, startWeb, startWorker } from './bench/processes.ts';
import { measureYear } from './bench/year.ts';
import { Random } from './sample/random.ts';
import { buildIfNeeded } from './build.ts';

const ENTRIES = 100_000;
const FLOOD = { connections: 1_000, seconds: 20 };
const ONE_BY_ONE = 500;
const SEED = 7;

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const names = [...CASES.map(({ name }) => name), 'figures', 'year'];
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no such case: ${unknown.join(', ')}; there are ${names.join(', ')}\n`);
  process.exit(1);
}
const isChosen = (name: string, isUsual: boolean): boolean =>
  positionals.length > 0 ? positionals.includes(name) : isUsual;
const databases = new Map<number, Promise<string>>();
const rows: Awaited<ReturnType<typeof runCase>>[] = [];
const figures: Figure[] = [];
buildIfNeeded();
print('case', 'requests/s', 'p50', 'p95', 'p99', 'ratio', 'floor', '');
print(...Array.from({ length: 8 }, () => '---'));
for (const benchCase of CASES)
  if (isChosen(benchCase.name, benchCase.entries === undefined)) rows.push(await runCase(benchCase));
const memory = Math.max(...rows.map((row) => row.memory));
if (rows.length > 0) figures.push(['web process: memory, at most', memory, '≤ 180 MB']);
if (isChosen('figures', !values.quick))
  figures.push(...(await measureFigures(await findDatabase(ENTRIES), ENTRIES)));
if (isChosen('year', false)) figures.push(...(await measureYear()));
for (const [name, value, floor] of figures)
  print(name, value.toFixed(2), '', '', '', '', floor, judge(value, floor));
if (values.json) process.stdout.write(`${JSON.stringify({ rows, figures })}\n`);
if (rows.some(({ failures }) => failures > 0)) process.exitCode = 1;

function print(...cells: readonly string[]): void {
  if (!values.json) process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

/** @param floor with its sign, such as `≤ 5 s` */
function judge(value: number, floor: string): string {
  const [, sign, bound] = /([≤≥]) ([\d.]+)/.exec(floor) ?? [];
  return (sign === '≥' ? value >= Number(bound) : value <= Number(bound)) ? 'met' : 'missed';
}

function findDatabase(entries: number): Promise<string> {
  return databases.getOrInsertComputed(entries, getDatabase);
}

async function runCase({ name, paths: draw, floor, isOneByOne, changeEvery, flood, entries }: BenchCase) {
  const path = await findDatabase(entries ?? ENTRIES);
  const db = openDatabase(path, 'write');
  const paths = draw(db, new Random(SEED));
  const web = await startWeb(path);
  const worker = changeEvery === undefined ? undefined : await startWorker(path);
  const load = { origin: web.origin, paths, connections: 32, seconds: values.quick ? 1 : 2 };
  // The last part of the questions, because the rounds ask the others.
  await measure({ ...load, paths: takePart(paths, ROUNDS, ROUNDS + 1) });
  let measured: Measured & { readonly ratio?: number };
  if (flood) {
    const floodPaths = flood.paths(db, new Random(SEED + 1));
    measured = await measureBeside(load, { ...load, ...FLOOD, paths: floodPaths, clients: flood.clients });
  } else if (isOneByOne) {
    measured = await measureOneByOne(load, async (asked) => {
      if (changeEvery && asked % changeEvery === 0) await changeEntry(db, `AND row > ${asked} ORDER BY row`);
      return asked < ONE_BY_ONE;
    });
  } else measured = await measureInTurn(web, load);
  const memory = memoryMb(web.child);
  await end(web.child);
  if (worker) await end(worker);
  db.close();

  const { failures, ratio = NaN } = measured;
  const times = measured.times.toSorted((a, b) => a - b);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => times[Math.ceil(times.length * share) - 1]);
  // Each client asks as soon as it has its answer.
  const clients = flood || isOneByOne ? 1 : load.connections;
  const rate = (1_000 * clients * times.length) / times.reduce((sum, ms) => sum + ms, 0);
  const value = { 'requests/s': rate, ratio, p95, p99 }[floor.split(' ')[0] ?? ''] ?? NaN;
  const verdict = failures > 0 ? `${failures} FAILED` : judge(value, floor);
  const shown = [p50, p95, p99].map((ms) => `${ms?.toFixed(1)} ms`);
  print(name, rate.toFixed(0), ...shown, ratio.toPrecision(2).replace('NaN', ''), floor, verdict);
  return { name, rate, p50, p95, p99, ratio, floor, failures, memory };
}
