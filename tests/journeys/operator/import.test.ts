import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readLogHead } from '#src/changes/change-log.ts';
import { undoPath } from '#src/changes/undo-file.ts';
import { openDatabase } from '#src/db/database.ts';
import type { ImportReport } from '#src/operator/import-command.ts';
import { listEverything } from '../../support/list-everything.ts';
import { giveOldNumber, makeRecord } from '../../support/make-entries.ts';
import { makeImage, makePhoto, SVG_WITH_SCRIPT } from '../../support/make-image.ts';
import { makeMigratedCommandLine, makeCommandLine, toNdjson } from '../../support/run-czujka.ts';
import {
  countEntries,
  exported,
  PNG,
  publicPictures,
  showRow,
  storedProofFiles,
} from '../../support/stored-entries.ts';

const ON = ['--list', 'scammers'] as const;

const ended = (code: number, stdout: string, stderr = '') => ({ code, stdout, stderr });

function withFiles(...files: readonly string[]) {
  return makeRecord({ proofs: { private: false, items: files.map((file) => ({ file })) } });
}

it('counts what is added, updated and unchanged, and keeps the same ID in another list apart', async () => {
  const operator = makeCommandLine();
  const records = [makeRecord(), makeRecord(), makeRecord({ verified: false })];
  const file = operator.file('in.ndjson', records);
  const added = ended(0, 'added 3, updated 0, unchanged 0, rejected 0\n');
  expect(await operator.run(['import', file, ...ON])).toEqual(added);
  expect(await operator.succeed('import', file, '--list', 'servers')).toContain('added 3,');
  operator.file(file, [{ ...records[0], reason: 'Inny powód.' }, records[1] ?? {}, makeRecord()]);
  expect(await operator.json<ImportReport>('import', file, ...ON)).toEqual({
    list: 'scammers',
    import: 3,
    imported: true,
    added: 1,
    updated: 1,
    unchanged: 1,
    rejected: 0,
    returned: 0,
    problemCount: 0,
    problems: [],
    notices: [],
    lookAlikes: [],
  });
  expect(countEntries(operator)).toBe(4);
});

it('reads standard input, also an empty one, and an array', async () => {
  const operator = makeCommandLine();
  const records = [makeRecord({ name: 'Żółw 🐢' }), makeRecord()];
  const fromInput = await operator.run(['import', '-', ...ON], { input: toNdjson(records) });
  expect(fromInput).toMatchObject({ code: 0, stdout: expect.stringContaining('added 2,') as string });
  const file = operator.file('in.json', JSON.stringify(records, null, 2));
  expect(await operator.succeed('import', file, ...ON)).toContain('unchanged 2,');
  expect((await operator.run(['import', '-', ...ON], { input: '' })).code).toBe(0);
});

it('reads CSV by the name of the file, and from standard input where it is said', async () => {
  const operator = makeCommandLine();
  const header = '\uFEFFid;name;reason;verified;reportedAt\r\n';
  const [first, second] = ['280864204968068869', '280864204968068871'];
  const input = `${header}${first};"Ala; ""x""";"Raz\ndwa";tak;2026-01-02\r\n${second};b;c;nie;\r\n`;
  operator.file('list.CSV', input);
  expect(await operator.succeed('import', 'list.CSV', ...ON)).toContain('added 2,');
  expect(await exported(operator, first)).toMatchObject({
    name: 'Ala; "x"',
    reason: 'Raz\ndwa',
    verified: true,
  });
  const piped = await operator.run(['import', '-', '--format', 'csv', ...ON], { input });
  expect(piped.stdout).toContain('unchanged 2,');
  const unnamed = await operator.run(['import', '-', ...ON], { input });
  const advice = 'stdin:1: is no JSON, which begins with { or [; if it is CSV, say --format csv\n';
  expect([unnamed.code, unnamed.stderr]).toEqual([1, advice]);
  const latin = Buffer.concat([Buffer.from(input), Buffer.from('6;\xb3;d;0;', 'latin1')]);
  expect(await operator.fail('import', operator.file('bad.csv', latin), '--odd-id', ...ON)).toBe(
    'bad.csv:5: is not valid UTF-8; save the file as UTF-8\n',
  );
});

