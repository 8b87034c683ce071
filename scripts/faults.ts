/**
 * `npm run faults`: what breaks a service is done to a real one, and what it did then is printed as a table. Options:
 * --quick (short), and names of scenarios. Ends with 1 when something was not right.
 */
import { parseArgs } from 'node:util';
import { buildIfNeeded } from './build.ts';
import { drain } from './faults/drain.ts';
import { kills } from './faults/kills.ts';
import type { Scenario } from './faults/scenario.ts';
import { statusTruth } from './faults/status-truth.ts';

const SCENARIOS: readonly Scenario[] = [statusTruth, drain, kills];

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !SCENARIOS.some((known) => known.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `no such scenario: ${unknown.join(', ')}; there are ${SCENARIOS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(1);
}
buildIfNeeded();
for (const scenario of SCENARIOS) {
  if (positionals.length > 0 && !positionals.includes(scenario.name)) continue;
  for (const { fault, found, isRight } of await scenario.run({ isQuick: values.quick })) {
    process.stdout.write(`| ${fault} | ${found} | ${isRight ? 'right' : 'WRONG'} |\n`);
    if (!isRight) process.exitCode = 1;
  }
}
