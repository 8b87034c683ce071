/** `npm run mutate`: changes the code that most depends on, one place at a time, and looks whether a test fails. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default {
  mutate: [
    'src/text/read-query.ts',
    'src/http/rate-limit.ts',
    'src/http/client-address.ts',
    'src/queues/fair-queue.ts',
    'src/queues/client-slots.ts',
    'src/text/sanitize-markdown-html.ts',
    'src/donations/donation-status.ts',
    'src/text/look-alike-key.ts',
    'src/entries/verdict.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  ignorePatterns: ['dist', 'data', 'screenshots', 'coverage'],
  tempDirName: join(tmpdir(), 'czujka-mutants'),
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, reportTests: false, skipFull: true },
  thresholds: { high: 95, low: 85, break: 85 },
};
