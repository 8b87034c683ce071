import { createHash } from 'node:crypto';
import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { ImportReport } from '../../../scripts/import/import-file.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeOperator, toNdjson } from '../../support/run-czujka.ts';
import { countEntries, exported, PNG, showRow, storedProofFiles } from '../../support/stored-entries.ts';

const ZIP = Buffer.from('UEsDBAoAAAAAAA==', 'base64');

describe('import', () => {
  it('counts what is added, updated and unchanged', async () => {
    const operator = makeOperator();
    const records = [makeRecord(), makeRecord(), makeRecord({ verified: false })];
    const file = operator.file('in.ndjson', records);
    expect(await operator.run(['import', file, '--list', 'scammers'])).toEqual({
      code: 0,
      stdout: 'added 3, updated 0, unchanged 0, rejected 0\n',
      stderr: '',
    });
    expect(await operator.do('import', file, '--list', 'scammers')).toBe(
      'added 0, updated 0, unchanged 3, rejected 0\n',
    );
    operator.file(file, [{ ...records[0], reason: 'Inny powód.' }, records[1] ?? {}, makeRecord()]);
    expect(await operator.json<ImportReport>('import', file, '--list', 'scammers')).toEqual({
      list: 'scammers',
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

  it('keeps the same ID in another list apart', async () => {
    const operator = makeOperator();
    const file = operator.file('in.ndjson', [makeRecord()]);
    for (const list of LIST_KINDS) {
      expect(await operator.do('import', file, '--list', list)).toContain('added 1,');
    }
  });

  it.each([
    ['NDJSON', (records: object[]) => toNdjson(records)],
    [
      'NDJSON with a byte order mark and CRLF',
      (records: object[]) => `\uFEFF${toNdjson(records).replaceAll('\n', '\r\n')}`,
    ],
    ['a JSON array', (records: object[]) => JSON.stringify(records, null, 2)],
  ])('reads %s from a file and from standard input', async (_name, write) => {
    const text = write([makeRecord({ name: 'Żółw 🐢' }), makeRecord()]);
    const [fromFile, fromInput] = [makeOperator(), makeOperator()];
    expect(await fromFile.do('import', fromFile.file('in', text), '--list', 'servers')).toContain('added 2,');
    expect(await fromInput.run(['import', '-', '--list', 'servers'], { input: text })).toMatchObject({
      code: 0,
      stdout: 'added 2, updated 0, unchanged 0, rejected 0\n',
    });
    expect(countEntries(fromInput, 'servers')).toBe(2);
  });

  it('takes an empty list for what it is', async () => {
    const operator = makeOperator();
    for (const input of ['', '[]', '\n']) {
      expect(await operator.run(['import', '-', '--list', 'servers'], { input })).toMatchObject({
        code: 0,
        stdout: 'added 0, updated 0, unchanged 0, rejected 0\n',
      });
    }
  });

  it('changes nothing for one bad record, and says file, line, field and what is wrong', async () => {
    const operator = makeOperator();
    const [good, other] = [makeRecord(), makeRecord()];
    operator.file('good.ndjson', [good]);
    await operator.do('import', 'good.ndjson', '--list', 'scammers');
    const lines = [
      JSON.stringify({ ...good, name: 'a new name' }),
      JSON.stringify({ ...makeRecord(), name: ' x', views: -1 }),
      '',
      '{"id": "5", oops}',
      JSON.stringify({ ...makeRecord(), proofs: { private: false, items: [{ url: 'x' }] } }),
      JSON.stringify(other),
    ];
    operator.file(
      'bad.ndjson',
      Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), Buffer.from([0x22, 0xff, 0x22])]),
    );
    const { code, stdout, stderr } = await operator.run(['import', 'bad.ndjson', '--list', 'scammers']);
    expect(code).toBe(1);
    expect(stdout).toBe(
      'nothing was changed: 5 problems (added 1, updated 1, unchanged 0, rejected 4 if all were well)\n',
    );
    expect(stderr.split('\n')).toEqual([
      'bad.ndjson:2: name: begins or ends with white space; remove it',
      'bad.ndjson:2: views: must be at least 0',
      expect.stringMatching(/^bad\.ndjson:4: is not valid JSON: /),
      'bad.ndjson:5: proofs.items[0].url: must be an http or https address',
      'bad.ndjson:7: is not valid UTF-8; save the file as UTF-8',
      '',
    ]);
    expect(countEntries(operator)).toBe(1);
    expect(showRow(operator, good.id).name).toBe(good.name);
  });

  it('imports the good records with --keep-going, lists the bad and ends with 1', async () => {
    const operator = makeOperator();
    const [first, second] = [makeRecord(), makeRecord()];
    const file = operator.file('in.ndjson', [first, { ...makeRecord(), id: '' }, second]);
    const { code, stdout, stderr } = await operator.run([
      'import',
      file,
      '--list',
      'scammers',
      '--keep-going',
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'added 2, updated 0, unchanged 0, rejected 1\n' });
    expect(stderr).toBe('in.ndjson:2: id: is empty or invisible; at least one visible character is needed\n');
    expect(countEntries(operator)).toBe(2);
  });

  it('lists the first 50 problems by line and counts the rest', async () => {
    const operator = makeOperator();
    const record = makeRecord();
    const broken = Array.from({ length: 60 }, () => ({ ...makeRecord(), name: '' }));
    const file = operator.file('in.ndjson', [record, record, ...broken]);
    const { code, stderr } = await operator.run(['import', file, '--list', 'scammers']);
    const lines = stderr.trimEnd().split('\n');
    expect(code).toBe(1);
    expect(lines).toHaveLength(51);
    expect(lines[0]).toBe('in.ndjson:2: id: is in the input twice; the first is in line 1');
    expect(lines[49]).toMatch(/^in\.ndjson:51: name: /);
    expect(lines[50]).toBe('… and 11 more problems');
    const report = await operator.json<ImportReport>('import', file, '--list', 'scammers');
    expect(report).toMatchObject({ imported: false, problemCount: 61, rejected: 61 });
    expect(report.problems.map(({ line }) => line)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 2),
    );
  });

  it.each([
    ['cut off', '[{"id"', 'in.json:1: the array is not closed; the file may be cut off'],
    ['followed by junk', '[]\n\n]', 'in.json:3: there is something after the end of the array'],
  ])('refuses an array that is %s', async (_name, text, problem) => {
    const operator = makeOperator();
    const { code, stderr } = await operator.run([
      'import',
      operator.file('in.json', text),
      '--list',
      'legit',
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${problem}\n` });
  });

  it('refuses a number of reports that another entry has', async () => {
    const operator = makeOperator();
    const mine = makeRecord({ reportId: 'R-MINE' });
    operator.file('mine.ndjson', [mine]);
    await operator.do('import', 'mine.ndjson', '--list', 'scammers');
    operator.file('in.ndjson', [
      makeRecord({ reportId: 'R-MINE' }),
      makeRecord({ reportId: 'R-NEW' }),
      makeRecord({ reportId: 'R-NEW' }),
    ]);
    for (const list of LIST_KINDS) {
      const { code, stderr } = await operator.run(['import', 'in.ndjson', '--list', list]);
      expect(code).toBe(1);
      expect(stderr.trimEnd().split('\n')).toEqual([
        'in.ndjson:1: reportId: R-MINE belongs to another entry; report numbers are unique',
        'in.ndjson:3: reportId: R-NEW is in the input twice; report numbers are unique',
      ]);
    }
    await operator.do('entry', 'remove', mine.id, '--list', 'scammers', '--reason', 'other');
    operator.file('in.ndjson', [makeRecord({ reportId: 'R-MINE' })]);
    expect((await operator.run(['import', 'in.ndjson', '--list', 'servers'])).stderr).toContain(
      'R-MINE belonged to an entry of another list',
    );
    // The entry itself comes back, and that is said.
    expect(await operator.run(['import', 'in.ndjson', '--list', 'scammers'])).toEqual({
      code: 0,
      stdout:
        'added 1, updated 0, unchanged 0, rejected 0\n' +
        '1 entry was removed before and is back, by the report number; "entry remove" removes again\n',
      stderr: expect.stringMatching(
        /^note: in.ndjson:1: reportId: R-MINE was removed before \(other, \d{4}-\d\d-\d\d\) and comes back\n$/,
      ) as string,
    });
    // Once it is back, it is an entry like any other.
    const report = await operator.json('import', 'in.ndjson', '--list', 'scammers');
    expect(report).toMatchObject({ unchanged: 1, returned: 0, notices: [] });
  });

  it('counts those that come back from an old export, and says nothing of new ones', async () => {
    const operator = makeOperator();
    operator.file(
      'in.ndjson',
      ['1', '2', '3'].map((id) => makeRecord({ id })),
    );
    await operator.do('import', 'in.ndjson', '--list', 'scammers');
    await operator.do('export', '--list', 'scammers', '--out', 'old.ndjson');
    for (const id of ['1', '2'])
      await operator.do('entry', 'remove', id, '--list', 'scammers', '--reason', 'appeal');
    const { stdout } = await operator.run(['import', 'old.ndjson', '--list', 'scammers']);
    expect(stdout).toContain('\n2 entries were removed before and are back, ');
    const again = await operator.run(['import', 'old.ndjson', '--list', 'scammers']);
    expect(again).toEqual({ code: 0, stdout: 'added 0, updated 0, unchanged 3, rejected 0\n', stderr: '' });
  });

  it('never changes the report number of an entry, and says so', async () => {
    const operator = makeOperator();
    const record = makeRecord({ reportId: 'R-FIRST' });
    operator.file('in.ndjson', [record]);
    await operator.do('import', 'in.ndjson', '--list', 'scammers');
    operator.file('in.ndjson', [{ ...record, name: 'other', reportId: 'R-SECOND' }]);
    expect(await operator.run(['import', 'in.ndjson', '--list', 'scammers'])).toEqual({
      code: 0,
      stdout: 'added 0, updated 1, unchanged 0, rejected 0\n',
      stderr: 'note: in.ndjson:1: reportId: stays R-FIRST: the report number of an entry never changes\n',
    });
    expect(showRow(operator, record.id)).toMatchObject({ name: 'other', report_id: 'R-FIRST' });
  });

  it('keeps the value of optional fields that are absent the second time', async () => {
    const operator = makeOperator();
    const full = makeRecord({
      reportId: 'R-KEPT',
      reportedAt: '2025-01-02T03:04:05.678Z',
      views: 42,
      proofs: { private: true, items: [{ text: 'Dowód.', url: 'https://example.com/', caption: 'Opis' }] },
    });
    operator.file('in.ndjson', [full]);
    await operator.do('import', 'in.ndjson', '--list', 'scammers');
    const before = showRow(operator, full.id);
    operator.file('in.ndjson', [{ id: full.id, name: 'other', reason: 'Inny.', verified: false }]);
    await operator.do('import', 'in.ndjson', '--list', 'scammers');
    expect(await exported(operator, full.id)).toEqual({
      ...full,
      name: 'other',
      reason: 'Inny.',
      verified: false,
    });
    const after = showRow(operator, full.id);
    for (const key of ['entry_id', 'report_id', 'proofs_id', 'reported_at', 'views', 'proofs'] as const) {
      expect(after[key]).toBe(before[key]);
    }
    operator.file('in.ndjson', [{ ...full, proofs: { private: false, items: [] } }]);
    await operator.do('import', 'in.ndjson', '--list', 'scammers');
    expect(showRow(operator, full.id)).toMatchObject({ proofs: 'none', proofs_id: null });
    await operator.do('import', operator.file('in.ndjson', [full]), '--list', 'scammers');
    expect(showRow(operator, full.id).proofs_id).toBe(before.proofs_id);
  });

  it('takes the proof files that lie beside the file', async () => {
    const operator = makeOperator();
    operator.file('in/shot.png', PNG);
    operator.file('in/deeper/x', '');
    symlinkSync('../shot.png', join(operator.folder, 'in/deeper/same shot.png'));
    const record = makeRecord({
      proofs: {
        private: false,
        items: [{ file: 'shot.png', caption: 'Zrzut' }, { file: 'deeper/same shot.png' }],
      },
    });
    await operator.do('import', operator.file('in/in.ndjson', [record]), '--list', 'scammers');
    expect(storedProofFiles(operator)).toEqual([createHash('sha256').update(PNG).digest('hex')]);
    expect(showRow(operator, record.id).proofs).toBe('public');
    expect(await exported(operator, record.id)).toMatchObject({ proofs: record.proofs });
    symlinkSync('in', join(operator.folder, 'linked'));
    expect(await operator.do('import', 'linked/in.ndjson', '--list', 'scammers')).toContain('unchanged 1,');
  });

  it.each([
    ['is missing', 'none.png', 'none.png is missing, or is not a file'],
    ['is a folder', 'folder', 'folder is missing, or is not a file'],
    ['lies elsewhere', '../outside.png', '../outside.png leads outside the folder of the import file'],
    [
      'lies elsewhere, by its whole path',
      '/etc/passwd',
      '/etc/passwd leads outside the folder of the import file',
    ],
    ['is a link to a file elsewhere', 'link.png', 'link.png leads outside the folder of the import file'],
    [
      'lies below a link to a folder elsewhere',
      'link/outside.png',
      'link/outside.png leads outside the folder of the import file',
    ],
    [
      'is a zip archive called .png',
      'zip.png',
      'zip.png is no image by its content; allowed are png, jpeg, webp, gif',
    ],
    ['is larger than 20 MiB', 'large.png', 'large.png has 20971521 bytes; at most 20971520 are allowed'],
  ])('refuses a proof file that %s', async (_name, name, problem) => {
    const operator = makeOperator();
    operator.file('outside.png', PNG);
    operator.file('in/folder/x', '');
    symlinkSync('../outside.png', join(operator.folder, 'in/link.png'));
    symlinkSync('..', join(operator.folder, 'in/link'));
    operator.file('in/zip.png', ZIP);
    operator.file('in/large.png', PNG);
    truncateSync(join(operator.folder, 'in/large.png'), 20 * 1024 * 1024 + 1);
    const file = operator.file('in/in.ndjson', [
      makeRecord({ proofs: { private: false, items: [{ text: 'Opis.' }, { file: name }] } }),
    ]);
    const { code, stderr } = await operator.run(['import', file, '--list', 'scammers']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `in.ndjson:1: proofs.items[1].file: ${problem}\n` });
    expect(countEntries(operator)).toBe(0);
    expect(storedProofFiles(operator)).toEqual([]);
  });

  it('refuses proof files on standard input, which has no folder', async () => {
    const operator = makeOperator();
    operator.file('shot.png', PNG);
    const input = toNdjson([makeRecord({ proofs: { private: false, items: [{ file: 'shot.png' }] } })]);
    const { code, stderr } = await operator.run(['import', '-', '--list', 'scammers'], { input });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'stdin:1: proofs.items[0].file: needs an import file to lie beside; standard input has no folder\n',
    });
  });

  it.each([
    ['is not there', 'none.ndjson', 'there is no file none.ndjson\n'],
    ['is a folder', 'data', 'data is a folder; a file is needed\n'],
  ])('ends with 1 when the file %s', async (_name, file, problem) => {
    const operator = makeOperator();
    await operator.do('migrate');
    const { code, stderr } = await operator.run(['import', file, '--list', 'scammers']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: problem });
  });
});
