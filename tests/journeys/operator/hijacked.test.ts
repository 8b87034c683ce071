import { describe, expect, it } from 'vitest';
import { checkDatabase } from '#src/operator/doctor/database-check.ts';
import { parseConfig } from '#src/config.ts';
import { listPublicByChatId, parseSummary } from '#src/entries/public-entry.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine } from '../../support/run-czujka.ts';
import { mirrored } from '../../support/stored-entries.ts';

/** The ID is of 2026-11-26. */
const ID = '1572250755006587457';
/** The ID is of 2017. */
const OLD = '280864204968068869';
const SINCE = '2026-01-02T03:04:05.000Z';
const DAY_MS = 86_400_000;
const ON = ['--list', 'scammers'] as const;
const DAY = new Date(Date.now() - DAY_MS).toISOString();

const operator = await makeMigratedCommandLine();
const facts = (id: string): unknown => {
  const entry = mirrored(operator, id);
  return entry && [entry.account, entry.accountSince, entry.verified];
};
const edit = (id: string, ...options: string[]) => operator.succeed('entry', 'edit', id, ...ON, ...options);

await operator.fill(
  'scammers',
  makeRecord({ id: OLD, name: 'stara', reason: 'Powód.', reportId: 'R-OLD' }),
  makeRecord({ id: '1', name: 'dziwna', reportId: 'R-ODD' }),
);

it('is set with and without a date, keeps verified and everything else, and is unset', async () => {
  const card = operator.read((db) => listPublicByChatId(db, OLD)[0]?.card ?? '');
  const before = parseSummary(JSON.stringify((JSON.parse(card) as unknown[]).slice(0, -1)));
  expect(before).toMatchObject({ account: 'own', accountSince: null });
  await edit(OLD, '--hijacked');
  expect(facts(OLD)).toEqual(['hijacked', null, true]);
  expect(await edit(OLD, '--hijacked', '--since', SINCE)).toContain('verified, hijacked');
  expect(facts(OLD)).toEqual(['hijacked', SINCE, true]);
  // A repeat without a date, and edits of other fields, leave it.
  await edit(OLD, '--hijacked');
  await edit(OLD, '--name', 'inna', '--risk');
  expect(facts(OLD)).toEqual(['hijacked', SINCE, false]);
  await edit(OLD, '--own', '--verified');
  expect(facts(OLD)).toEqual(['own', null, true]);
  const shown = await operator.run(['entry', 'show', OLD]);
  expect(shown.stdout).toMatch(/updated \(edit\): verified, verifiedAt, account recovered, accountSince/);
});

it.each([
  [['--hijacked', '--since', new Date(Date.now() + DAY_MS).toISOString()], 'lies ahead: a time from 2017-'],
  [['--hijacked', '--since', '2017-01-02'], 'is before the ID was given out: a time from 2017-'],
  [['--hijacked', '--since', 'wczoraj'], 'accountSince: must be an ISO 8601 time'],
  [['--hijacked', '--own'], "option '--own' cannot be used with option '--hijacked'"],
  [['--since', DAY], '--since needs --hijacked'],
  [['--own', '--since', DAY], 'cannot be used with'],
])('%j is refused, and nothing is written', async (options, problem) => {
  const before = operator.read((db) => [facts(OLD), db.statement('SELECT max(seq) FROM changes').get()]);
  expect(await operator.fail('entry', 'edit', OLD, ...ON, ...options)).toContain(problem);
  expect(operator.read((db) => [facts(OLD), db.statement('SELECT max(seq) FROM changes').get()])).toEqual(
    before,
  );
});

it('of an ID that holds no moment is refused before the platform began', async () => {
  const mark = ['entry', 'edit', 'R-ODD', ...ON, '--hijacked', '--since'];
  const refusal = 'before the platform began: a time from 2015-01-01';
  expect(await operator.fail(...mark, '2014-12-31')).toContain(refusal);
  await operator.succeed(...mark, '2015-01-01');
});

it('may be dated on the day of the ID, and is refused again when the ID is corrected to a later one', async () => {
  const created = operator.read(() => new Date(Number((BigInt(OLD) >> 22n) + 1_420_070_400_000n)));
  const day = created.toISOString().slice(0, 10);
  await edit(OLD, '--hijacked', '--since', day);
  expect(await operator.fail('entry', 'edit', OLD, ...ON, '--id', ID, '--odd-id')).toContain('accountSince');
  await edit(OLD, '--own');
});

