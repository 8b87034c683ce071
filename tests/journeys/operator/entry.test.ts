import { beforeAll, describe, expect, it } from 'vitest';
import { lockForProcess, workerLock } from '#src/db/process-lock.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { entryIdOf } from '#src/entries/entry-identity.ts';
import { listEverything } from '../../support/list-everything.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makePhoto } from '../../support/make-image.ts';
import { makeMigratedCommandLine, makeCommandLine } from '../../support/run-czujka.ts';
import {
  countEntries,
  exported,
  PNG,
  publicPictures,
  showRow,
  storedProofFiles,
} from '../../support/stored-entries.ts';

const ON = ['--list', 'scammers'] as const;

it('adds, shows, changes and removes one entry', async () => {
  const operator = makeCommandLine();
  const id = '123456789012345678';
  await operator.succeed('entry', 'add', id, ...ON, '--name', 'Żółw', '--reason', '**Powód**', '--risk',
    '--reported-at', '2026-01-02', '--report-id', 'R-1', '--views', '5'); // prettier-ignore
  const record = { id, name: 'Żółw', reason: '**Powód**', verified: false, reportId: 'R-1', views: 5 };
  expect(await exported(operator, id)).toEqual({ ...record, reportedAt: '2026-01-02T00:00:00.000Z' });

  await operator.succeed('entry', 'edit', id, ...ON, '--name', 'Żółwik');
  const reason = operator.file('reason.md', '> cytat\n');
  await operator.succeed('entry', 'edit', id, ...ON, '--reason-file', reason);
  await operator.succeed('entry', 'verify', id, ...ON);
  const changed = { name: 'Żółwik', reason: '> cytat\n', verified: true, views: 5 };
  expect(await exported(operator, id)).toMatchObject(changed);
  await operator.succeed('entry', 'unverify', id, ...ON);

  const [shown] = await operator.json<Record<string, unknown>[]>('entry', 'show', id);
  expect(shown).toMatchObject({
    list: 'scammers',
    name: 'Żółwik',
    verified: false,
    reportId: 'R-1',
    proofsId: null,
    history: ['added', ...Array<string>(4).fill('updated')].map((op) => ({ op })),
  });
  expect(await operator.succeed('entry', 'show', id)).toContain('name: Żółwik\n');

  expect(await operator.succeed('entry', 'remove', id, ...ON, '--reason', 'appeal')).toBe(
    `removed ${id} from scammers: appeal\n`,
  );
  expect(countEntries(operator)).toBe(0);
  operator.read((db) => {
    expect(db.statement('SELECT list, report_id, reason_code FROM tombstones').all()).toEqual([
      { list: 'scammers', report_id: 'R-1', reason_code: 'appeal' },
    ]);
    expect(db.statement('SELECT count(*) AS count FROM contents').get()).toEqual({ count: 0 });
  });
});

it('keeps proofs and everything else that an edit does not name', async () => {
  const operator = makeCommandLine();
  operator.file('shot.png', PNG);
  const record = makeRecord({
    reportId: 'R-2',
    views: 9,
    reportedAt: '2025-05-05T05:05:05.005Z',
    proofs: {
      private: false,
      items: [{ text: 'a', file: 'shot.png', caption: 'b' }, { url: 'https://example.com/' }],
    },
  });
  await operator.succeed('import', operator.file('in.ndjson', [record]), ...ON);
  await operator.succeed('entry', 'edit', record.id, ...ON, '--reason', 'Nowy.');
  expect(await exported(operator, record.id)).toEqual({ ...record, reason: 'Nowy.' });
});