it('changes nothing for one bad record, and says where it is and what is wrong', async () => {
  const operator = makeCommandLine();
  const [good, other] = [makeRecord(), makeRecord()];
  await operator.fill('scammers', good);
  const deep = '>'.repeat(20_000);
  const lines = [
    JSON.stringify({ ...good, name: 'a new name' }),
    JSON.stringify({ ...makeRecord(), name: ' x', views: -1 }),
    '',
    // The first record alone may be taken for the header of CSV.
    'id;name;reason',
    JSON.stringify(makeRecord({ reason: 'x'.repeat(4 * 1024 * 1024) })),
    JSON.stringify(makeRecord({ reason: deep, proofs: { private: false, items: [{ text: deep }] } })),
    JSON.stringify(other),
    JSON.stringify(good),
  ];
  operator.file('bad.ndjson', `${lines.join('\n')}\n`);
  const command = ['import', 'bad.ndjson', '--odd-id', ...ON];
  const { code, stdout, stderr } = await operator.run(command);
  const counts = 'added 1, updated 1, unchanged 0, rejected 5';
  expect([code, stdout]).toEqual([1, `nothing was changed: 7 problems (${counts} if all were well)\n`]);
  expect(stderr.split('\n')).toEqual([
    'bad.ndjson:2: name: begins or ends with white space; remove it',
    'bad.ndjson:2: views: must be at least 0',
    expect.stringMatching(/^bad\.ndjson:4: is not valid JSON: /),
    'bad.ndjson:5: the record is longer than 4194304 bytes',
    expect.stringMatching(/^bad\.ndjson:6: reason: /),
    expect.stringMatching(/^bad\.ndjson:6: proofs\.items\[0\]\.text: /),
    'bad.ndjson:8: id: is in the input twice; the first is in line 1',
    '',
  ]);
  expect(countEntries(operator)).toBe(1);
  expect(showRow(operator, good.id).name).toBe(good.name);

  const partly = ended(1, `${counts}\n"import --undo=1" takes this back for 30 days\n`, stderr);
  expect(await operator.run([...command, '--keep-going'])).toEqual(partly);
  expect(showRow(operator, good.id).name).toBe('a new name');
  expect(showRow(operator, other.id).name).toBe(other.name);
});

it('refuses what is not only an ID, and notes odd ones in one line', async () => {
  const operator = makeCommandLine();
  operator.file('ids.ndjson', [makeRecord({ id: '<@280864204968068869>' }), makeRecord({ id: 'x y' })]);
  const refused = await operator.run(['import', 'ids.ndjson', ...ON]);
  expect(refused.stderr.trim().split('\n')).toEqual([
    'ids.ndjson:1: id: is not only an ID: did you mean 280864204968068869?',
    'ids.ndjson:2: id: has white space in it: give the ID alone',
  ]);
  const odd = ['280864204968068869', '7', 'x'].map((id) => makeRecord({ id }));
  operator.file('odd.ndjson', odd);
  expect(await operator.notes('import', 'odd.ndjson', ...ON)).toBe(
    'note: odd.ndjson:2: id: is not 17 to 20 digits, nor are those of 1 more; --odd-id says that this is meant\n',
  );
});

it('lists the first 50 problems by line and counts the rest', async () => {
  const operator = makeCommandLine();
  const record = makeRecord();
  const broken = Array.from({ length: 60 }, () => ({ ...makeRecord(), name: '' }));
  const file = operator.file('in.ndjson', [record, record, ...broken]);
  const { stderr } = await operator.run(['import', file, ...ON]);
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(51);
  expect(lines[0]).toMatch(/^in\.ndjson:2: id: is in the input twice/);
  expect(lines[49]).toMatch(/^in\.ndjson:51: name: /);
  expect(lines[50]).toBe('… and 11 more problems');
  const report = await operator.json<ImportReport>('import', file, ...ON);
  expect(report).toMatchObject({ imported: false, problemCount: 61, rejected: 61 });
  expect(report.problems).toHaveLength(50);
});

it('refuses a number of reports that another entry has', async () => {
  const operator = await makeMigratedCommandLine();
  await operator.fill('scammers', makeRecord({ reportId: 'R-MINE' }));
  const records = ['R-MINE', 'R-NEW', 'R-NEW'].map((reportId) => makeRecord({ reportId }));
  const file = operator.file('in.ndjson', records);
  for (const list of ['scammers', 'servers'])
    expect(await operator.fail('import', file, '--list', list)).toBe(
      'in.ndjson:1: reportId: R-MINE belongs to another entry; report numbers are unique\n' +
        'in.ndjson:3: reportId: R-NEW is in the input twice; report numbers are unique\n',
    );
});

