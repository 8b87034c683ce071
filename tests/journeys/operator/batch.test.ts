/** `batch`: a program sends verbs as lines of JSON. slow/processes/batch.test.ts has signals and replaced files. */
import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { countEntries } from '#src/entries/entry-statistics.ts';
import { childEnvironment } from '#src/environment.ts';
import { answerSchema, FILES_MAX_BYTES, LINE_MAX_BYTES, type Answer } from '#src/operator/batch-protocol.ts';
import { makePhoto } from '../../support/make-image.ts';
import { makeRecord } from '../../support/make-entries.ts';
import {
  makeCommandLine,
  makeMigratedCommandLine,
  toNdjson,
  type Operator,
} from '../../support/run-czujka.ts';

const ON = ['--list', 'servers'];
const { id: ID } = makeRecord();
const ADD = ['entry', 'add', ID, ...ON, '--name=Ala', '--reason=Powód.'];
const SHOW = { tag: 'show', args: ['entry', 'show', ID] };

let operator: Operator;
beforeEach(async () => {
  operator = await makeMigratedCommandLine();
});

const parse = (stdout: string): Answer[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => answerSchema.parse(JSON.parse(line)));

/** Sends lines to a batch that ends with 0. */
async function send(...requests: readonly (object | string)[]): Promise<Answer[]> {
  const lines = requests.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const { code, stdout, stderr } = await operator.run(['batch'], { input: `${lines.join('\n')}\n` });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return parse(stdout);
}

it('answers each line in order, and a line that fails or is broken ends nothing', async () => {
  const [added, again, broken, shown, trusted] = await send(
    { tag: 1, args: ADD },
    { args: ADD },
    '{"tag":2,"args":["entry"',
    SHOW,
    { tag: 3, args: ['entry', 'add', ID, '--list', 'legit', '--name=Ala', '--reason=x'] },
  );
  expect(added).toMatchObject({ tag: 1, ok: true, result: { list: 'servers', name: 'Ala' }, notes: [] });
  expect(again).toMatchObject({ tag: null, ok: false });
  expect(broken).toEqual({
    tag: null,
    ok: false,
    error: { code: 'invalid', message: 'the line is no JSON in UTF-8', line: 3 },
  });
  expect(shown).toMatchObject({ tag: 'show', ok: true, result: [{ id: ID }] });
  expect(trusted).toMatchObject({ tag: 3, ok: true, notes: [expect.stringContaining('servers')] });
});

it('answers the last line without its end, an empty one too, and nothing without a line', async () => {
  const run = (input: string) => operator.run(['batch'], { input });
  expect(parse((await run(`\n${JSON.stringify(SHOW)}`)).stdout)).toMatchObject([
    { tag: null },
    { tag: 'show' },
  ]);
  expect(await run('')).toEqual({ code: 0, stdout: '', stderr: '' });
});

