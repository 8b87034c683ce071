// Needs: openapi-tools
/** Tools of others read `/openapi.json`: a linter, and a maker of types with which a strict client compiles and works. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../../support/test-site.ts';

const TOOLS = join(import.meta.dirname, '../../openapi');
const MADE = join(TOOLS, 'made');
const DOCUMENT = join(MADE, 'openapi.json');
const run = promisify(execFile);

/** @returns what the tool printed; rejects when it fails, with its output in the message */
async function runTool(name: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [join(TOOLS, 'node_modules', name), ...args], {
    cwd: TOOLS,
  }).catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${name} failed:\n${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

let site: TestSite;
beforeAll(async () => {
  mkdirSync(MADE, { recursive: true });
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [
    makeRecord({ id: '7', name: 'Żółw' }),
    makeRecord({ verified: false }),
    makeRecord({ verified: false, proofs: { private: true, items: [{ text: 'x' }] } }),
  ]);
  site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example' });
  writeFileSync(DOCUMENT, (await site.get('/openapi.json')).text);
});

it("passes the linter's recommended rules without a warning", async () => {
  const said = await runTool('@redocly/cli/bin/cli.js', 'lint', '--format=stylish', DOCUMENT);
  expect(said).toContain('Your API description is valid');
  expect(said).not.toMatch(/warning|error/i);
});

it('makes types with which a strict client compiles, and the client works', async () => {
  await runTool('openapi-typescript/bin/cli.js', DOCUMENT, '--output', join(MADE, 'api.d.ts'));
  await runTool('typescript/bin/tsc', '--project', 'tsconfig.json');
  const { stdout } = await run(process.execPath, [join(TOOLS, 'client.ts'), site.origin]);
  expect(JSON.parse(stdout)).toEqual({
    found: [['scammers', ['Żółw']]],
    total: 2,
    proofs: expect.arrayContaining([null, expect.any(String)]) as unknown,
    kept: 3,
    states: 4,
  });
});
