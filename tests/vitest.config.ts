import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const ROOT = join(import.meta.dirname, '..');

/** One project a height of test; scripts/test.ts leaves out the one whose system parts are missing. */
const PROJECTS = ['unit', 'contract', 'property', 'e2e', 'litecoin', 'system', 'browser', 'live'];

/**
 * The contract holds behind these as well: SPEC's sections and what visitors look at. Left out are files about what such
 * a cache takes over (cache, compression, queues and views of the service), what it shows later (changes, feeds,
 * snapshots), and headers to the last one (the OpenAPI document). `isBehindCache` marks the few tests that are left out of the others.
 */
const FRONTS = ['nginx', 'Varnish'];
const BEHIND_FRONTS = ['4-*', '7-*', 'check-page', 'proofs-page', 'proof-images'];
const EACH = {
  root: ROOT,
  globalSetup: ['tests/support/temporary-root.ts', 'tests/support/built-site.ts'],
  // Against tests that hang: a machine that is busy with other things must not fail one that works.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    root: ROOT,
    // On two cores, for some files wait by the clock for half a minute.
    maxWorkers: 3,
    // When everything hangs, so many are enough to know it, and the run ends within an hour.
    bail: 30,
    // Of what runs in the tests and in the processes that they start; pages and components run out of the bundle, whose
    // source maps lead back to them. The browser's scripts run in the browser.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'dist/server/chunks/*.mjs'],
      exclude: ['src/browser/**', '**/{_virtual,noop-entrypoint,rolldown-runtime}*'],
      excludeAfterRemap: true,
      autoAttachSubprocess: true,
      reporter: ['text-summary', 'json-summary'],
      reportOnFailure: true,
    },
    projects: [
      ...PROJECTS.map((name) => ({ test: { name, include: [`tests/${name}/**/*.test.ts`], ...EACH } })),
      { test: { name: 'faults', include: ['tests/slow/faults/**/*.test.ts'], ...EACH } },
      ...FRONTS.map((front) => ({
        test: {
          name: `behind-${front}`,
          include: BEHIND_FRONTS.map((name) => `tests/contract/${name}.test.ts`),
          provide: { front },
          ...EACH,
        },
      })),
    ],
  },
});
