/** The three ways in which a case is measured. */
import { setTimeout } from 'node:timers/promises';
import { measure, takePart, type Load, type Measured } from './load.ts';
import { cpuSeconds, end, startBare, type Server } from './processes.ts';

/** The ratio is the median of these. With three, the same code differed by a fifth from run to run. */
export const ROUNDS = 7;
const SAMPLES = 20;
/** The samples together take about as long as a round. */
const PAUSE_MS = 100;
/** The other answers tell of the moment. */
const HAS_LASTING_BODY = /^\/api\/(?:scammers|check|chat)\b/;

/** Measures Czujka and a bare server in turn, by processor time for an answer, without that of the client. */
export async function measureInTurn(web: Server, load: Load): Promise<Measured & { ratio: number }> {
  const bare = await startBare(web.origin, load.paths);
  const countWrong = createSampler(web.origin, load.paths);
  const measureOne = async ({ origin, child }: Server, at: number): Promise<Measured & { cost: number }> => {
    const before = cpuSeconds(child);
    const measured = await measure({ ...load, origin, paths: takePart(load.paths, at, ROUNDS + 1) });
    return { ...measured, cost: (cpuSeconds(child) - before) / measured.times.length };
  };
  await measureOne(bare, ROUNDS);
  let failures = await countWrong();
  let times: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [measured, wrong] = await Promise.all([measureOne(web, round), countWrong()]);
    ratios.push((await measureOne(bare, round)).cost / measured.cost);
    failures += measured.failures + wrong;
    times = times.concat(measured.times);
  }
  await end(bare.child);
  return { times, failures, ratio: medianOf(ratios) };
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** One client asks one question after another until the flood is over. */
export async function measureBeside(load: Load, flood: Load): Promise<Measured> {
  let isOver = false;
  await new Promise<void>((resolve) => void measure(flood, resolve).then(() => (isOver = true)));
  return measureOneByOne(load, () => !isOver);
}

/** One client asks one question after another. */
export async function measureOneByOne(
  { origin, paths }: Load,
  goesOn: (asked: number) => boolean | Promise<boolean>,
): Promise<Measured> {
  const times: number[] = [];
  let failures = 0;
  for (let at = 0; await goesOn(at); at += 1) {
    const askedAt = performance.now();
    if ((await ask(origin, paths[at % paths.length] ?? '', at)) === undefined) failures += 1;
    times.push(performance.now() - askedAt);
  }
  return { times, failures };
}

/** @returns a function that requests some of the paths and counts answers that are wrong or differ from its first call */
export function createSampler(origin: string, paths: readonly string[], samples = SAMPLES) {
  const first = new Map<string, string>();
  return async () => {
    let wrong = 0;
    for (let at = 0; at < samples; at += 1) {
      const path = paths[(at * 7_919) % paths.length] ?? '';
      const body = (await ask(origin, path, at).catch(() => undefined)) ?? '';
      const isSame = !HAS_LASTING_BODY.test(path) || body === (first.get(path) ?? body);
      if (!isSame || !isWhole(path, body)) wrong += 1;
      if (body !== '') first.set(path, first.get(path) ?? body);
      await setTimeout(PAUSE_MS);
    }
    return wrong;
  };
}

/** Each question comes from another address. @returns undefined when the answer is not 200 */
async function ask(origin: string, path: string, at: number): Promise<string | undefined> {
  const address = `10.202.${(at >> 8) & 255}.${at & 255}`;
  const headers = { 'X-Forwarded-For': address, 'Accept-Encoding': 'identity' };
  const answer = await fetch(origin + path, { headers });
  const body = await answer.text();
  return answer.status === 200 ? body : undefined;
}

/** A page has its end, and an answer about an ID names it, because the cases ask for IDs that are on a list. */
function isWhole(path: string, body: string): boolean {
  const id = /[?&]id=([^&]+)/.exec(path)?.[1];
  if (id !== undefined) return body.includes(`"id":${JSON.stringify(decodeURIComponent(id))}`);
  return path.startsWith('/api/') ? body !== '' : body.trimEnd().endsWith('</html>');
}
