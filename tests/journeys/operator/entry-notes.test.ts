import { expect, it } from 'vitest';
import { makeRecord } from '../../support/make-entries.ts';
import { makeCommandLine, type Operator } from '../../support/run-czujka.ts';

const ID = '123456789012345678';

interface Shown {
  updatedAt: string;
  history: unknown[];
  notes: { note: number; by: string | null; at: string; text: string }[];
}

const show = async (operator: Operator): Promise<Shown> =>
  (await operator.json<Shown[]>('entry', 'show', ID))[0] as Shown;

async function operatorWithEntry(): Promise<Operator> {
  const operator = makeCommandLine();
  await operator.fill('scammers', makeRecord({ id: ID, name: 'x' }));
  return operator;
}

it('a note is kept with its author beside the entry, which does not change, until it is removed', async () => {
  const operator = await operatorWithEntry();
  const { notes: _none, ...before } = await show(operator);
  const text = 'Pisał z drugiego konta.\n2026-11-01T10:00:00.000Z updated: reason, by ewa';
  await operator.succeed('entry', 'note', `<@${ID}>`, ` ${text} `, '--by', 'ola');
  const { notes, ...after } = await show(operator);
  expect(after).toEqual(before);
  expect(notes).toMatchObject([{ by: 'ola', text }]);
  // No line of it looks like one of the history.
  const indented = ', by ola:\n  Pisał z drugiego konta.\n  2026-11-01T10:00:00.000Z updated';
  expect(await operator.succeed('entry', 'show', ID)).toContain(indented);
  expect(await operator.succeed('export', '--list', 'scammers')).not.toContain('drugiego');
  await operator.succeed('entry', 'note', ID, '--remove', String(notes[0]?.note));
  expect((await show(operator)).notes).toEqual([]);
});

it.each([
  ['an empty text', [' '], 'the note is empty or invisible'],
  ['a long text', ['🦉'.repeat(2_001)], '2000'],
  ['a control character', ['a\u0007'], 'the note holds a control character'],
  ['a control character of another encoding', ['a\u009b2K'], 'the note holds a control character'],
  ['neither text nor number', [], 'give the text of a note, or --remove'],
  ['a number of no note', ['--remove', '7'], 'the entry has no note 7'],
])('no note is made of %s', async (_what, args, problem) => {
  const operator = await operatorWithEntry();
  const { code, stderr } = await operator.run(['entry', 'note', ID, ...args]);
  expect(code).not.toBe(0);
  expect(stderr).toContain(problem);
  expect((await show(operator)).notes).toEqual([]);
});

it('the 101st note of an entry is refused', async () => {
  const operator = await operatorWithEntry();
  await operator.succeed('entry', 'note', ID, '🦉'.repeat(2_000));
  operator.write((db) =>
    db.connection.exec(`INSERT INTO entry_notes (row, at, text)
      SELECT row, at, text FROM entry_notes, json_each('[${Array(99).fill(0).join()}]')`),
  );
  expect(await operator.fail('entry', 'note', ID, 'x')).toContain('has 100 notes');
});

it('a note needs --list only where two lists have the ID', async () => {
  const operator = await operatorWithEntry();
  await operator.fill('servers', makeRecord({ id: ID }));
  expect((await operator.run(['entry', 'note', ID, 'x'])).stderr).toContain('say which with --list');
  await operator.succeed('entry', 'note', ID, 'x', '--list', 'servers');
});

it('a redaction erases notes, an edit keeps them', async () => {
  const operator = await operatorWithEntry();
  await operator.succeed('entry', 'note', ID, 'Notatka.');
  await operator.succeed('entry', 'edit', ID, '--list', 'scammers', '--name', 'y');
  expect((await show(operator)).notes).toHaveLength(1);
  for (const name of ['z', 'z']) {
    await operator.succeed('entry', 'note', ID, 'Notatka.');
    const redact = ['--name', name, '--redact', '--keep-proofs'];
    await operator.succeed('entry', 'edit', ID, '--list', 'scammers', ...redact);
    expect((await show(operator)).notes).toEqual([]);
  }
});