it('gives the number of a removed entry only to the same ID, and to none when nothing tells it', async () => {
  const operator = makeCommandLine();
  const record = makeRecord({ reportId: 'R-1' });
  const [second, third] = [makeRecord(), makeRecord()];
  await operator.fill('scammers', record, second, third);
  await operator.succeed('entry', 'remove', record.id, ...ON, '--reason', 'appeal');
  const other = operator.file('other.ndjson', [{ ...record, id: '123456789012345678' }]);
  expect(await operator.fail('import', other, ...ON, '--yes')).toContain(
    'other.ndjson:1: reportId: R-1 belonged to another entry',
  );
  const same = operator.file('same.ndjson', [record]);
  const [key, away] = ['data/removed.key', 'removed.key'].map((name) => join(operator.folder, name));
  renameSync(key ?? '', away ?? '');
  expect(await operator.fail('import', same, ...ON, '--yes')).toContain('nothing here can tell its ID');
  // No new key hides that the old one is lost.
  for (const { id } of [second, third])
    expect(await operator.notes('entry', 'remove', id, ...ON, '--reason', 'request')).toContain(
      'removed.key is missing, or is no key: removed IDs are not',
    );
  const add = ['entry', 'add', second.id, ...ON, '--name=x', '--reason=y'];
  expect((await operator.run(add)).stderr).toContain('removed.key is missing');
  renameSync(away ?? '', key ?? '');
  await operator.succeed('import', same, ...ON, '--yes');
});

it('takes an odd number of an earlier version for its own entry alone', async () => {
  const operator = makeCommandLine();
  const record = makeRecord();
  await operator.fill('scammers', record);
  operator.write((db) => giveOldNumber(db, record.id, 'zgł/1'));
  const exported = await operator.succeed('export', ...ON);
  expect(exported).toContain('"reportId":"zgł/1"');
  operator.file('in.ndjson', exported);
  expect(await operator.succeed('import', 'in.ndjson', ...ON)).toContain('unchanged 1');
  operator.file('in.ndjson', exported.replace(record.id, '123456789012345678'));
  expect(await operator.fail('import', 'in.ndjson', ...ON)).toContain('zgł/1 is no number for a new entry');
});

it('says which entries of an old file come back', async () => {
  const operator = makeCommandLine();
  const records = ['R-1', 'R-2', 'R-3'].map((reportId) => makeRecord({ reportId }));
  await operator.fill('scammers', ...records);
  const file = operator.file('in.ndjson', records);
  for (const { id } of records.slice(0, 2))
    await operator.succeed('entry', 'remove', id, ...ON, '--reason', 'appeal');
  const elsewhere = await operator.run(['import', file, '--list', 'servers']);
  expect(elsewhere.stderr).toContain('R-1 belonged to an entry of another list');
  expect(await operator.fail('import', file, ...ON)).toMatch(
    /\nthis import brings back 2 removed entries; nothing was changed\./,
  );
  const { stdout, stderr } = await operator.run(['import', file, ...ON, '--yes']);
  expect(stdout).toMatch(/^added 2, .*unchanged 1, /);
  expect(stderr).toMatch(
    /^note: in.ndjson:1: reportId: R-1 was removed before \(appeal, \d{4}-\d\d-\d\d\) and comes back\nnote: .*R-2.*\n$/,
  );
  // Once it is back, it is an entry like any other.
  const same = ended(0, 'added 0, updated 0, unchanged 3, rejected 0\n');
  expect(await operator.run(['import', file, ...ON])).toEqual(same);
});

