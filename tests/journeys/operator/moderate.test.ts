/** The receiver of moderators' commands refuses these; slow/processes/moderate.test.ts sends some. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, type Option } from 'commander';
import { beforeEach, expect, it } from 'vitest';
import type { Cli } from '#src/operator/console/cli.ts';
import { findPaths, IMPORT_OPTIONS, PATH_OPTIONS, PATHS } from '#src/operator/console/named-paths.ts';
import { addVerbs as addEntryVerbs } from '#src/operator/entry-command.ts';
import { addVerbs as addImportVerb } from '#src/operator/import-command.ts';
import { addVerbs as addProofsVerbs } from '#src/operator/proofs-command.ts';
import { makeMigratedCommandLine, toNdjson, type Operator } from '../../support/run-czujka.ts';
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
  ['a verb of root', ['restore', '-'], 'moderators run entry, proofs, appeal, import, lookalikes'],
  ['an unknown option', ['entry', 'show', '1', '--exec=id'], "unknown option '--exec"],
  ['no array', 'entry', 'the first line must be the arguments as a JSON array'],
  ['a file that leads out of its folder', { files: { '../a': '' } }, 'the first line must be'],
  ['a file that is no base64', { files: { a: '?' } }, 'a is no base64'],
  ['files that are cut off', { files: { a: 'AAAA' } }, 'the first line must be'],
  ['a key with a new line', { key: 'a\nb', args: ['entry'] }, 'the first line must be'],
])('refuses %s with a sentence, and changes nothing', async (_, command, message) => {
  const { code, stderr } = await operator.receive(`${JSON.stringify(command)}\n`);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) as string });
  expect(stderr).toMatch(/^[^\n]+\n/);
  expect(countEntries(operator, 'servers')).toBe(0);
});

it.each([['text'], ['--json']])('names a file as the moderator did: %s', async (form) => {
  const add = ['entry', 'add', '280864204968068869', '--list=servers', '--name=x', '--reason=y'];
  const sent = [
    { files: { '0/a.png': 'AAAA' } },
    {
      args: [...add, '--proof=in/a.png', ...(form === 'text' ? [] : [form])],
      names: { 'in/a.png': '0/a.png' },
    },
  ];
  const { stdout, stderr } = await operator.receive(toNdjson(sent));
  expect(stdout + stderr).toContain('item 1: file: in/a.png is no image');
});

it('knows a moderator by the first name of a key: the client speaks after it', async () => {
  const lines = [{ key: 'anna' }, { key: 'ola', args: ['entry', 'list', '--list', 'servers'] }];
  expect(await operator.receive(toNdjson(lines))).toMatchObject({ code: 1, stdout: '' });
});

it('knows which arguments of moderators are paths: the receiver would open others with its own rights', () => {
  const values =
    'address code count date days format id list markdown name number proofs sort status text time who'.split(
      ' ',
    );
  const sources = globSync(
    join(
      OPERATOR,
      '{{entry-{read,remove,write},appeal,note,proofs,import,look-alikes}-command,console/options}.ts',
    ),
  );
  const placeholders = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'(?:--[a-z-]+ )?[<[]([a-z]+)[>\]]'/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(placeholders).toContain('file');
  // A new name belongs to the values here, or to PATHS in named-paths.ts.
  expect(new Set(placeholders).difference(new Set([...values, ...PATHS]))).toEqual(new Set());
});

it.each([
  ['help', ['--help'], 0],
  ['a verb', ['entry', 'list', '--list', 'scammers'], 0],
  ['help with a verb of root behind it', ['--help', '--', 'migrate'], 1],
])('gives a moderator %s', async (_, args, code) => {
  expect(await operator.receive(`${JSON.stringify({ args })}\n`)).toMatchObject({ code });
});

it('loads no module of the database for a moderator, who may not open it', async () => {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });`;
  const { code, stderr } = await operator.spawn(['true', '--', 'entry', 'show', '1'], {
    script: join(OPERATOR, '../../scripts/moderate.ts'),
    settings: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}` },
  });
  expect(code).toBe(0);
  expect(stderr).toContain('src/operator/moderate.ts');
  expect(stderr).not.toMatch(/better-sqlite3|kysely|src\/db\//);
});

it('finds the files of a verb as its definition does', async () => {
  const given = ['--reason-file=a b', '--file', 'c', '--text-file', '-', '--out', 'd', '--name', '--x', 'e'];
  expect(findPaths(['entry', 'edit', '1', ...given])).toEqual({ inputs: ['c', 'a b'], out: 'd' });
  expect(findPaths(['import', '--list', 'legit', '--yes', '--', 'f'])).toEqual({ inputs: ['f'] });
  const program = new Command();
  const cli = {} as Cli;
  addEntryVerbs(program, cli);
  addProofsVerbs(program, cli);
  addImportVerb(program, cli);
  const optionsOf = (commands: readonly Command[]): Option[] =>
    commands.flatMap((command) => [...command.options, ...optionsOf(command.commands)]);
  const named = optionsOf(program.commands).filter(({ flags }) =>
    PATHS.some((name) => flags.includes(`<${name}>`)),
  );
  expect(new Set(named.map((option) => option.name()))).toEqual(new Set(PATH_OPTIONS));
  const [imports] = program.commands.filter((command) => command.name() === 'import');
  const valued = imports?.options.filter((option) => option.required || option.optional) ?? [];
  expect(new Set([...valued.map((option) => option.name()), 'by'])).toEqual(new Set(IMPORT_OPTIONS));
});