it('adds a whole report at once, which nobody sees the proofs of unless asked for', async () => {
  const operator = await makeMigratedCommandLine();
  operator.file('one.png', PNG);
  const facts = ['--odd-id', '--name', 'x', '--reason', 'Powód.', '--risk', ...ON];
  const shots = ['--proof', 'one.png', '--proof', '-', '--caption=Czat'];
  const add = ['entry', 'add', '1', ...facts, ...shots];
  expect((await operator.run(add, { input: await makePhoto() })).code).toBe(0);
  const [first, second] = ((await exported(operator, '1'))?.proofs as { items: object[] }).items;
  expect(first).toEqual({ file: 'one.png' });
  expect(second).toEqual({ file: expect.stringMatching(/^[0-9a-f]{64}$/) as string, caption: 'Czat' });
  expect([showRow(operator, '1').proofs, ...publicPictures(operator)]).toEqual(['private']);

  await operator.succeed('entry', 'add', '2', ...facts, '--proof', 'one.png', '--proofs', 'public');
  expect(showRow(operator, '2').proofs).toBe('public');
  expect(publicPictures(operator)).toHaveLength(2);
  await operator.succeed('entry', 'edit', '2', ...ON, '--append', 'Dalej.', '--name', 'y');
  expect(await exported(operator, '2')).toMatchObject({ name: 'y', reason: 'Powód.\n\nDalej.' });
  await operator.succeed('entry', 'edit', '2', ...ON, '--redact', '--reason', 'x', '--keep-proofs');
  expect(await exported(operator, '2')).toMatchObject({ reason: 'x', proofs: { private: false } });
  expect(publicPictures(operator)).toHaveLength(2);
});

it('lists entries by text and status', async () => {
  const operator = makeCommandLine();
  await operator.fill(
    'servers',
    makeRecord({ name: 'Żółw', views: 3 }),
    makeRecord({ name: 'zebra', verified: false, views: 5, reportedAt: '2026-01-02T00:00:00Z' }),
    makeRecord({ name: 'ćma', reason: 'o żółwiach', views: 1, proofs: { private: true, items: [] } }),
  );
  type Listed = { entries: { name: string; reportedAt: string }[] };
  const list = (...args: string[]) => operator.json<Listed>('entry', 'list', '--list=servers', ...args);
  const namesOf = async (...args: string[]): Promise<string[]> =>
    (await list(...args)).entries.map(({ name }) => name);
  expect(await namesOf()).toEqual(['Żółw', 'ćma', 'zebra']);
  expect(await namesOf('--search', 'zolw')).toEqual(['Żółw', 'ćma']);
  expect(await namesOf('--skip', '1', '--limit', '1')).toEqual(['ćma']);
  const { entries } = await list('--status', 'risk');
  expect(await namesOf('--risk', '--older-than', '1')).toEqual(['zebra']);
  expect(await namesOf('--risk', '--older-than', '100000')).toEqual([]);
  expect((await namesOf('--older-than', '1'))[0]).toBe('zebra');
  expect(entries).toMatchObject([{ name: 'zebra', reportedAt: '2026-01-02T00:00:00.000Z' }]);
  expect(await operator.succeed('entry', 'list', '--list', 'servers', '--search', 'zebra')).toMatch(
    /^\d+\trisk\tR-\w+\tzebra\n1 of 1\n$/,
  );
});

it('shows what stays of an entry that the asked list had, also where another list has the ID', async () => {
  const operator = makeCommandLine();
  await operator.fill('scammers', makeRecord({ id: '1' }));
  await operator.fill('legit', makeRecord({ id: '1', verified: true }));
  await operator.succeed('entry', 'remove', '1', '--list', 'legit', '--reason', 'other');
  expect(await operator.succeed('entry', 'show', '1', '--list', 'legit')).toMatch(/^removed from legit\n/);
  expect(await operator.fail('entry', 'show', '1', '--list', 'servers')).toContain('servers has no entry');
});

it('shows an entry by each spelling of its ID and by its nick, and what stays of a removed one', async () => {
  const operator = makeCommandLine();
  const id = '123456789012345678';
  await operator.fill('scammers', makeRecord({ id, name: 'Żółw', reportId: 'R-ZOLW' }));
  for (const spelling of [`<@${id}>`, `https://example.com/users/${id}`, '@zolw', id])
    expect(await operator.json('entry', 'show', spelling), spelling).toMatchObject([{ id, name: 'Żółw' }]);
  await operator.succeed('entry', 'remove', id, ...ON, '--reason', 'appeal');
  const _id = entryIdOf('R-ZOLW');
  for (const spelling of [`<@${id}>`, id, 'R-ZOLW', _id]) {
    const [shown] = await operator.json<object[]>('entry', 'show', spelling);
    expect(shown).toEqual({
      list: 'scammers',
      _id,
      reportId: 'R-ZOLW',
      removedAt: expect.any(String) as string,
      reason: 'appeal',
      history: [expect.objectContaining({ op: 'added' }), expect.objectContaining({ op: 'removed' })],
    });
    expect(JSON.stringify(shown)).not.toContain(id);
  }
  expect(await operator.fail('entry', 'show', 'Żółw')).toContain('no list has an entry');
});