it('refuses a new time before 2015 or ahead, and takes one that the entry has', async () => {
  const operator = makeCommandLine();
  const [record, odd] = [makeRecord({ reportedAt: '2020-01-01' }), makeRecord()];
  await operator.fill('scammers', record, odd);
  const sql = 'UPDATE entries SET reported_at = ? WHERE chat_id = ?';
  operator.write((db) => db.statement(sql).run(Date.UTC(2099, 0, 1), odd.id));
  await operator.succeed('export', ...ON, '--out', 'out.ndjson');
  expect(await operator.succeed('import', 'out.ndjson', ...ON)).toContain(
    'added 0, updated 0, unchanged 2, rejected 0',
  );
  await operator.succeed('entry', 'edit', odd.id, '--name', 'inaczej', ...ON);
  const reportedAt = '2099-01-02';
  const records = [{ ...record, reportedAt }, { ...odd, reportedAt }, makeRecord({ reportedAt })];
  const refused = (await operator.fail('import', operator.file('in.ndjson', records), ...ON)).split('\n');
  for (const at of records.keys())
    expect(refused[at]).toMatch(new RegExp(`^in.ndjson:${at + 1}: reportedAt: 2099-01-02 .* is allowed$`));
  const add = ['add', makeRecord().id, '--name', 'n', '--reason', 'r'];
  for (const verb of [['edit', odd.id], add])
    expect(await operator.fail('entry', ...verb, ...ON, '--reported-at', reportedAt)).toContain('is allowed');
  await operator.succeed('entry', 'edit', odd.id, ...ON, '--reported-at', '2026-01-02');
});

it('refuses a new link whose file ends soon, and notes one that is stored', async () => {
  const operator = makeCommandLine();
  const [url, reportId] = ['https://cdn.discordapp.com/a.png?ex=1', 'R-1'];
  const record = makeRecord({ reportId, proofs: { private: true, items: [{ url }] } });
  const file = operator.file('in.ndjson', [record]);
  const problem =
    'in.ndjson:1: proofs.items[0].url: is gone within a day: send the file (REFUSED_PROOF_HOSTS)';
  expect((await operator.fail('import', file, ...ON)).split('\n')).toContain(problem);
  const settings = { REFUSED_PROOF_HOSTS: 'none' };
  expect(await operator.run(['import', file, ...ON], { settings })).toMatchObject({ code: 0, stderr: '' });
  const note = `note: ${problem}; it stays, because it is stored already\n`;
  expect(await operator.notes('import', file, ...ON)).toBe(note);
});

it('keeps the report number, and the optional fields that are absent the second time', async () => {
  const operator = makeCommandLine();
  const full = makeRecord({
    reportId: 'R-KEPT',
    reportedAt: '2025-01-02T03:04:05.678Z',
    views: 42,
    proofs: { private: true, items: [{ text: 'Dowód.', url: 'https://example.com/', caption: 'Opis' }] },
  });
  await operator.fill('scammers', full);
  const before = showRow(operator, full.id);
  const changed = { id: full.id, name: 'other', reason: 'Inny.', verified: false };
  operator.file('in.ndjson', [{ ...changed, reportId: 'R-SECOND' }]);
  const done = 'added 0, updated 1, unchanged 0, rejected 0\n"import --undo=1" takes this back for 30 days\n';
  const note = 'note: in.ndjson:1: reportId: stays R-KEPT: the report number of an entry never changes\n';
  expect(await operator.run(['import', 'in.ndjson', ...ON])).toEqual(ended(0, done, note));
  expect(await exported(operator, full.id)).toEqual({ ...full, ...changed });
  const after = showRow(operator, full.id);
  for (const key of ['entry_id', 'report_id', 'proofs_id', 'reported_at', 'views', 'proofs'] as const)
    expect(after[key], key).toBe(before[key]);
  operator.file('in.ndjson', [{ ...full, proofs: { private: false, items: [] } }]);
  await operator.succeed('import', 'in.ndjson', ...ON);
  expect(showRow(operator, full.id)).toMatchObject({ proofs: 'none', proofs_id: null });
  await operator.succeed('import', operator.file('in.ndjson', [full]), ...ON);
  expect(showRow(operator, full.id).proofs_id).toBe(before.proofs_id);
});

it('succeeds where unused files cannot be removed after it', async () => {
  const operator = await makeMigratedCommandLine();
  mkdirSync(undoPath(operator.databasePath));
  operator.file('proof.png', PNG);
  const [imported, added] = [withFiles('proof.png'), makeRecord()];
  await operator.succeed('import', operator.file('in.ndjson', [imported]), ...ON);
  const { id, name } = added;
  await operator.succeed('entry', 'add', id, ...ON, '--name', name, '--reason', 'Opis.', '--proof', join(operator.folder, 'proof.png'), '--proofs', 'public', '--yes'); // prettier-ignore
  expect(countEntries(operator)).toBe(2);
});

