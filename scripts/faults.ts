/**
 * `npm run faults`: what breaks a service is done to a real one, and what it did then is printed as a table. Options:
 * --quick (short), --minutes N (of the scenario `soak`, which runs only when it is named), and names of scenarios. Ends
 * with 1 when something was not right, and under CI=true also when something could not be run.
 */
import { parseArgs } from 'node:util';
import { readTestEnvironment } from '#src/config.ts';
import { buildIfNeeded } from './build.ts';
import { clients } from './faults/clients.ts';
import { clocks } from './faults/clocks.ts';
import { crowds } from './faults/crowds.ts';
import { damage } from './faults/damage.ts';
import { disk } from './faults/disk.ts';
import { drain } from './faults/drain.ts';
import { kills } from './faults/kills.ts';
import { load } from './faults/load.ts';
import { locks } from './faults/locks.ts';
import { migrations } from './faults/migrations.ts';
import { outside } from './faults/outside.ts';
import { processes } from './faults/processes.ts';
import type { Finding, Scenario } from './faults/scenario.ts';
import { makeSoak } from './faults/soak.ts';
import { statusTruth } from './faults/status-truth.ts';
import { trials } from './faults/trials.ts';

/** Mostly they wait. */
const AT_ONCE = 3;

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, minutes: { type: 'string', default: '30' } },
  allowPositionals: true,
});
const SCENARIOS: readonly Scenario[] = [
  kills,
  disk,
  damage,
  locks,
  outside,
  statusTruth,
  processes,
  clocks,
  migrations,
  clients,
  drain,
  crowds,
  load,
  trials,
  makeSoak(Number(values.minutes)),
];
const unknown = positionals.filter((name) => !SCENARIOS.some((known) => known.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `no such scenario: ${unknown.join(', ')}; there are ${SCENARIOS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
buildIfNeeded();
const chosen = SCENARIOS.filter(({ name, isOnRequest, isLong }) =>
  positionals.length === 0 ? !isOnRequest && !(isLong && values.quick) : positionals.includes(name),
);
const findings = new Map<Scenario, readonly Finding[]>();
await runAll(
  chosen.filter(({ isAlone }) => !isAlone),
  AT_ONCE,
);
await runAll(
  chosen.filter(({ isAlone }) => isAlone),
  1,
);
if (values.quick) await tryAgain();
printTable();
// Connections that a scenario has left open must not keep it.
process.exit();

async function runAll(scenarios: readonly Scenario[], atOnce: number): Promise<void> {
  const left = [...scenarios];
  const runner = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const begun = performance.now();
      findings.set(next, await next.run({ isQuick: values.quick }));
      process.stderr.write(`${next.name}: ${((performance.now() - begun) / 1_000).toFixed(0)} s\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
}

/** Scenarios of a quick run share their machine, with each other too: what went wrong there has one more try, alone. */
async function tryAgain(): Promise<void> {
  const wrong = chosen.filter((scenario) => findings.get(scenario)?.some(({ isRight }) => isRight === false));
  for (const { name } of wrong) process.stderr.write(`${name}: once more, alone\n`);
  await runAll(wrong, 1);
  for (const scenario of wrong)
    findings.set(
      scenario,
      findings.get(scenario)?.map((finding) => ({ ...finding, found: `second try: ${finding.found}` })) ?? [],
    );
}

function printTable(): void {
  const { isCi } = readTestEnvironment();
  process.stdout.write('| scenario | rows | fault | what happened | |\n|---|---|---|---|---|\n');
  const count = { right: 0, wrong: 0 };
  for (const scenario of chosen)
    for (const { fault, found, isRight } of findings.get(scenario) ?? []) {
      const verdict = isRight === 'notRun' ? 'not run' : isRight ? 'right' : 'WRONG';
      process.stdout.write(`| ${scenario.name} | ${scenario.rows} | ${fault} | ${found} | ${verdict} |\n`);
      if (isRight === true) count.right += 1;
      else if (isRight === false || isCi) count.wrong += 1;
    }
  process.stdout.write(`${count.right} right, ${count.wrong} not\n`);
  if (count.wrong > 0) process.exitCode = 1;
}
