/**
 * One folder for everything that a test run writes, removed when the run ends. Vitest ignores clean-up that a helper
 * registers while a test or a beforeAll runs, so nothing is left to the helpers.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    temporaryRoot: string;
  }
}

export default function setUp(project: TestProject): () => void {
  const root = mkdtempSync(join(tmpdir(), 'czujka-test-'));
  project.provide('temporaryRoot', root);
  return () => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}