it.each<[string, object, string]>([
  ['a path', { args: ['import', '/etc/passwd', ...ON] }, '/etc/passwd did not come'],
  ['a path with =', { args: ['proofs', 'add', ID, ...ON, '--file=/etc/passwd'] }, '/etc/passwd did not come'],
  [
    'another name than that of its file',
    { args: ['import', 'b', ...ON], files: { a: '' } },
    'b did not come',
  ],
  ['a name upwards', { args: ['entry'], files: { 'a/../../b': '' } }, 'names are relative'],
  ['an absolute name', { args: ['entry'], files: { '/a': '' } }, 'names are relative'],
  ['a name with a zero byte', { args: ['entry'], files: { 'a\0': '' } }, 'names are relative'],
  ['a file in a file', { args: ['entry'], files: { a: '', 'a/b': '' } }, 'a/b '],
  ['no base64', { args: ['entry'], files: { a: 'ą' } }, 'a is no base64'],
  ['standard input', { args: ['import', '-', ...ON] }, '- has no meaning'],
  [
    'standard input with =',
    { args: ['entry', 'edit', ID, ...ON, '--reason-file=-'] },
    '--reason-file=- has no',
  ],
  ['--out', { args: ['proofs', 'show', ID, '--item', '1', '--out', 'a'] }, '--out has no meaning'],
  ['--out=', { args: ['proofs', 'show', ID, '--item', '1', '--out=a'] }, '--out=a has no meaning'],
  ['--help', { args: ['entry', '--help'] }, '--help has no meaning'],
  ['a batch', { args: ['batch'] }, 'this batch runs entry, proofs'],
  ['a verb of the terminal', { args: ['restore', 'a'], files: { a: '' } }, 'this batch runs entry, proofs'],
  ['an unknown option', { args: ['entry', 'show', ID, '--exec=1'] }, "unknown option '--exec=1'"],
  ['no arguments', { args: [] }, 'args: '],
  ['an unknown field', { args: ['entry'], file: 'a' }, 'the line: '],
  ['a tag that is an object', { tag: {}, args: ['entry'] }, 'tag: must be a number, or a string'],
  ['too much beside files', { args: Array.from({ length: 400_000 }, () => '') }, 'bytes beside long strings'],
  ['too long an argument', { args: ['entry', 'x'.repeat(600_000)] }, 'an argument has more than'],
])('refuses %s, changes nothing, and leaves no file', async (_, request, message) => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('czujka-received-'));
  const before = folders();
  const [answer] = await send(request);
  expect(answer).toMatchObject({
    ok: false,
    error: { code: 'invalid', message: expect.stringContaining(message) as string },
  });
  expect(operator.read((db) => db.statement('SELECT count(*) FROM entries').pluck().get())).toBe(0);
  expect(folders()).toEqual(before);
});

it('reads files of a line, also beside an import file, and gives one back', async () => {
  const picture = await makePhoto();
  const files = { 'in/a.jpg': picture.toString('base64') };
  const proofs = { private: true, items: [{ file: 'a.jpg' }] };
  const list = Buffer.from(toNdjson([{ ...makeRecord({ id: ID }), proofs }])).toString('base64');
  const answers = await send(
    { args: ['import', 'in/list.ndjson', ...ON], files: { ...files, 'in/list.ndjson': list } },
    { args: ['proofs', 'add', ID, ...ON, '--file=in/a.jpg', '--caption', 'rozmowa'], files },
    { args: ['proofs', 'show', ID, '--item=2'] },
    { args: ['proofs', 'show', ID, '--item=3'] },
    { args: ['import', 'b', ...ON], files: { b: Buffer.from('{"id":1}').toString('base64') } },
  );
  expect(answers).toMatchObject([
    { ok: true, result: { added: 1 } },
    { ok: true, result: { proofs: 'private', items: [{}, { caption: 'rozmowa', file: 'a.jpg' }] } },
    { ok: true, result: [{ items: [{ item: 2, base64: picture.toString('base64') }] }] },
    { ok: false, error: { code: 'invalid', message: 'there is no proof 3; the entry has 2' } },
    { ok: false, error: { code: 'invalid', result: { rejected: 1 } } },
  ]);
});

it('skips a line that is too long, and refuses too many bytes of files', async () => {
  function* lines(): Generator<Buffer> {
    for (let size = 0; size <= LINE_MAX_BYTES; size += 2 ** 20) yield Buffer.alloc(2 ** 20, 'x');
    const files = { a: Buffer.alloc(FILES_MAX_BYTES + 3).toString('base64') };
    yield Buffer.from(`\n${JSON.stringify({ tag: 2, args: ADD, files })}\n${JSON.stringify(SHOW)}\n`);
  }
  const { code, stdout } = await operator.run(['batch'], { input: lines() });
  expect(code).toBe(0);
  expect(parse(stdout)).toMatchObject([
    { error: { code: 'invalid', line: 1, message: `the line has more than ${LINE_MAX_BYTES} bytes` } },
    { tag: 2, error: { code: 'invalid', message: `the files have more than ${FILES_MAX_BYTES} bytes` } },
    { tag: 'show', ok: false },
  ]);
});

