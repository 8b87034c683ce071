/** Moderators: a wrapper sends a command and its files to a process that opens no path for them. */
import { spawn as start } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, it } from 'vitest';
import { cleanEnvironment } from '../../support/clean-environment.ts';
import { makePhoto } from '../../support/make-image.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine, toNdjson, untilEnded, type Operator } from '../../support/run-czujka.ts';
import { countEntries } from '../../support/stored-entries.ts';

const SCRIPTS = join(import.meta.dirname, '../../../scripts');
const RECEIVER = [process.execPath, join(SCRIPTS, 'czujka.ts'), '--received'];
const ON = ['--list', 'servers'];
const { id: ID, ...FACTS } = makeRecord();

let operator: Operator;
beforeEach(async () => {
  operator = await makeMigratedCommandLine();
  operator.file('sudo', `#!/bin/sh\nexport SUDO_USER=moderation\nexec ${RECEIVER.join(' ')}\n`);
  chmodSync(join(operator.folder, 'sudo'), 0o755);
});

const spawn = (args: readonly string[], input: string | Buffer) =>
  operator.spawn(args, {
    script: join(SCRIPTS, 'moderate.ts'),
    input,
    settings: { TMPDIR: operator.folder },
  });
/** As /usr/local/bin/czujka does it, without sudo. */
const moderate = (args: readonly string[], input: string | Buffer = '') =>
  spawn([...RECEIVER, '--', ...args], input);
/** Runs czujka-ssh, where a stand-in for sudo starts the receiver with the same user. */
const startSsh = () =>
  start('/bin/bash', [join(SCRIPTS, 'deploy/czujka-ssh.sh'), 'anna'], {
    cwd: operator.folder,
    env: cleanEnvironment({
      PATH: `${operator.folder}:${process.env['PATH']}`,
      DATABASE_PATH: operator.databasePath,
    }),
  });
const overSsh = (input: string | Buffer) => untilEnded(startSsh(), input);
const REPORT = ['--odd-id', '--name', 'x', '--reason', 'x', ...ON];
const OK = { code: 0, stderr: '' };

it('imports a file with the proofs beside it, and adds a picture and texts from files', async () => {
  const picture = await makePhoto();
  operator.file('in/proofs/a.jpg', picture);
  operator.file('b.jpg', picture);
  operator.file('reason.md', 'powód z pliku');
  const proofs = { private: false, items: [{ file: 'proofs/a.jpg' }] };
  operator.file('in/list.ndjson', [{ id: ID, ...FACTS, proofs }]);
  const show = ['proofs', 'show', ID, '--item'];
  for (const args of [
    ['import', 'in/list.ndjson', ...ON],
    ['proofs', 'add', ID, ...ON, '--file=b.jpg', '--caption', 'rozmowa'],
    ['entry', 'edit', ID, ...ON, '--reason-file', 'reason.md'],
    [...show, '1', '--out', 'a-copy.jpg'],
    ['entry', 'add', '1', ...REPORT, '--proof', 'b.jpg', '--caption', 'po', '--proof=in/proofs/a.jpg'],
  ])
    expect(await moderate(args)).toMatchObject(OK);
  expect(await operator.succeed('proofs', 'show', ID)).toMatch(/proofs\/a\.jpg[^]*rozmowa/);
  expect(await operator.succeed('entry', 'show', ID)).toContain('powód z pliku');
  expect(await operator.json('proofs', 'show', '1')).toMatchObject([
    {
      items: [
        { file: 'b.jpg', caption: 'po' },
        { file: 'a.jpg', caption: null },
      ],
    },
  ]);
  expect(readFileSync(join(operator.folder, 'a-copy.jpg'))).toEqual(picture);
  const taken = { code: 1, stderr: 'b.jpg is there already\n' };
  expect(await moderate([...show, '1', '--out=b.jpg'])).toMatchObject(taken);
  expect(await moderate([...show, '9', '--out=none.jpg'])).toMatchObject({ code: 1 });
  expect(existsSync(join(operator.folder, 'none.jpg'))).toBe(false);
  expect(readdirSync(operator.folder).filter((name) => name.startsWith('czujka-received-'))).toEqual([]);
});