it('travels by export, import and CSV, asks before it is set, and an undo takes it back', async () => {
  await edit(OLD, '--hijacked', '--since', SINCE);
  const exported = await operator.succeed('export', ...ON);
  expect(exported).toContain(`"account":"hijacked","accountSince":"${SINCE}"`);
  await edit(OLD, '--own');
  expect(await operator.succeed('export', ...ON)).not.toContain(SINCE);
  const file = operator.file('h.ndjson', exported);
  expect(await operator.succeed('import', file, ...ON, '--dry-run')).toContain('would become hijacked: 1');
  expect(await operator.fail('import', file, ...ON)).toContain('says of 1 account that a stranger has it');
  expect(facts(OLD)).toEqual(['own', null, true]);
  await operator.succeed('import', file, ...ON, '--yes');
  expect(facts(OLD)).toEqual(['hijacked', SINCE, true]);
  // What is hijacked already needs no question.
  await operator.succeed('import', operator.file('i.ndjson', exported.replaceAll('inna', 'nowa')), ...ON);
  const csv = `id,name,reason,verified,account,accountSince\n${OLD},inna,Powód.,tak,own,`;
  await operator.succeed('import', operator.file('h.csv', csv), ...ON);
  expect(facts(OLD)).toEqual(['own', null, true]);
  await operator.succeed('import', '--undo');
  expect(facts(OLD)).toEqual(['hijacked', SINCE, true]);
  const bad = `id,name,reason,verified,accountSince\n280864204968068870,x,Powód.,tak,2026-01-02`;
  expect(await operator.fail('import', operator.file('b.csv', bad), ...ON)).toContain(
    'accountSince: only a hijacked account has one',
  );
});

it('outlives a redaction, a backup and its restore', async () => {
  await edit(OLD, '--redact', '--name', 'x', '--reason', 'Opis usunięty.');
  expect(facts(OLD)).toEqual(['hijacked', SINCE, true]);
  await operator.succeed('backup', 'kopia');
  await edit(OLD, '--own');
  await operator.succeed('restore', 'kopia', '--yes');
  expect(facts(OLD)).toEqual(['hijacked', SINCE, true]);
});

it('is listed, and named by doctor after 30 days', async () => {
  const listed = await operator.json('entry', 'list', ...ON, '--hijacked');
  expect(listed).toMatchObject({ total: 2, entries: [{}, {}] });
  const config = parseConfig({ DATABASE_PATH: operator.databasePath });
  const said = async (now?: number) =>
    (await checkDatabase(config, now)).filter(({ says }) => says.includes('hijacked'));
  expect(await said()).toMatchObject([{ state: 'notice', says: expect.stringMatching(/R-O/) as string }]);
  await operator.fill('legit', makeRecord({ id: OLD, reportId: 'R-T', account: 'hijacked' }));
  // Without a date it counts from the last change.
  expect(await said()).toHaveLength(1);
  expect(await said(Date.now() + 60 * DAY_MS)).toHaveLength(2);
  expect(await operator.succeed('entry', 'list', '--list', 'legit', '--hijacked')).toContain('R-T');
  expect(await operator.succeed('entry', 'list', '--list', 'legit')).toContain('risk, hijacked\tR-T');
});

describe('a removal because the owner is back', () => {
  const back = (...names: string[]) => ['entry', 'remove', ...names, ...ON, '--reason', 'recovered'];

  it('is refused for an account in its owner’s hands, also among others', async () => {
    await operator.fill('scammers', makeRecord({ id: '2', reportId: 'R-2' }));
    const { stdout } = await operator.run([...back('2'), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'invalid' } });
    const { code, stderr } = await operator.run(back('-'), { input: `${OLD}\n2\n` });
    expect([code, stderr]).toEqual([1, expect.stringContaining('not hijacked: 2;')]);
    expect(facts(OLD)).toEqual(['hijacked', SINCE, true]);
  });

  it('leaves its reason', async () => {
    await operator.succeed(...back(OLD));
    expect(await operator.succeed('entry', 'show', 'R-OLD')).toContain('removed: recovered');
    expect(operator.read((db) => db.statement('SELECT reason_code FROM tombstones').pluck().all())).toEqual([
      'recovered',
    ]);
  });
});