it('looks at the rights of each line, and notes the key of a moderator', async () => {
  const donations = { args: ['donation', 'list'] };
  expect(await send(donations)).toMatchObject([{ ok: true }]);
  const input = `{"key":"anna"}\n["batch"]\n${toNdjson([donations, { args: ADD }, SHOW])}`;
  const { code, stdout } = await operator.receive(input);
  expect(code).toBe(0);
  expect(parse(stdout)).toMatchObject([
    { error: { message: 'this batch runs entry, proofs, appeal, import, lookalikes' } },
    { ok: true },
    { ok: true, result: [{ history: [{ by: 'anna' }] }] },
  ]);
});

it('makes no database', async () => {
  operator = makeCommandLine();
  expect(await send({ args: ADD })).toMatchObject([{ ok: false, error: { code: 'failed' } }]);
  expect(readdirSync(operator.folder)).toEqual([]);
});

/** install.sh, while it switches versions. */
function startSwitching() {
  const link = join(operator.folder, 'czujka');
  mkdirSync(`${link}-versions`);
  symlinkSync(join(import.meta.dirname, '../../..'), link);
  const lock = openSync(`${link}-versions`, 'r');
  spawnSync('flock', ['--exclusive', '3'], { stdio: ['ignore', 'ignore', 'ignore', lock] });
  return { link, settings: { CZUJKA_INSTALLED: link }, end: () => closeSync(lock) };
}

it('gives up when install.sh still switches versions after a minute', async () => {
  const { settings, end } = startSwitching();
  // A minute takes a tenth of a second.
  const script =
    '#!/bin/sh\n[ "$2" != --timeout=60 ] || set -- "$1" --timeout=0.1 "$3"\nexec /usr/bin/flock "$@"\n';
  chmodSync(join(operator.folder, operator.file('bin/flock', script)), 0o755);
  const PATH = `${join(operator.folder, 'bin')}:${childEnvironment()['PATH']}`;
  const { code, stdout } = await operator.spawn([...ADD, '--json'], { settings: { ...settings, PATH } });
  end();
  const message = 'install.sh is still switching versions: try again when it has ended';
  expect([code, JSON.parse(stdout)]).toEqual([2, { ok: false, error: { code: 'busy', message } }]);
  expect(operator.read((db) => countEntries(db))).toBe(0);
});

it('reads while install.sh switches versions, waits before it writes, and ends when another one is installed', async () => {
  const { link, settings, end } = startSwitching();
  const input = toNdjson([SHOW, { args: ADD }]);
  expect((await operator.run(['entry', 'list', '--list', 'legit'], { settings })).code).toBe(0);
  const adding = operator.start(ADD, { settings });
  const [said] = (await once(adding.stderr, 'data')) as [Buffer];
  expect(said.toString()).toBe(
    'note: install.sh is switching versions: waiting for it, for a minute at most\n',
  );
  expect(operator.read((db) => countEntries(db))).toBe(0);
  end();
  expect(await once(adding, 'close')).toEqual([0, null]);
  expect(parse((await operator.run(['batch'], { input, settings })).stdout)).toMatchObject([
    { ok: true },
    { error: { code: 'exists' } },
  ]);
  symlinkSync(operator.folder, `${link}.new`);
  spawnSync('mv', ['-T', `${link}.new`, link]);
  const replaced = await operator.run(['batch'], { input, settings });
  expect(parse(replaced.stdout)).toMatchObject([{ error: { code: 'busy', restart: true } }]);
  const restart = 'another version was installed: start the command again\n';
  expect(replaced).toMatchObject({ code: 2, stderr: restart });
});