it('names the other lists that still hold what was removed', async () => {
  const operator = makeCommandLine();
  for (const list of LIST_KINDS) await operator.fill(list, makeRecord({ id: '1' }));
  const remove = ['entry', 'remove', '1', '--reason', 'appeal', '--list'];
  expect(await operator.succeed(...remove, 'scammers')).toBe(
    'removed 1 from scammers: appeal\nservers still has an entry with the ID 1\nlegit still has an entry with the ID 1\n',
  );
  expect(await operator.json(...remove, 'servers')).toMatchObject({ removed: true, alsoIn: ['legit'] });
});

it('leaves the files to a worker that acts, and says so', async () => {
  const operator = makeCommandLine();
  await operator.fill('scammers', makeRecord({ id: '1' }));
  const release = lockForProcess(workerLock(operator.databasePath));
  const said = await operator.notes('entry', 'remove', '1', ...ON, '--reason', 'request');
  release?.();
  const note = 'the worker erases it from the files on the disk within ten minutes';
  expect(said).toBe(`note: gone from API and pages; ${note}\n`);
});

it('takes a report number in any case in every verb, and an exact one first', async () => {
  const operator = makeCommandLine();
  const numbers = ['R-MJX', 'r-Two', 'R-TWO'];
  await operator.fill('scammers', ...numbers.map((reportId, at) => makeRecord({ id: `${at}`, reportId })));
  for (const verb of ['entry edit --append x', 'entry verify', 'proofs add --text x'])
    await operator.succeed(...verb.split(' '), 'r-mjx', ...ON);
  for (const verb of ['entry note', 'entry show', 'proofs show'])
    await operator.succeed(...verb.split(' '), 'r-mjX', ...(verb === 'entry note' ? ['x'] : []));
  const [shown, ...others] = await operator.json<Record<string, unknown>[]>('entry', 'show', 'R-TWO');
  expect([shown, others]).toEqual([expect.objectContaining({ id: '2' }), []]);
  for (const [number, id] of Object.entries({ 'R-TWO': '2', 'r-Two': '1', 'r-mjx': '0' })) {
    const said = await operator.succeed('entry', 'remove', number, ...ON, '--reason', 'other');
    expect(said).toContain(`removed ${id} from scammers`);
  }
  expect(await operator.succeed('entry', 'show', 'r-mjx')).toContain('reportId: R-MJX');
  const remove = ['entry', 'remove', '-', ...ON, '--reason', 'other'];
  const again = await operator.run(remove, { input: 'r-mjx\n' });
  expect(again).toMatchObject({ code: 0, stderr: 'note: removed already: 1 entry (r-mjx)\n' });
});

it('refuses control characters in new texts, and shows stored ones and direction marks as escapes', async () => {
  const operator = makeCommandLine();
  const proofs = { private: false, items: [{ text: 'dowód' }] };
  await operator.fill('scammers', makeRecord({ id: '1', name: 'a\u202eb', reason: 'Opis.', proofs }));
  const refused = 'holds a control character; of these only tab and line breaks are allowed';
  for (const args of [
    ['entry', 'edit', '1', '--reason', '\u009b2K'],
    ['entry', 'edit', '1', '--append', '\u0084x\u0094'],
    ['proofs', 'add', '1', '--text', '\u0085'],
  ])
    expect(await operator.fail(...args, ...ON)).toContain(refused);
  const [reason, text] = ['Zły\r\n\u009b2K\u2028\rx', '\u009d0;x\u009c'];
  operator.write((db) => {
    db.statement('UPDATE contents SET reason = ?').run(reason);
    db.statement('UPDATE proof_items SET text = ?').run(text);
  });
  await operator.succeed('proofs', 'private', '1', ...ON);
  await operator.succeed('entry', 'verify', '1', ...ON);
  const shown = await operator.succeed('entry', 'show', '1');
  expect(shown).toContain('name: a\\u202eb\n');
  expect(shown).toContain('reason:\nZły\r\n\\u009b2K\\u2028\\u000dx\n');
  expect(await operator.succeed('proofs', 'show', '1')).toContain('\\u009d0;x\\u009c');
  const json = await operator.succeed('entry', 'show', '1', '--json');
  expect(json).not.toMatch(/[\u0080-\u009f\u2028\u202e]/);
  expect(JSON.parse(json)).toMatchObject([{ reason, name: 'a\u202eb' }]);
  const input = JSON.stringify({ args: ['entry', 'show', '1'] });
  const { stdout } = await operator.run(['batch'], { input });
  expect(stdout).not.toMatch(/[\u009b\u202e]/);
  expect(await operator.fail('entry', 'show', '\u009b2K')).toContain('\\u009b2K');
});

