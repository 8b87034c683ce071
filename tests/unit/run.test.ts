/** scripts/run.mjs, which the scripts of package.json go through. */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../support/temporary-database.ts';

const ROOT = join(import.meta.dirname, '../..');

function makeProject(): { folder: string; run: (...nodeArgs: readonly string[]) => object } {
  const folder = makeFolder();
  const script = join(folder, 'scripts/run.mjs');
  mkdirSync(dirname(script));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  copyFileSync(join(ROOT, 'scripts/run.mjs'), script);
  const run = (...nodeArgs: readonly string[]) => {
    const args = [...nodeArgs, script, 'scripts/a.ts', 'b c'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: '/', encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  return { folder, run };
}

it.each([
  ['takes the place of this process', []],
  ['is a child of a Node that cannot do that', ['--import=data:text/javascript,delete process.execve']],
])('the Node among the packages, which npm 9 does not link, %s', (_how, nodeArgs) => {
  const { folder, run } = makeProject();
  const node = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  mkdirSync(dirname(node), { recursive: true });
  writeFileSync(node, '#!/bin/sh\necho "$PWD: $*"\nexit 3\n');
  chmodSync(node, 0o755);
  expect(run(...nodeArgs)).toEqual({
    status: 3,
    stdout: `${folder}: ${folder}/scripts/a.ts b c\n`,
    stderr: '',
  });
  expect(readFileSync(join(folder, 'node_modules/.bin/node'), 'utf8')).toBe(readFileSync(node, 'utf8'));
});

it('says what to do where there is none, and this one is too old', () => {
  const { run } = makeProject();
  const old = `Object.defineProperty(process, 'versions', { value: { node: '22.1.0' } })`;
  expect(run(`--import=data:text/javascript,${old}`)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^Node 22\.1\.0 is too old.*run "npm ci"/) as string,
  });
});

it('starts each file of TypeScript in package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const byItself = Object.values(scripts).filter((line) =>
    /node (?!scripts\/run\.mjs)\S*\.(ts|mjs)/.test(line),
  );
  expect(byItself).toEqual([]);
});