it('passes standard input and the exit code on', async () => {
  expect(await moderate(['import', '-', ...ON], toNdjson([makeRecord(), { id: 1 }]))).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('nothing was changed') as string,
  });
  expect(countEntries(operator, 'servers')).toBe(0);
  const line = '{"tag":1,"args":["entry","list","--list","servers"]}\n';
  expect(await moderate(['batch'], line)).toMatchObject({
    ...OK,
    stdout: expect.stringContaining('{"tag":1,"ok":true') as string,
  });
  expect((await moderate(['import', '--help'])).stdout).toContain('Usage: czujka import');
});

it('changes nothing when a sender is killed before the end of standard input', async () => {
  await moderate(['entry', 'add', ID, ...REPORT]);
  for (const [args, part] of [
    [['entry', 'edit', ID, ...ON, '--reason-file=-'], 'Pół'],
    [['import', '-', ...ON], toNdjson([makeRecord()])],
  ] as const) {
    const sender = operator.start([...RECEIVER, '--', ...args], { script: join(SCRIPTS, 'moderate.ts') });
    sender.stdin.write(part);
    // The receiver has the pipe of standard error until its end.
    setTimeout(() => sender.kill('SIGKILL'), 1_500);
    expect(await text(sender.stderr)).toMatch(/^(?:the sender ended before|the first line must be)/);
  }
  expect(await operator.json('entry', 'show', ID)).toMatchObject([{ reason: 'x' }]);
  expect(countEntries(operator, 'servers')).toBe(1);
});

it('takes a command of an SSH key as JSON, and what follows as standard input', async () => {
  const send = (args: readonly string[], rest: string | Buffer) =>
    overSsh(Buffer.concat([Buffer.from(`${JSON.stringify([...args, ...ON])}\n`), Buffer.from(rest)]));
  for (const [args, rest] of [
    [['import', '-'], toNdjson([{ id: ID, ...FACTS }])],
    [['entry', 'edit', ID, '--reason-file', '-'], 'Nowy **powód**.\n'],
    [['proofs', 'add', ID, '--public', '--text-file=-'], 'rozmowa'],
    [['proofs', 'add', ID, '--file', '-'], await makePhoto()],
  ] as const)
    expect(await send(args, rest)).toMatchObject(OK);
  const items = [{ text: 'rozmowa' }, { file: expect.any(String) as string }];
  const [shown] = await operator.json<[{ history: object[] }]>('entry', 'show', ID);
  expect(shown).toMatchObject({ reason: 'Nowy **powód**.\n', proofs: { items } });
  expect(shown.history[0]).toMatchObject({ by: 'moderation/anna' });
  const oneLine = expect.stringMatching(/^[^\n]+\n$/) as string;
  for (const input of ['', 'entry show 1\n'])
    expect(await overSsh(input)).toMatchObject({ code: 1, stderr: oneLine });
});

it('ends when its verb ends, also where the client of an SSH key keeps standard input open', async () => {
  const child = startSsh();
  child.stdin.write('["entry","show","1"]\n');
  expect(await once(child, 'close')).toEqual([1, null]);
});

it('names a file that the moderator cannot read, and one beside an import that leads outside', async () => {
  expect(await moderate(['import', 'nowhere.ndjson', ...ON])).toMatchObject({
    code: 1,
    stderr: 'nowhere.ndjson is not there\n',
  });
  const link = ['proofs', 'add', ID, ...ON, '--file', 'https://x.pl/a.png'];
  expect((await moderate(link)).stderr).toContain('a.png is a link');
  const proofs = { private: false, items: [{ file: '../outside.jpg' }, { file: 'missing.jpg' }] };
  operator.file('outside.jpg', await makePhoto());
  operator.file('in/list.ndjson', [{ id: ID, ...FACTS, proofs }]);
  expect(await moderate(['import', 'in/list.ndjson', ...ON])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('../outside.jpg leads outside the folder of the import file') as string,
  });
});
