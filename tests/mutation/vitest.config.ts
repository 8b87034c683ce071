import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests of the code that is mutated, and no others: each mutant runs them again. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    globalSetup: ['tests/support/temporary-root.ts'],
    include: [
      'tests/unit/text/{read-query,markdown-safety,render-markdown,look-alike}.test.ts',
      'tests/unit/http/{rate-limit,client-address}.test.ts',
      'tests/unit/queues/{client-slots,fair-queue}.test.ts',
      'tests/unit/donations/donation-status.test.ts',
      'tests/unit/entries/verdict.test.ts',
    ],
    testTimeout: 20_000,
  },
});