it('takes the proof files that lie beside the file', async () => {
  const operator = makeCommandLine();
  operator.file('in/shot.png', PNG);
  operator.file('in/deeper/x', '');
  symlinkSync('../shot.png', join(operator.folder, 'in/deeper/same shot.png'));
  const record = withFiles('shot.png', 'deeper/same shot.png');
  await operator.succeed('import', operator.file('in/in.ndjson', [record]), ...ON);
  expect(storedProofFiles(operator)).toEqual([createHash('sha256').update(PNG).digest('hex')]);
  expect(showRow(operator, record.id).proofs).toBe('public');
  expect(await exported(operator, record.id)).toMatchObject({ proofs: record.proofs });
  symlinkSync('in', join(operator.folder, 'linked'));
  expect(await operator.succeed('import', 'linked/in.ndjson', ...ON)).toContain('unchanged 1,');
});

it('refuses files that are no proofs or lie elsewhere, and leaves nothing of the whole import', async () => {
  const operator = makeCommandLine();
  operator.file('outside.png', PNG);
  operator.file('in/good.png', await makeImage().png().toBuffer());
  operator.file('in/cut.jpg', (await makePhoto()).subarray(0, -400));
  operator.file('in/script.png', SVG_WITH_SCRIPT);
  operator.file('in/large.png', PNG);
  truncateSync(join(operator.folder, 'in/large.png'), 20 * 1024 * 1024 + 1);
  symlinkSync('../outside.png', join(operator.folder, 'in/link.png'));
  symlinkSync('..', join(operator.folder, 'in/link'));
  const elsewhere = 'leads outside the folder of the import file';
  const noImage = 'is no image by its content; allowed are png, jpeg, webp, gif';
  const refused: Readonly<Record<string, string>> = {
    'none.png': 'is missing, or is not a file',
    '../outside.png': elsewhere,
    'link.png': elsewhere,
    'link/outside.png': elsewhere,
    'script.png': noImage,
    'large.png': 'has more than 20971520 bytes (20 MiB)',
    'cut.jpg': 'is damaged: ',
  };
  const names = Object.keys(refused);
  const records = ['good.png', ...names].map((name) => withFiles(name));
  const file = operator.file('in/in.ndjson', records);
  const report = await operator.json<ImportReport>('import', file, ...ON);
  expect(report.imported).toBe(false);
  expect(report.problems.map(({ line, field, problem }) => [line, field, problem])).toEqual(
    names.map((name, index): unknown[] => [
      index + 2,
      'proofs.items[0].file',
      expect.stringContaining(`${name} ${refused[name]}`),
    ]),
  );
  expect([countEntries(operator), ...storedProofFiles(operator), ...publicPictures(operator)]).toEqual([0]);
  await operator.json<ImportReport>('import', file, ...ON, '--keep-going');
  expect(countEntries(operator)).toBe(1);
  expect(storedProofFiles(operator)).toHaveLength(1);
  expect(publicPictures(operator)).toHaveLength(4);
});

it('ends with one sentence when writing fails half-way, and has changed nothing', async () => {
  const operator = await makeMigratedCommandLine();
  await operator.fill('scammers', makeRecord());
  using db = openDatabase(operator.databasePath, 'write');
  db.connection
    .exec(`CREATE TRIGGER full BEFORE INSERT ON published WHEN (SELECT count(*) FROM published) > 200
      BEGIN SELECT RAISE(ABORT, 'disk is full'); END`);
  const read = (): unknown[] => [listEverything(db), readLogHead(db)];
  const before = read();
  const input = toNdjson(Array.from({ length: 400 }, () => makeRecord()));
  const failed = ended(2, '', 'could not run: disk is full\n');
  expect(await operator.run(['import', '-', ...ON], { input })).toEqual(failed);
  expect(read()).toEqual(before);
});

it('refuses an input that is no file, or has proof files and no folder', async () => {
  const operator = await makeMigratedCommandLine();
  operator.file('shot.png', PNG);
  for (const [file, problem, input] of [
    ['none.ndjson', 'there is no file none.ndjson'],
    ['data', 'data is a folder; a file is needed'],
    [
      '-',
      'stdin:1: proofs.items[0].file: needs an import file to lie beside; standard input has no folder',
      toNdjson([withFiles('shot.png')]),
    ],
  ] as const)
    expect(await operator.run(['import', file, ...ON], { input: input ?? '' })).toMatchObject({
      code: 1,
      stderr: `${problem}\n`,
    });
});
