/** Moderators: a wrapper sends a command and its files to a process that opens no path for them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { makePhoto } from '../../support/make-image.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine, toNdjson, type Operator } from '../../support/run-czujka.ts';

const SCRIPTS = join(import.meta.dirname, '../../../scripts');
const RECEIVER = [process.execPath, join(SCRIPTS, 'czujka.ts'), '--received'];

let operator: Operator;
beforeEach(async () => {
  operator = await makeMigratedCommandLine();
});

/** As /usr/local/bin/czujka does it, without sudo. */
const moderate = (args: readonly string[], input: string | Buffer = '') =>
  spawn([...RECEIVER, '--', ...args], input);
/** As czujka-ssh does it. */
const overSsh = (input: string | Buffer) => spawn(['--key', 'anna', ...RECEIVER, '--'], input);
const spawn = (args: readonly string[], input: string | Buffer) =>
  operator.spawn(args, {
    script: join(SCRIPTS, 'moderate.ts'),
    input,
    settings: { TMPDIR: operator.folder },
  });
const countEntries = (): unknown =>
  operator.read((db) => db.statement('SELECT count(*) FROM entries').pluck().get());
const isLeft = (): boolean =>
  readdirSync(operator.folder).some((name) => name.startsWith('czujka-received-'));

it('imports a file with the proofs beside it, and adds a picture and texts from files', async () => {
  const picture = await makePhoto();
  operator.file('in/proofs/a.jpg', picture);
  operator.file('b.jpg', picture);
  operator.file('reason.md', 'powód z pliku');
  const items = [{ file: 'proofs/a.jpg' }];
  const { id } = makeRecord();
  operator.file('in/list.ndjson', [{ ...makeRecord(), id, proofs: { private: false, items } }]);
  expect(await moderate(['import', 'in/list.ndjson', '--list', 'scammers'])).toMatchObject({
    code: 0,
    stdout: 'added 1, updated 0, unchanged 0, rejected 0\n',
  });
  const add = ['proofs', 'add', id, '--list', 'scammers', '--file=b.jpg', '--caption', 'dwa\nwiersze'];
  expect(await moderate([...add.slice(0, -1), 'rozmowa'])).toMatchObject({ code: 0 });
  expect(
    await moderate(['entry', 'edit', id, '--list', 'scammers', '--reason-file', 'reason.md']),
  ).toMatchObject({
    code: 0,
  });
  const shown = await operator.succeed('proofs', 'show', id);
  expect(shown).toContain('proofs/a.jpg');
  expect(shown).toContain('rozmowa');
  expect(await moderate(['proofs', 'show', id, '--item', '1', '--out', 'a-copy.jpg'])).toMatchObject({
    code: 0,
  });
  expect(readFileSync(join(operator.folder, 'a-copy.jpg'))).toEqual(picture);
  const taken = await moderate(['proofs', 'show', id, '--item', '1', '--out=b.jpg']);
  expect(taken).toMatchObject({ code: 1, stderr: 'b.jpg is there already\n' });
  expect(await moderate(['proofs', 'show', id, '--item', '9', '--out=none.jpg'])).toMatchObject({ code: 1 });
  expect(existsSync(join(operator.folder, 'none.jpg'))).toBe(false);
  expect(await operator.succeed('entry', 'show', id)).toContain('powód z pliku');
  expect(isLeft()).toBe(false);
});

it('passes standard input and the exit code on', async () => {
  const { code, stdout } = await moderate(
    ['import', '-', '--list', 'servers'],
    toNdjson([makeRecord(), { id: 1 }]),
  );
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining('nothing was changed') as string,
  });
  expect(countEntries()).toBe(0);
  expect(await moderate(['entry', 'list', '--list', 'servers'])).toMatchObject({ code: 0 });
  expect((await moderate(['import', '--help'])).stdout).toContain('Usage: czujka import');
});

it('takes a command of an SSH key as JSON, and what follows as standard input', async () => {
  const command = JSON.stringify(['import', '-', '--list', 'servers']);
  expect(await overSsh(`${command}\n${toNdjson([makeRecord()])}`)).toMatchObject({ code: 0 });
  expect(countEntries()).toBe(1);
  const id = operator.read((db) => db.statement<string>('SELECT chat_id FROM entries').pluck().get()) ?? '';
  const send = (args: readonly string[], rest: string | Buffer) =>
    overSsh(
      Buffer.concat([Buffer.from(`${JSON.stringify([...args, '--list', 'servers'])}\n`), Buffer.from(rest)]),
    );
  expect(await send(['entry', 'edit', id, '--reason-file', '-'], 'Nowy **powód**.\n')).toMatchObject({
    code: 0,
  });
  expect(await send(['proofs', 'add', id, '--public', '--text-file=-'], 'rozmowa')).toMatchObject({
    code: 0,
  });
  expect(await send(['proofs', 'add', id, '--file', '-'], await makePhoto())).toMatchObject({ code: 0 });
  const [shown] = await operator.json<[object]>('entry', 'show', id);
  expect(shown).toMatchObject({ reason: 'Nowy **powód**.\n', proofs: { items: [{ text: 'rozmowa' }, { file: expect.any(String) as string }] } }); // prettier-ignore
  for (const input of ['', 'entry show 1\n', `["entry","show","${'x'.repeat(5_000_000)}"]`])
    expect(await overSsh(input)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^[^\n]+\n$/) as string,
    });
});

it('names a file that the moderator cannot read, and one beside an import that is not there', async () => {
  expect(await moderate(['import', 'nowhere.ndjson', '--list', 'servers'])).toMatchObject({
    code: 1,
    stderr: 'nowhere.ndjson is not there\n',
  });
  const proofs = { private: false, items: [{ file: '../outside.jpg' }, { file: 'missing.jpg' }] };
  operator.file('outside.jpg', await makePhoto());
  operator.file('in/list.ndjson', [{ ...makeRecord(), proofs }]);
  const { code, stderr } = await moderate(['import', 'in/list.ndjson', '--list', 'servers']);
  expect(code).toBe(1);
  expect(stderr).toContain('../outside.jpg leads outside the folder of the import file');
});
