import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const ROOT = join(import.meta.dirname, '..');

/** `npm test` runs all but `slow` and `systems`. */
const PROJECTS = ['unit', 'contract', 'property', 'journeys', 'slow', 'systems'];

export default defineConfig({
  test: {
    root: ROOT,
    // On two cores: some files wait for the clock.
    maxWorkers: 3,
    // What a machine of tests/systems has in memory is given back slowly.
    teardownTimeout: 60_000,
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
    projects: PROJECTS.map((name) => ({
      test: {
        name,
        root: ROOT,
        include: [`tests/${name}/**/*.test.ts`],
        globalSetup: ['tests/support/temporary-root.ts', 'tests/support/built-site.ts'],
        // A test that hangs ends here; a slow machine must not fail one that works.
        testTimeout: name === 'slow' || name === 'systems' ? 120_000 : 60_000,
        hookTimeout: 120_000,
        expect: { poll: { timeout: 10_000 } },
      },
    })),
  },
});
