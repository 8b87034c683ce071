// Needs: openapi-tools
/** Tools of others read `/openapi.json`: linters, and generators with whose clients a strict program compiles and works. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { typedClientSample } from '#src/pages/_code-samples.ts';
import { makeLists } from '../../support/make-entries.ts';

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
  const db = await makeLists({
    scammers: [
      { id: '7', name: 'Żółw' },
      { id: '1558644164640031523', verified: false },
      { verified: false, proofs: { private: true, items: [{ text: 'x' }] } },
    ],
  });
  site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example' });
  writeFileSync(DOCUMENT, (await site.get('/openapi.json')).text);
});

it.each([
  ['Redocly', '@redocly/cli/bin/cli.js', ['lint', '--format=stylish'], 'Your API description is valid'],
  [
    'Spectral',
    '@stoplight/spectral-cli/dist/index.js',
    ['lint', '--ruleset=spectral.json', '--fail-severity=hint'],
    "No results with a severity of 'hint' or higher found",
  ],
] as const)('passes the recommended rules of %s without a warning', async (_name, linter, how, word) => {
  const said = await runTool(linter, ...how, DOCUMENT);
  expect(said).toContain(word);
  expect(said.replace(word, '')).not.toMatch(/warning|error/i);
});

it('makes clients of three generators, which compile and work, as the sample of /docs does', async () => {
  await runTool('openapi-typescript/bin/cli.js', DOCUMENT, '--output', join(MADE, 'czujka.d.ts'));
  await runTool('@hey-api/openapi-ts/bin/run.js', '--input', DOCUMENT, '--output', join(MADE, 'hey'));
  await runTool('oazapfts/dist/cli.js', DOCUMENT, join(MADE, 'oazapfts.ts'));
  writeFileSync(join(MADE, 'sample.ts'), typedClientSample(site.origin));
  await runTool('typescript/bin/tsc', '--project', 'tsconfig.json');
  const { stdout } = await run(process.execPath, [join(MADE, 'out/client.js'), site.origin]);
  expect(JSON.parse(stdout)).toEqual({
    found: [['scammers', ['Żółw']]],
    total: 2,
    proofs: expect.arrayContaining([null, expect.any(String)]) as unknown,
    kept: 3,
    states: 4,
    word: 'reported',
    kinds: ['scammers'],
    list: 'scammers',
  });
  const sample = await run(process.execPath, [join(MADE, 'out/made/sample.js')]);
  expect(sample.stdout).toBe('scammers 1\n');
});
