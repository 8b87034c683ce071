/**
 * Tests of what happens at random, tried far more often than each run of the tests does: kills at any moment, damage at
 * any place, random histories against the plain lists.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '#src/config.ts';
import type { Finding, Scenario } from './scenario.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES: readonly string[] = [
  'tests/unit/serving/damage.test.ts',
  'tests/unit/entries/write-staged-entries.test.ts',
  'tests/property',
  'tests/e2e/serving.test.ts',
  'tests/e2e/import.test.ts',
  'tests/e2e/snapshots.test.ts',
];

/** What vitest's reporter of this name writes. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

export const trials: Scenario = {
  name: 'trials',
  rows: 'F1, F7',
  isAlone: true,
  isLong: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'czujka-trials-'));
    const file = join(folder, 'report.json');
    try {
      const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '-c', 'tests/vitest.config.ts'];
      const child = spawn(
        process.execPath,
        [...vitest, '--reporter=json', `--outputFile=${file}`, ...FILES],
        { cwd: ROOT, env: childEnvironment({ THOROUGH: 'true' }), stdio: ['ignore', 'ignore', 'inherit'] },
      );
      await once(child, 'exit');
      const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
      return testResults.map(toFinding);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function toFinding({ name, status, message, assertionResults }: Report['testResults'][number]): Finding {
  const failed = assertionResults.filter((test) => test.status !== 'passed').map(({ title }) => title);
  return {
    fault: name.slice(ROOT.length + 1),
    found: status === 'passed' ? `${assertionResults.length} tests passed` : [message, ...failed].join('; '),
    isRight: status === 'passed',
  };
}
