import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { findRow } from '#src/entries/write-entries.ts';
import type { ImportReport } from '../../scripts/import/import-file.ts';
import { listEverything } from '../support/list-everything.ts';
import { makeRecord } from '../support/make-entries.ts';
import { makeOperator, toNdjson } from '../support/run-czujka.ts';
import type { Operator } from '../support/run-czujka.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ZIP = Buffer.from('UEsDBAoAAAAAAA==', 'base64');

function countEntries(operator: Operator, list: ListKind = 'scammers'): number {
  return operator.read(
    (db) =>
      db.statement<{ count: number }>('SELECT count(*) AS count FROM entries WHERE list = ?').get(list)
        ?.count ?? 0,
  );
}

function showRow(operator: Operator, id: string, list: ListKind = 'scammers') {
  const row = operator.read((db) => findRow(db, list, id));
  if (!row) throw new Error(`${list} has no ${id}`);
  return row;
}

/** What the export says of one entry. */
async function exported(operator: Operator, id: string, list: ListKind = 'scammers') {
  const records = (await operator.do('export', '--list', list))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return records.find((record) => record.id === id);
}

/** In no order: an import adds entries in that of the alphabet. */
function readLines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').sort();
}

function storedProofFiles(operator: Operator): string[] {
  const folder = join(operator.folder, 'data/proofs/originals');
  return existsSync(folder) ? readdirSync(folder) : [];
}

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
    operator.file('in/deeper/same shot.png', PNG);
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
    expect(await operator.do('import', 'in/in.ndjson', '--list', 'scammers')).toContain('unchanged 1,');
  });

  it.each([
    ['is missing', 'none.png', 'none.png is missing, or is not a file'],
    ['is a folder', 'folder', 'folder is missing, or is not a file'],
    ['lies elsewhere', '../outside.png', '../outside.png is not a path inside the folder of the import file'],
    [
      'lies elsewhere, by its whole path',
      '/etc/passwd',
      '/etc/passwd is not a path inside the folder of the import file',
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

describe('export', () => {
  it('makes the same entries in an empty database, and is the same when exported again', async () => {
    const [from, to] = [makeOperator(), makeOperator()];
    await from.do('seed', '--count', '600', '--seed', '3');
    from.file('shot.png', PNG);
    const strange = [
      makeRecord({
        name: '\u202eegap\u200b 🐢',
        reason: '\t# Nagłówek\r\n\r\n- `kod`\n\n<b>',
        verified: false,
      }),
      makeRecord({ name: '__proto__', reason: '', reportedAt: 0, views: Number.MAX_SAFE_INTEGER }),
      makeRecord({ proofs: { private: true, items: [] } }),
      makeRecord({
        proofs: { private: false, items: [{ text: '' }, { file: 'shot.png', caption: 'Zrzut' }] },
      }),
      makeRecord({
        proofs: { private: true, items: [{ file: 'shot.png' }, { url: 'https://example.com/?a=ł' }] },
      }),
    ];
    await from.do('import', from.file('strange.ndjson', strange), '--list', 'servers');
    for (const list of LIST_KINDS) {
      const out = join(to.folder, `${list}.ndjson`);
      expect(await from.do('export', '--list', list, '--out', out)).toMatch(
        new RegExp(`^exported \\d+ entries of ${list} to `),
      );
      expect(await to.do('import', `${list}.ndjson`, '--list', list)).toContain(
        'updated 0, unchanged 0, rejected 0',
      );
    }
    expect(to.read(listEverything)).toEqual(from.read(listEverything));
    expect(storedProofFiles(to)).toEqual(storedProofFiles(from));
    for (const list of LIST_KINDS) {
      const again = join(makeOperator().folder, `${list}.ndjson`);
      await to.do('export', '--list', list, '--out', again);
      expect(readLines(again)).toEqual(readLines(join(to.folder, `${list}.ndjson`)));
    }
  });

  it('is unchanged when it is imported where it came from', async () => {
    const operator = makeOperator();
    await operator.do('seed', '--count', '50', '--list', 'scammers');
    operator.file('shot.png', PNG);
    const record = makeRecord({ proofs: { private: false, items: [{ file: 'shot.png' }] } });
    await operator.do('import', operator.file('in.ndjson', [record]), '--list', 'scammers');
    await operator.do('export', '--list', 'scammers', '--out', 'out.ndjson');
    expect(await operator.do('import', 'out.ndjson', '--list', 'scammers')).toBe(
      'added 0, updated 0, unchanged 51, rejected 0\n',
    );
  });

  it('holds what the trusted list does not serve', async () => {
    const operator = makeOperator();
    const record = makeRecord();
    await operator.do('import', operator.file('in.ndjson', [record]), '--list', 'legit');
    expect(await exported(operator, record.id, 'legit')).toMatchObject({ id: record.id, verified: true });
  });

  it('does not overwrite a file', async () => {
    const operator = makeOperator();
    await operator.do('migrate');
    operator.file('out.ndjson', 'mine');
    const outcome = await operator.run(['export', '--list', 'scammers', '--out', 'out.ndjson']);
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: 'out.ndjson exists; name a new file\n' });
    expect(readFileSync(join(operator.folder, 'out.ndjson'), 'utf8')).toBe('mine');
  });

  it('counts one as one', async () => {
    const operator = makeOperator();
    operator.file('in.ndjson', [{ ...makeRecord(), name: '' }]);
    const { stdout } = await operator.run(['import', 'in.ndjson', '--list', 'scammers']);
    expect(stdout).toMatch(/^nothing was changed: 1 problem \(/);
    operator.file('in.ndjson', [makeRecord()]);
    await operator.do('import', 'in.ndjson', '--list', 'scammers');
    expect(await operator.do('export', '--list', 'scammers', '--out', 'out.ndjson')).toBe(
      'exported 1 entry of scammers to out.ndjson\n',
    );
    expect(await operator.do('backup', 'saved')).toBe('1 entry and 0 proof files: copied to saved\n');
    expect(await operator.do('rebuild')).toMatch(/^looked at 1 entry, /);
  });

  it('does not make a folder for the file, and leaves nothing behind', async () => {
    const operator = makeOperator();
    await operator.do('migrate');
    const outcome = await operator.run(['export', '--list', 'scammers', '--out', 'none/out.ndjson']);
    expect(outcome).toMatchObject({ code: 1, stderr: 'none is no folder; make it first\n' });
    expect(readdirSync(operator.folder)).toEqual(['data']);
  });
});

describe('entry', () => {
  it('adds, shows, changes and removes one entry', async () => {
    const operator = makeOperator();
    const id = '123456789012345678';
    await operator.do('entry', 'add', id, '--list', 'scammers', '--name', 'Żółw', '--reason', '**Powód**', '--risk',
      '--reported-at', '2026-01-02', '--report-id', 'R-1', '--views', '5'); // prettier-ignore
    const record = { id, name: 'Żółw', reason: '**Powód**', verified: false, reportId: 'R-1', views: 5 };
    expect(await exported(operator, id)).toEqual({ ...record, reportedAt: '2026-01-02T00:00:00.000Z' });

    await operator.do('entry', 'edit', id, '--list', 'scammers', '--name', 'Żółwik');
    await operator.do(
      'entry',
      'edit',
      id,
      '--list',
      'scammers',
      '--reason-file',
      operator.file('reason.md', '> cytat\n'),
    );
    await operator.do('entry', 'verify', id, '--list', 'scammers');
    expect(await exported(operator, id)).toMatchObject({
      name: 'Żółwik',
      reason: '> cytat\n',
      verified: true,
      views: 5,
    });
    await operator.do('entry', 'unverify', id, '--list', 'scammers');

    const [shown] = await operator.json<Record<string, unknown>[]>('entry', 'show', id);
    expect(shown).toMatchObject({
      list: 'scammers',
      name: 'Żółwik',
      verified: false,
      reportId: 'R-1',
      proofsId: null,
    });
    expect((shown?.history as { op: string }[]).map(({ op }) => op)).toEqual([
      'added',
      ...Array<string>(4).fill('updated'),
    ]);
    expect(await operator.do('entry', 'show', id)).toContain('name: Żółwik\n');

    expect(await operator.do('entry', 'remove', id, '--list', 'scammers', '--reason', 'appeal')).toBe(
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
    const operator = makeOperator();
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
    await operator.do('import', operator.file('in.ndjson', [record]), '--list', 'scammers');
    await operator.do('entry', 'edit', record.id, '--list', 'scammers', '--reason', 'Nowy.');
    expect(await exported(operator, record.id)).toEqual({ ...record, reason: 'Nowy.' });
  });

  it('lists entries by text, status and order', async () => {
    const operator = makeOperator();
    const records = [
      makeRecord({ name: 'Żółw', views: 3 }),
      makeRecord({ name: 'zebra', verified: false, views: 5 }),
      makeRecord({ name: 'ćma', reason: 'o żółwiach', views: 1, proofs: { private: true, items: [] } }),
    ];
    await operator.do('import', operator.file('in.ndjson', records), '--list', 'servers');
    const namesOf = async (...args: string[]): Promise<string[]> =>
      (
        await operator.json<{ entries: { name: string }[] }>('entry', 'list', '--list', 'servers', ...args)
      ).entries.map(({ name }) => name);
    expect(await namesOf('--sort', 'az')).toEqual(['ćma', 'zebra', 'Żółw']);
    expect(await namesOf('--search', 'zolw', '--sort', 'popular')).toEqual(['Żółw', 'ćma']);
    expect(await namesOf('--status', 'risk')).toEqual(['zebra']);
    expect(await namesOf('--proofs', 'private')).toEqual(['ćma']);
    expect(await namesOf('--sort', 'za', '--skip', '1', '--limit', '1')).toEqual(['zebra']);
    expect(await operator.do('entry', 'list', '--list', 'servers', '--search', 'zebra')).toMatch(
      /^\d+\trisk\tR-\w+\tzebra\n1 of 1\n$/,
    );
  });

  it('names the other lists that still hold what was removed', async () => {
    const operator = makeOperator();
    for (const list of LIST_KINDS)
      await operator.do('entry', 'add', '1', '--list', list, '--name', 'x', '--reason', 'x');
    const remove = ['entry', 'remove', '1', '--reason', 'appeal', '--list'];
    expect(await operator.do(...remove, 'scammers')).toBe(
      'removed 1 from scammers: appeal\nservers still has an entry with the ID 1\nlegit still has an entry with the ID 1\n',
    );
    expect(await operator.json(...remove, 'servers')).toMatchObject({ removed: true, alsoIn: ['legit'] });
    expect(await operator.do(...remove, 'legit')).toBe('removed 1 from legit: appeal\n');
  });

  it('takes an entry of the trusted list as verified', async () => {
    const operator = makeOperator();
    await operator.do('entry', 'add', '1', '--list', 'legit', '--name', 'x', '--reason', 'x');
    expect(showRow(operator, '1', 'legit').verified).toBe(1);
    expect(await operator.run(['entry', 'unverify', '1', '--list', 'legit'])).toMatchObject({
      code: 1,
      stderr: 'verified: must be true: the trusted list has no risk entries\n',
    });
  });
});

describe('an entry command that cannot be followed', () => {
  const operator = makeOperator();
  beforeAll(async () => {
    await operator.do(
      'entry',
      'add',
      '1',
      '--list',
      'scammers',
      '--name',
      'one',
      '--report-id',
      'R-ONE',
      '--reason',
      'x',
    );
  });

  it.each([
    [['add', '1', '--name', 'again'], 'scammers has an entry with the ID 1 already'],
    [['add', '2'], '--name is missing'],
    [
      ['add', '2', '--name', 'x'],
      '--reason or --reason-file is missing: no entry is made without a description',
    ],
    [
      ['add', '2', '--name', 'x', '--reason', ''],
      '--reason is empty: no entry is made without a description',
    ],
    [['add', '2', '--name', 'x', '--reason', ' \n\u200b'], '--reason is empty'],
    [['edit', '1', '--reason', ''], '--reason is empty'],
    [['add', '2', '--name', 'x', '--reason-file', 'none.md'], 'none.md is not there'],
    [['add', '2', '--name', 'x', '--reason-file', 'data'], 'data is a folder; a file is needed'],
    [['add', '2', '--reason', 'x', '--name', ' x'], 'name: begins or ends with white space; remove it'],
    [
      ['add', '2', '--reason', 'x', '--name', 'x', '--report-id', 'R-ONE'],
      'reportId: R-ONE belongs to another entry; report numbers are unique',
    ],
    [
      ['add', '2', '--reason', 'x', '--name', 'x', '--reported-at', 'soon'],
      'reportedAt: must be an ISO 8601 time',
    ],
    [['add', '2', '--reason', 'x', '--name', 'x', '--views', '-1'], 'A whole number of at least 0 is needed'],
    [
      ['add', '2', '--reason', 'x', '--name', 'x', '--verified', '--risk'],
      "option '--verified' cannot be used with option '--risk'",
    ],
    [['edit', '2', '--name', 'x'], 'scammers has no entry with the ID 2'],
    [['edit', '1', '--reason', 'a', '--reason-file', 'b'], 'give --reason or --reason-file, not both'],
    [['edit', '1', '--reason', `${'> '.repeat(200)}x`], 'reason: '],
    [['verify', '2'], 'scammers has no entry with the ID 2'],
    [['remove', '2', '--reason', 'other'], 'scammers has no entry with the ID 2'],
    [['remove', '1'], '--reason is missing; it is one of appeal, mistake, request, duplicate, other'],
    [
      ['remove', '1', '--reason', 'boredom'],
      'Allowed choices are appeal, mistake, request, duplicate, other',
    ],
    [['show', '2'], 'scammers has no entry with the ID 2'],
    [['list', '--sort', 'worst'], 'Allowed choices are newest, oldest'],
    [['list', '--limit', '0'], 'A whole number of at least 1 is needed'],
    [['fold', '1'], "unknown command 'fold'"],
  ])('%j ends with 1 and says why', async (args, problem) => {
    const before = operator.read(listEverything);
    const { code, stdout, stderr } = await operator.run(['entry', ...args, '--list', 'scammers']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(problem);
    expect(operator.read(listEverything)).toEqual(before);
  });
});

describe('seed', () => {
  it('makes the same entries for the same number, in the shares that such a database has', async () => {
    const [one, same, other] = [makeOperator(), makeOperator(), makeOperator()];
    expect(await one.json('seed', '--count', '300', '--seed', '7')).toEqual({
      scammers: 240,
      servers: 36,
      legit: 24,
    });
    await same.do('seed', '--count', '300', '--seed', '7');
    await other.do('seed', '--count', '300', '--seed', '8');
    expect(same.read(listEverything)).toEqual(one.read(listEverything));
    expect(other.read(listEverything)['scammers az']).not.toEqual(one.read(listEverything)['scammers az']);
  });

  it('fills one list when it is asked to', async () => {
    const operator = makeOperator();
    expect(await operator.do('seed', '--count', '20', '--list', 'servers')).toBe(
      'sample entries: servers 20\n',
    );
    expect(LIST_KINDS.map((list) => countEntries(operator, list))).toEqual([0, 20, 0]);
  });

  it('makes the entries of the demo without a count, and again only where the data is invented', async () => {
    const operator = makeOperator();
    const counts = await operator.json<Record<ListKind, number>>('seed');
    expect(Object.keys(counts)).toEqual([...LIST_KINDS]);
    expect(await operator.json('seed')).toEqual(counts);
    expect(LIST_KINDS.map((list) => countEntries(operator, list))).toEqual(Object.values(counts));
  });

  it('refuses a database with real entries', async () => {
    const operator = makeOperator();
    await operator.do('entry', 'add', '1', '--list', 'legit', '--name', 'real', '--reason', 'x');
    const { code, stderr } = await operator.run(['seed', '--count', '10']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${operator.databasePath} holds real entries; sample data goes only into an empty or a sample database\n`,
    });
    expect(LIST_KINDS.map((list) => countEntries(operator, list))).toEqual([0, 0, 1]);
  });

  it('refuses a sample database into which something real was imported', async () => {
    const operator = makeOperator();
    await operator.do('seed', '--count', '10');
    const record = JSON.stringify({ id: '1', name: 'real', reason: 'x', verified: true });
    const file = join(operator.folder, 'real.ndjson');
    writeFileSync(file, record);
    await operator.do('import', file, '--list', 'scammers');
    expect((await operator.run(['seed', '--count', '10'])).code).toBe(1);
  });

  it.each([
    ['--count', '0'],
    ['--count', 'many'],
    ['--seed', '-1'],
    ['--list', 'friends'],
  ])('refuses %s %s', async (...option) => {
    expect((await makeOperator().run(['seed', ...option])).code).toBe(1);
  });
});

describe('rebuild', () => {
  it('makes rendered forms and the read model anew and leaves the rest', async () => {
    const operator = makeOperator();
    await operator.do('seed', '--count', '900', '--list', 'scammers');
    const before = operator.read(listEverything);
    const readUpdates = (): unknown[] =>
      operator.read((read) => read.statement('SELECT row, updated_at FROM entries').all());
    const updates = readUpdates();
    const db = openDatabase(operator.databasePath, 'write');
    db.connection.exec("UPDATE contents SET desc_html = '<script>' WHERE content % 3 = 0");
    db.close();
    // Of the read model, and of versions that had none.
    const derived = ['serving', 'indexes', 'search'].map((name) =>
      join(dirname(operator.databasePath), name),
    );
    for (const folder of derived) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'x'), 'x');
    }
    const { entries, changed } = await operator.json<{ entries: number; changed: number }>('rebuild');
    expect(entries).toBe(900);
    expect(changed).toBe(300);
    expect(derived.filter((folder) => existsSync(folder))).toEqual([]);
    expect(operator.read(listEverything)).toEqual(before);
    expect(readUpdates()).toEqual(updates);
    operator.read((read) => {
      expect(read.statement('SELECT count(*) AS count FROM contents').get()).toEqual({ count: 900 });
    });
    expect(await operator.do('rebuild')).toBe('looked at 900 entries, made 0 anew; 0 images got pictures\n');
  });
});

describe('migrate', () => {
  it('makes a database where there is none, and says so again', async () => {
    const operator = makeOperator();
    const text = `${operator.databasePath} is of this version\n`;
    expect(await operator.do('migrate')).toBe(text);
    expect(await operator.do('migrate')).toBe(text);
    expect(await operator.json('migrate')).toEqual({ database: operator.databasePath, current: true });
  });

  it.each(['migrate', 'rebuild', 'seed', 'export --list legit', 'entry list --list legit'])(
    'does not touch a newer database, like %s',
    async (verb) => {
      const operator = makeOperator();
      await operator.do('migrate');
      const db = openDatabase(operator.databasePath, 'write');
      db.connection.exec("INSERT INTO kysely_migration VALUES ('9999_future', '2030-01-01')");
      db.close();
      const { code, stderr } = await operator.run(verb.split(' '));
      expect(code).toBe(2);
      expect(stderr).toContain('is newer than this version: update Czujka');
    },
  );

  it('ends with 2 when the file is no database', async () => {
    const operator = makeOperator();
    operator.file('data/czujka.db', 'This is a text and no database at all. '.repeat(100));
    expect(await operator.run(['migrate'])).toMatchObject({
      code: 2,
      stderr: `could not run: ${operator.databasePath}: file is not a database\n`,
    });
  });
});

describe('backup and restore', () => {
  it('bring entries and proof files back while a reader is open', async () => {
    const operator = makeOperator();
    await operator.do('seed', '--count', '400');
    operator.file('shot.png', PNG);
    const record = makeRecord({ proofs: { private: false, items: [{ file: 'shot.png' }] } });
    await operator.do('import', operator.file('in.ndjson', [record]), '--list', 'scammers');
    const files = storedProofFiles(operator);
    const reader = openDatabase(operator.databasePath, 'read');
    try {
      const before = listEverything(reader);
      expect(await operator.do('backup', 'saved')).toBe('401 entries and 3 proof files: copied to saved\n');
      expect(readdirSync(join(operator.folder, 'saved')).sort()).toEqual(['czujka.db', 'proofs']);

      const added = makeRecord();
      await operator.do('import', operator.file('more.ndjson', [added]), '--list', 'servers');
      rmSync(join(operator.folder, 'data/proofs'), { recursive: true });
      const changed = listEverything(reader);
      expect(changed).not.toEqual(before);

      reader.connection.exec('BEGIN');
      expect(listEverything(reader)).toEqual(changed);
      expect(await operator.do('restore', 'saved', '--yes')).toBe(
        '401 entries and 3 proof files: restored\n',
      );
      expect(listEverything(reader)).toEqual(changed);
      reader.connection.exec('COMMIT');
      expect(listEverything(reader)).toEqual(before);
    } finally {
      reader.close();
    }
    expect(storedProofFiles(operator)).toEqual(files);
    const check = operator.read((db) => db.connection.pragma('integrity_check', { simple: true }));
    expect(check).toBe('ok');
  });

  it('brings a backup to a machine that has nothing', async () => {
    const [from, to] = [makeOperator(), makeOperator()];
    await from.do('seed', '--count', '100');
    await from.do('backup', join(to.folder, 'saved'));
    expect(statSync(join(to.folder, 'saved', 'czujka.db')).mode & 0o077).toBe(0);
    expect(await to.json('restore', 'saved', '--without-removed')).toMatchObject({ entries: 100, files: 0 });
    expect(to.read(listEverything)).toEqual(from.read(listEverything));
  });

  it('does not write a backup over something', async () => {
    const operator = makeOperator();
    await operator.do('migrate');
    operator.file('saved/mine', 'x');
    expect(await operator.run(['backup', 'saved'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'saved exists; name a new folder\n',
    });
  });

  it('replaces entries only when told to', async () => {
    const operator = makeOperator();
    await operator.do('entry', 'add', '1', '--list', 'legit', '--name', 'one', '--reason', 'x');
    await operator.do('backup', 'saved');
    await operator.do('entry', 'add', '2', '--list', 'legit', '--name', 'two', '--reason', 'x');
    const { code, stderr } = await operator.run(['restore', 'saved']);
    expect(code).toBe(1);
    expect(stderr).toBe(`${operator.databasePath} holds 2 entries; repeat with --yes to replace them\n`);
    expect(countEntries(operator, 'legit')).toBe(2);
  });

  it.each([
    ['that is not there', 'none', 'none holds no czujka.db: it is no backup'],
    ['that is damaged', 'damaged', 'is damaged'],
    ['that is no database', 'text', 'file is not a database'],
    ['of a newer version', 'newer', 'is newer than this version'],
  ])('refuses a backup %s and keeps what is there', async (_name, folder, problem) => {
    const operator = makeOperator();
    await operator.do('seed', '--count', '200');
    await operator.do('backup', 'damaged');
    await operator.do('backup', 'newer');
    operator.file('text/czujka.db', 'This is a text and no database at all. '.repeat(100));
    const damaged = join(operator.folder, 'damaged/czujka.db');
    const bytes = readFileSync(damaged);
    // Past the schema, so that the file opens well.
    bytes.fill(0x55, bytes.length / 2, bytes.length / 2 + 8_192);
    writeFileSync(damaged, bytes);
    const newer = openDatabase(join(operator.folder, 'newer/czujka.db'), 'write');
    newer.connection.exec("INSERT INTO kysely_migration VALUES ('9999_future', '2030-01-01')");
    newer.close();
    const before = operator.read(listEverything);
    const { code, stderr } = await operator.run(['restore', folder, '--yes']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(problem) as string });
    expect(operator.read(listEverything)).toEqual(before);
  });
});

describe('the command line', () => {
  const verbs = [
    [],
    ['import'],
    ['export'],
    ['lookalikes'],
    ['entry'],
    ...['add', 'edit', 'verify', 'unverify', 'remove', 'show', 'list'].map((verb) => ['entry', verb]),
    ['proofs'],
    ...['add', 'remove', 'private', 'public', 'show'].map((verb) => ['proofs', verb]),
    ['donation'],
    ...['create', 'show', 'list', 'role', 'cancel', 'import'].map((verb) => ['donation', verb]),
    ['incident'],
    ...['list', 'show', 'note'].map((verb) => ['incident', verb]),
    ['migrate'],
    ['seed'],
    ['rebuild'],
    ['backup'],
    ['restore'],
    ['doctor'],
    ['settings'],
  ];

  it('explains every verb, and makes no database for it', async () => {
    const operator = makeOperator();
    const helps = await Promise.all(verbs.map((verb) => operator.run([...verb, '--help'])));
    for (const [index, { code, stdout, stderr }] of helps.entries()) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const verb = ['czujka', ...(verbs[index] ?? [])].join(' ');
      expect(stdout.startsWith(`Usage: ${verb} `)).toBe(true);
      if (!stdout.includes('Commands:')) expect(stdout).toContain(`\nExample:\n  ${verb}`);
    }
    expect(readdirSync(operator.folder)).toEqual([]);
  });

  it('names all of its verbs here', async () => {
    const operator = makeOperator();
    const below = async (...verb: string[]): Promise<string[][]> => {
      const help = await operator.do(...verb, '--help');
      const start = help.indexOf('Commands:');
      const names =
        start < 0 ? [] : [...help.slice(start).matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
      const own = names.filter((name) => name !== 'help').map((name) => below(...verb, name));
      return [verb, ...(await Promise.all(own)).flat()];
    };
    expect((await below()).map(String).toSorted()).toEqual(verbs.map(String).toSorted());
    // Some forty commands at once.
  }, 60_000);

  it.each([
    [[], 'Usage: czujka'],
    [['entry'], 'Usage: czujka entry'],
    [['improt'], "unknown command 'improt'"],
    [['import', 'x', '--list', 'legit', '--kep-going'], "unknown option '--kep-going'"],
    [['import', '--list', 'legit'], "missing required argument 'file'"],
    [['import', 'x'], "required option '--list <list>' not specified"],
    [['import', 'x', '--list', 'friends'], 'Allowed choices are scammers, servers, legit.'],
    [['import', 'x', 'y', '--list', 'legit'], 'too many arguments'],
    [['backup'], "missing required argument 'folder'"],
  ])('ends with 1 for %j', async (args, problem) => {
    const operator = makeOperator();
    const { code, stdout, stderr } = await operator.run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(problem);
    expect(readdirSync(operator.folder)).toEqual([]);
  });

  it('ends with 2 and every wrong setting at once', async () => {
    const settings = {
      HOST: 'a b',
      PORT: '65536',
      BASE_URL: 'czujka.example',
      TRUST_PROXY: 'all',
      LOG_LEVEL: 'loud',
    };
    const { code, stdout, stderr } = await makeOperator().run(['migrate'], { settings });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const [name, value] of Object.entries(settings)) {
      expect(stderr).toMatch(new RegExp(`^ {2}${name}=${value}: must be .*, for example ${name}=`, 'm'));
    }
  });

  it('reads settings from .env in its folder, and the environment before it', async () => {
    const operator = makeOperator();
    operator.file('.env', 'LOG_LEVEL=loud\nPORT=1234\n');
    const { code, stderr } = await operator.run(['migrate']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('LOG_LEVEL=loud') as string,
    });
    expect((await operator.run(['migrate'], { settings: { LOG_LEVEL: 'info' } })).code).toBe(0);
  });

  it('ends with 2 when the database cannot be opened', async () => {
    const operator = makeOperator();
    operator.file('in-the-way', 'x');
    const settings = { DATABASE_PATH: join(operator.folder, 'in-the-way/czujka.db') };
    const { code, stderr } = await operator.run(['migrate'], { settings });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^could not run: .*in-the-way.*\n$/);
  });
});

describe('incident', () => {
  const openIncident = async (operator: Operator): Promise<void> => {
    await operator.do('migrate');
    const db = openDatabase(operator.databasePath, 'write');
    db.connection
      .prepare('INSERT INTO incidents (part, opened_at, closed_at, updated_at) VALUES (?, ?, ?, ?)')
      .run('litecoin', Date.UTC(2026, 10, 14, 2), Date.UTC(2026, 10, 14, 3), 1);
    db.close();
  };

  it('lists, notes and shows', async () => {
    const operator = makeOperator();
    await operator.do('migrate');
    expect(await operator.do('incident', 'list')).toBe('there were no incidents\n');
    await openIncident(operator);
    expect(await operator.do('incident', 'note', '1', ' Awaria węzła. ')).toBe('noted on incident 1\n');
    expect(await operator.do('incident', 'list')).toBe(
      '1  litecoin  2026-11-14T02:00:00.000Z – 2026-11-14T03:00:00.000Z\n    Awaria węzła.\n',
    );
    expect(await operator.json('incident', 'show', '1')).toMatchObject({
      incident: 1,
      part: 'litecoin',
      openedAt: '2026-11-14T02:00:00.000Z',
      closedAt: '2026-11-14T03:00:00.000Z',
      note: 'Awaria węzła.',
    });
    expect(await operator.do('incident', 'note', '1', '')).toBe('removed the note of 1\n');
    expect(await operator.json<object[]>('incident', 'list', '--limit', '1')).toHaveLength(1);
  });

  it.each([
    [['show', '7'], 'there is no incident 7; "czujka incident list" shows those that are'],
    [['note', '7', 'x'], 'there is no incident 7; "czujka incident list" shows those that are'],
    [['note', '1', 'x'.repeat(501)], 'the note may have at most 500 characters, this one has 501'],
    [['note', '1', 'x\u0007'], 'the note holds characters that cannot be shown'],
    [['show', 'x'], 'A whole number of at least 1 is needed.'],
  ])('refuses %j', async (args, message) => {
    const operator = makeOperator();
    await openIncident(operator);
    const { code, stderr } = await operator.run(['incident', ...args]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});
