/** A process of `batch`: signals, a replaced database, more than two of a moderator, memory. */
import { once } from 'node:events';
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { answerSchema, FILES_MAX_BYTES, type Answer } from '#src/operator/batch-protocol.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine, type Operator } from '../../support/run-czujka.ts';

const ON = ['--list', 'servers'];
const SHOW = { args: ['entry', 'list', ...ON] };
const MB = 1_000_000;

let operator: Operator;
beforeEach(async () => {
  operator = await makeMigratedCommandLine();
});

function startBatch({ head = '', args = ['batch'], script = 'scripts/czujka.ts' } = {}) {
  const child = operator.start(args, { script: join(import.meta.dirname, '../../..', script) });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.on('error', () => {}).write(head);
  const stderr = text(child.stderr);
  return {
    child,
    ask: async (request: object): Promise<Answer | undefined> => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value } = (await lines.next()) as { value: string | undefined };
      return value === undefined ? undefined : answerSchema.parse(JSON.parse(value));
    },
    ended: once(child, 'exit').then(async ([code]) => ({ code: code as number, stderr: await stderr })),
  };
}

const add = (id: string, files = {}) => ({
  args: ['entry', 'add', id, ...ON, '--name=Ala', '--reason=Powód.'],
  files,
});

it('ends at once with 0 on SIGTERM while no line comes, and after the line in hand', async () => {
  const idle = startBatch();
  await idle.ask(SHOW);
  idle.child.kill('SIGTERM');
  expect(await idle.ended).toEqual({ code: 0, stderr: '' });

  const busy = startBatch();
  await busy.ask(SHOW);
  const answer = busy.ask(add(makeRecord().id));
  const later = Promise.all(Array.from({ length: 300 }, () => busy.ask(SHOW)));
  busy.child.kill('SIGTERM');
  expect(await busy.ended).toEqual({ code: 0, stderr: '' });
  const isAdded = (await answer)?.ok === true;
  expect(await operator.json('entry', 'list', ...ON)).toMatchObject({ total: isAdded ? 1 : 0 });
  expect(await later).toContain(undefined);
});

it('ends with 2 when the database was replaced, and writes nothing into the new one', async () => {
  const batch = startBatch();
  expect(await batch.ask(add(makeRecord().id))).toMatchObject({ ok: true });
  copyFileSync(operator.databasePath, `${operator.databasePath}.new`);
  renameSync(`${operator.databasePath}.new`, operator.databasePath);
  expect(await batch.ask(add(makeRecord().id))).toMatchObject({ error: { code: 'busy', restart: true } });
  const stderr = `${operator.databasePath} was replaced: start the batch again\n`;
  expect(await batch.ended).toEqual({ code: 2, stderr });
});

it('goes on in a database that restore has put in place', async () => {
  await operator.fill('servers', makeRecord());
  await operator.succeed('backup', 'copy');
  const batch = startBatch();
  expect(await batch.ask(add(makeRecord().id))).toMatchObject({ ok: true });
  await operator.succeed('restore', 'copy', '--yes');
  expect(await batch.ask(add(makeRecord().id))).toMatchObject({ ok: true });
  expect(await batch.ask(SHOW)).toMatchObject({ result: { total: 2 } });
});

it('runs twice at once for a key, and the third is busy', async () => {
  const start = (key: string) =>
    startBatch({ args: ['--received'], head: `${JSON.stringify({ key })}\n["batch"]\n` });
  const first = start('anna');
  for (const batch of [first, start('anna'), start('ola')])
    expect(await batch.ask(SHOW)).toMatchObject({ ok: true });
  const third = start('anna');
  expect(await third.ask(SHOW)).toMatchObject({ tag: null, error: { code: 'busy' } });
  expect(await third.ended).toEqual({ code: 2, stderr: '2 batches of anna run already\n' });
  first.child.stdin.end();
  expect(await first.ended).toMatchObject({ code: 0 });
  const fourth = start('anna');
  expect(await fourth.ask(SHOW)).toMatchObject({ ok: true });
});

it('answers busy, as every verb does, when another process writes for longer than it waits', async () => {
  const { id } = makeRecord();
  const verb = ['entry', 'add', id, ...ON, '--name=Ala', '--reason=Powód.'];
  await operator.succeed('backup', 'copy');
  const batch = startBatch();
  expect(await batch.ask(SHOW)).toMatchObject({ ok: true });
  using writer = openDatabase(operator.databasePath, 'write');
  writer.connection.exec('BEGIN IMMEDIATE');
  const verbs = [verb, ['restore', 'copy', '--yes']].map((args) => operator.spawn([...args, '--json']));
  const message = expect.stringContaining('try again') as string;
  const busy = { ok: false, error: { code: 'busy', message } };
  expect(await batch.ask({ tag: 1, args: verb })).toMatchObject({ tag: 1, ...busy });
  for (const { code, stdout } of await Promise.all(verbs))
    expect([code, JSON.parse(stdout)]).toMatchObject([2, busy]);
  writer.connection.exec('ROLLBACK');
  expect(await batch.ask({ args: verb })).toMatchObject({ ok: true });
}, 240_000);

it('takes at most 400 MB for the largest lines', async () => {
  const batch = startBatch({ script: 'tests/support/czujka-memory.ts' });
  const content = Buffer.alloc(FILES_MAX_BYTES).toString('base64');
  // A letter outside Latin-1 doubles the text in memory.
  for (const reason of ['x', 'ą'])
    expect(await batch.ask({ ...add(makeRecord().id, { a: content }), tag: reason })).toMatchObject({
      ok: true,
    });
  batch.child.stdin.end();
  const { stderr } = await batch.ended;
  expect(Number(stderr) * 1024).toBeLessThan(400 * MB);
});
