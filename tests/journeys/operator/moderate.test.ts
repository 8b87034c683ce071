/** The receiver of moderators' commands refuses these; slow/processes/moderate.test.ts sends some. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { PATHS } from '#src/operator/console/named-paths.ts';
import { makeMigratedCommandLine, type Operator } from '../../support/run-czujka.ts';
import { countEntries } from '../../support/stored-entries.ts';

const OPERATOR = join(import.meta.dirname, '../../../src/operator');

let operator: Operator;
beforeEach(async () => {
  operator = await makeMigratedCommandLine();
});

it.each<[string, unknown, string]>([
  ['a path', ['import', '/etc/passwd', '--list', 'servers'], '/etc/passwd did not come with the command'],
  [
    'a path upwards',
    ['proofs', 'add', '1', '--list', 'servers', '--text-file=../.env'],
    '../.env did not come',
  ],
  ['a path behind --', ['import', '--list', 'servers', '--', '--yes'], '--yes did not come with the command'],
  ['a verb of root', ['restore', '-'], 'moderators run entry, proofs, import, lookalikes'],
  ['an unknown option', ['entry', 'show', '1', '--exec=id'], "unknown option '--exec"],
  ['5 MB', ['entry', 'show', 'x'.repeat(5_000_000)], 'the first line is longer than'],
  ['no array', 'entry', 'the first line must be the arguments as a JSON array'],
])('refuses %s with a sentence, and changes nothing', async (_, command, message) => {
  const { code, stderr } = await operator.receive(`${JSON.stringify({ args: command, files: [] })}\n`);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) as string });
  expect(countEntries(operator, 'servers')).toBe(0);
});

it.each([
  ['no JSON', 'entry show 1\n'],
  ['a file that leads out of its folder', head({ path: '../a' })],
  ['two files of one name', head({ path: '0/a', bytes: 0 }, { path: '0/a', bytes: 0 })],
  ['a file that is cut off', `${head({ path: '0/a', bytes: 10 })}x`],
  ['a key with a new line', `${JSON.stringify({ args: ['entry'], files: [], key: 'a\nb' })}\n`],
])('the receiver refuses %s, and changes nothing', async (_, input) => {
  const { code, stderr } = await operator.receive(input);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(countEntries(operator, 'servers')).toBe(0);
});

it('knows which arguments of moderators are paths: the receiver would open others with its own rights', () => {
  const values =
    'address code count format id list markdown name number proofs sort status text time who'.split(' ');
  const sources = globSync(join(OPERATOR, '{{entry,proofs,import,look-alikes}-command,console/options}.ts'));
  const placeholders = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'(?:--[a-z-]+ )?[<[]([a-z]+)[>\]]'/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(placeholders).toContain('file');
  // A new name belongs to the values here, or to PATHS in named-paths.ts.
  expect(new Set(placeholders).difference(new Set([...values, ...PATHS]))).toEqual(new Set());
});

function head(...files: readonly { path: string; bytes?: number }[]): string {
  const sent = files.map(({ path, bytes = 1 }) => ({ path, bytes }));
  return `${JSON.stringify({ args: ['entry', 'list'], files: sent })}\n`;
}