it('takes an entry of the trusted list as verified', async () => {
  const operator = await makeMigratedCommandLine();
  await operator.succeed(...'entry add 1 --odd-id --list legit --name x --reason x'.split(' '));
  expect(showRow(operator, '1', 'legit').verified).toBe(1);
  expect(await operator.fail('entry', 'unverify', '1', '--list', 'legit')).toBe(
    'verified: must be true: the trusted list has no risk entries\n',
  );
});

describe('an entry command that cannot be followed', () => {
  const operator = makeCommandLine();
  beforeAll(async () => {
    operator.file('bad.png', 'no image');
    operator.file('empty.png', '');
    await operator.fill('scammers', makeRecord({ id: '1', reportId: 'R-ONE' }));
  });

  it.each([
    ['add 1 --name again --reason x --yes', 'scammers has an entry with the ID 1 already: R-ONE; '],
    ['add 2 --caption x', 'It belongs to the --proof before it.'],
    [`add 2 ${'--proof x '.repeat(21)}`, 'At most 20 are taken.'],
    ['add 2 --name x --reason-file - --proof -', 'standard input is one thing'],
    ['add 2 --name x --reason x --proof bad.png', 'item 1: file: bad.png is no image'],
    [
      'add 2 --name x --reason x --proof https://x.pl/a.png',
      'https://x.pl/a.png is a link; save the picture, and name its file',
    ],
    ['add 2', '--name is missing'],
    ['add 2 --name x', '--reason or --reason-file is missing: no entry is made without a description'],
    ['edit 1 --reason \u200b\n', '--reason is empty'],
    ['edit 1', 'nothing to change'],
    ['add 2 --name x --reason-file none.md', 'none.md is not there'],
    ['add 2 --reason x --name x --report-id R-ONE', 'reportId: R-ONE belongs to another entry'],
    ['edit 2 --name x', 'scammers has no entry with the ID 2'],
    ['add 2 --name x --reason x --proof empty.png', 'item 1: file: empty.png is empty\n'],
    ['edit 1 --append a --reason b', "option '--append <markdown>' cannot be used with option '--reason"],
    ['edit 1 --name x --keep-proofs', '--keep-proofs needs --redact'],
    ['edit 1 --reason a --reason-file b', 'give --reason or --reason-file, not both'],
    ['remove 1 --reason bored', 'Allowed choices are appeal, mistake, request, duplicate, recovered, other'],
    ['list --risk --status verified', "option '--risk' cannot be used with option '--status <status>'"],
    ['show 2', 'scammers has no entry with the ID 2'],
  ])('entry %s: ends with 1 and says why', async (args, problem) => {
    const before = operator.read(listEverything);
    const odd = args.startsWith('add') ? ['--odd-id'] : [];
    expect(await operator.fail('entry', ...args.split(' '), ...odd, ...ON)).toContain(problem);
    expect(operator.read(listEverything)).toEqual(before);
    expect(storedProofFiles(operator)).toEqual([]);
  });

  it.each([
    ['<@280864204968068869>', 'is not only an ID: did you mean 280864204968068869?'],
    ['https://chat.example/users/280864204968068869', 'did you mean 280864204968068869?'],
    ['https://chat.gg/x', 'is a link that names no ID: give the ID'],
  ])('entry add %j: says what the ID should be', async (id, problem) => {
    const facts = ['--name', 'x', '--reason', 'x'];
    expect(await operator.fail('entry', 'add', id, ...facts, ...ON)).toContain(problem);
  });
});
