/** A restore brings back what an edit since the backup did not withdraw, and knows who was removed since. */
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERASED_NAME } from '#src/entries/former-names.ts';
import { findReport } from '#src/entries/report-numbers.ts';
import { LOST_REASON } from '#src/removals/apply-removals.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';

const ID = '123456789012345678';
const CORRECTED = '123456789012345679';
const ON = ['--list', 'scammers'] as const;
const IN_BACKUP = { name: 'Jan', formerNames: ['dawny'], reason: 'Jan.', notes: 1, appeal: 'powód' };
const NAMES_LOST = { name: ERASED_NAME, formerNames: [] };
const REDACTED = { ...NAMES_LOST, notes: 0, appeal: null };
const REASON_REDACTED = { ...REDACTED, reason: LOST_REASON };

interface Shown {
  readonly name: string;
  readonly formerNames: readonly string[];
  readonly reason: string;
  readonly notes: readonly object[];
  readonly appeal: { readonly note: string | null };
}

it.each<[string, string[][], object]>([
  ['an edit', [['--reason=y']], {}],
  ['forgotten names', [['--name=y'], ['--forget-names']], NAMES_LOST],
  ['a name that is forgotten when it goes', [['--reason=y'], ['--name=y', '--forget-names']], NAMES_LOST],
  ['a redacted name', [['--redact', '--name=z']], REDACTED],
  ['a redaction to the same name', [['--redact', '--keep-proofs', '--name=Jan']], REDACTED],
  ['a redaction to the same reason', [['--redact', '--keep-proofs', '--reason=Jan.']], REASON_REDACTED],
  ['a reason redacted after another', [['--reason=y'], ['--redact', '--reason=y']], REASON_REDACTED],
  ['a redaction before an edit', [['--redact', '--name=z'], ['--name=y'], ['--forget-names']], REDACTED],
])('of %s: %j', async (_what, edits, lost) => {
  const operator = makeCommandLine();
  await operator.fill('scammers', makeRecord({ id: ID, reportId: 'R-1', name: 'dawny', reason: 'Jan.' }));
  const edit = (...options: string[]) => operator.succeed('entry', 'edit', ID, ...ON, ...options);
  await edit('--name=Jan');
  await operator.succeed('entry', 'note', ID, 'Notatka.');
  await operator.succeed('appeal', 'open', 'R-1');
  await operator.succeed('appeal', 'uphold', 'R-1', '--note', 'powód');
  await operator.succeed('backup', 'copy');
  for (const options of edits) await edit(...options);
  await operator.succeed('restore', 'copy', '--yes');
  const show = async () => (await operator.json<[Shown]>('entry', 'show', ID))[0];
  const { name, formerNames, reason, notes, appeal } = await show();
  const left = { name, formerNames, reason, notes: notes.length, appeal: appeal.note };
  expect(left).toEqual({ ...IN_BACKUP, ...lost });
  await edit('--name=znany');
  expect((await show()).formerNames).not.toContain(ERASED_NAME);
});

it('names entries that have a mistaken ID again, or lost the mark of a hijacked account', async () => {
  const operator = makeCommandLine();
  await operator.fill('scammers', makeRecord({ id: ID, reportId: 'R-1' }), makeRecord());
  await operator.succeed('backup', 'copy');
  await operator.succeed('entry', 'edit', ID, ...ON, '--id', CORRECTED, '--hijacked');
  const restore = (...options: string[]) => operator.run(['restore', 'copy', ...options]);
  const command = `entry edit R-1 --list scammers --id ${CORRECTED} --hijacked`;
  // Before the question.
  expect((await restore()).stderr).toContain(
    `note: R-1: ${CORRECTED} (hijacked) is ${ID} (own) in the backup, and comes back so; correct it: ${command}\n`,
  );
  const { reverted } = JSON.parse((await restore('--yes', '--json')).stdout) as { reverted: object[] };
  const entry = { list: 'scammers', reportId: 'R-1', idBefore: CORRECTED, id: ID };
  expect(reverted).toEqual([{ ...entry, accountBefore: 'hijacked', account: 'own' }]);
  await operator.succeed(...command.split(' '));
  const unknown = 'nothing here knows which IDs were corrected and which accounts were marked hijacked';
  expect((await restore('--yes')).stderr).not.toContain(unknown);
  await operator.succeed(...command.split(' '));
  expect(await operator.json('entry', 'show', 'R-1')).toMatchObject([{ id: CORRECTED, account: 'hijacked' }]);
  // As after damage.
  for (const end of ['', '-wal', '-shm']) rmSync(operator.databasePath + end, { force: true });
  expect((await restore('--without-removed')).stderr).toContain(unknown);
});

it('knows people who were removed since the backup, by number and by the ID that they had last', async () => {
  const operator = makeCommandLine();
  const [added, back] = [makeRecord({ reportId: 'R-2' }), makeRecord({ reportId: 'R-3' })];
  await operator.fill('scammers', makeRecord({ id: ID, reportId: 'R-1' }));
  await operator.succeed('backup', 'copy');
  await operator.succeed('entry', 'edit', ID, ...ON, '--id', CORRECTED);
  await operator.succeed('import', operator.file('added.ndjson', [added, back]), ...ON);
  for (const id of [CORRECTED, added.id, back.id])
    await operator.succeed('entry', 'remove', id, ...ON, '--reason', 'appeal');
  // A second restore replaces a database that knows them by the first one only.
  for (const _restore of [1, 2]) {
    await operator.succeed('restore', 'copy', '--yes');
    expect(operator.read((db) => db.statement('SELECT count(*) FROM entries').pluck().get())).toBe(0);
    for (const id of [CORRECTED, added.id])
      expect(await operator.fail('entry', 'add', id, ...ON, '--name=x', '--reason=y')).toMatch(
        / was removed from scammers \(appeal, .*\); --yes adds it again/,
      );
    expect(operator.read((db) => findReport(db, 'R-2'))).toMatchObject({ reason: 'appeal' });
  }
  await operator.succeed('import', operator.file('back.ndjson', [back]), ...ON, '--yes');
  await operator.succeed('backup', 'later');
  await operator.succeed('restore', 'later', '--yes');
  expect(operator.read((db) => findReport(db, 'R-3'))).toMatchObject({ id: back.id });
  expect(operator.read((db) => db.statement('SELECT count(*) FROM tombstones').pluck().get())).toBe(2);
});
