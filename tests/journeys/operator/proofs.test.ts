/** The operator's verb `proofs`, and files of proofs on their way in, out and away. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportReport } from '../../../scripts/import/import-file.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeImage, makePhoto, makePixelBomb, SVG_WITH_SCRIPT, ZIP } from '../../support/make-image.ts';
import { makeOperator } from '../../support/run-czujka.ts';
import type { Operator } from '../../support/run-czujka.ts';

interface Shown {
  readonly proofs: string;
  readonly proofsId: string | null;
  readonly items: readonly {
    text: string | null;
    url: string | null;
    file: string | null;
    original: string | null;
  }[];
}

const ON = ['--list', 'scammers'] as const;

function filesIn(operator: Operator, folder: 'originals' | 'public'): string[] {
  const path = join(operator.folder, 'data/proofs', folder);
  return existsSync(path) ? readdirSync(path) : [];
}

function countPictures(operator: Operator): unknown {
  return operator.read((db) => db.statement('SELECT count(*) AS count FROM proof_images').get());
}

describe('proofs', () => {
  it('are taken from standard input, by whoever may not read the file', async () => {
    const operator = makeOperator();
    const { id } = makeRecord();
    await operator.do('entry', 'add', id, ...ON, '--name', 'nick', '--reason', 'Powód.');
    const photo = await makePhoto();
    const add = ['proofs', 'add', id, ...ON, '--private', '--file', '-', '--json'];
    const { code, stdout } = await operator.run(add, { input: photo });
    expect(code).toBe(0);
    const { items } = JSON.parse(stdout) as Shown;
    expect(items).toMatchObject([{ file: null }]);
    expect(readFileSync(items[0]?.original ?? '')).toEqual(photo);
    const refused = await operator.run(add, { input: 'no image' });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('- is no image by its content');
  });

  it('are added, shown, hidden, published and removed, and the entry tells of it', async () => {
    const operator = makeOperator();
    const { id } = makeRecord();
    operator.file('photo.jpg', await makePhoto());
    await operator.do('entry', 'add', id, ...ON, '--name', 'nick', '--reason', 'Powód.');
    expect((await operator.run(['proofs', 'add', id, ...ON, '--text', 'x'])).stderr).toContain(
      'the entry has no proofs yet: say --public or --private',
    );
    await operator.do('proofs', 'add', id, ...ON, '--text', 'Opis *ważny*.', '--private');
    const withFile = ['--file', join(operator.folder, 'photo.jpg'), '--caption', 'Zrzut'];
    const added = await operator.json<Shown>('proofs', 'add', id, ...ON, ...withFile);
    expect(added).toMatchObject({
      proofs: 'private',
      items: [{ text: 'Opis *ważny*.' }, { file: 'photo.jpg' }],
    });
    expect(filesIn(operator, 'originals')).toHaveLength(1);
    expect(readFileSync(added.items[1]?.original ?? '')).toEqual(await makePhoto());
    expect(filesIn(operator, 'public')).toEqual([]);

    expect(await operator.do('proofs', 'public', id, ...ON)).toBe(`scammers: ${id} has proofs: public, 2\n`);
    expect(filesIn(operator, 'public')).toHaveLength(4);
    const url = 'https://example.com/a';
    expect(await operator.do('proofs', 'add', id, ...ON, '--url', url)).toContain('public, 3');
    const [shown] = await operator.json<Shown[]>('proofs', 'show', id);
    expect(shown?.items.map(({ text, url: link, file }) => text ?? link ?? file)).toEqual([
      'Opis *ważny*.',
      'photo.jpg',
      url,
    ]);
    expect(await operator.do('proofs', 'show', id)).toContain(`3.\n   ${url}`);

    expect(await operator.do('proofs', 'private', id, ...ON)).toContain('private, 3');
    expect(filesIn(operator, 'public')).toEqual([]);
    expect(countPictures(operator)).toEqual({ count: 0 });
    await operator.do('proofs', 'public', id, ...ON);
    expect(await operator.do('proofs', 'remove', id, ...ON, '--item', '2')).toContain('public, 2');
    expect([...filesIn(operator, 'originals'), ...filesIn(operator, 'public')]).toEqual([]);
    expect(await operator.do('proofs', 'remove', id, ...ON, '--all')).toContain('none, 0');

    const [entry] = await operator.json<{ history: object[]; views: number }[]>('entry', 'show', id);
    const steps = entry?.history.filter((step) => 'proofs' in step) as { proofs: string; items: number }[];
    expect(steps.map(({ proofs, items }) => `${proofs} ${items}`)).toEqual([
      'private 1',
      'private 2',
      'public 2',
      'public 3',
      'private 3',
      'public 3',
      'public 2',
      'none 0',
    ]);
    expect(await operator.do('entry', 'show', id)).toMatch(/Z proofs: none, 0\n/);
  }, 240_000);

  it.each([
    [['add', '1'], 'give at least one of --text, --text-file, --url and --file'],
    [['add', '1', '--public', '--url', 'javascript:alert(1)'], 'must be an http or https address'],
    [['add', '1', '--public', '--file', 'none.png'], 'none.png is missing, or is not a file'],
    [['add', '1', '--public', '--file', 'zip.png'], 'zip.png is no image by its content'],
    [['add', '1', '--public', '--text-file', 'none.md'], 'none.md is not there'],
    [['add', '1', '--public', '--private', '--text', 'x'], 'cannot be used with option'],
    [['add', '2', '--public', '--text', 'x'], 'scammers has no entry with the ID 2'],
    [['remove', '1'], 'say --item NUMBER or --all'],
    [['remove', '1', '--all'], 'the entry has no proofs'],
    [['remove', '1', '--item', '0'], 'A whole number of at least 1 is needed'],
    [['public', '1'], 'the entry has no proofs; add one with "proofs add"'],
    [['private', '1'], 'the entry has no proofs; add one with "proofs add"'],
    [['show', '2'], 'no entry has the ID 2'],
  ])('%j ends with 1, says why and changes nothing', async (args, problem) => {
    const operator = makeOperator();
    operator.file('zip.png', ZIP);
    operator.file('in.ndjson', [makeRecord({ id: '1' })]);
    await operator.do('import', 'in.ndjson', ...ON);
    const { code, stdout, stderr } = await operator.run(['proofs', ...args, ...ON]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(problem);
    expect(filesIn(operator, 'originals')).toEqual([]);
    expect(await operator.json('proofs', 'show', '1')).toMatchObject([{ proofs: 'none', items: [] }]);
  });

  it('are refused with what is wrong, and nothing of the whole import is left behind', async () => {
    const operator = makeOperator();
    operator.file('in/good.png', await makeImage().png().toBuffer());
    operator.file('in/bomb.png', makePixelBomb());
    operator.file('in/zip.png', ZIP);
    operator.file('in/cut.jpg', (await makePhoto()).subarray(0, -400));
    operator.file('in/script.png', SVG_WITH_SCRIPT);
    const names = ['good.png', 'bomb.png', 'zip.png', 'cut.jpg', 'script.png'];
    const file = operator.file(
      'in/in.ndjson',
      names.map((name) => makeRecord({ proofs: { private: false, items: [{ file: name }] } })),
    );
    const report = await operator.json<ImportReport>('import', file, ...ON);
    expect(report.imported).toBe(false);
    expect(report.problems.map(({ line, problem }) => [line, problem])).toEqual([
      [2, 'bomb.png has 30000 × 30000 pixels; at most 50 million are allowed'],
      [3, 'zip.png is no image by its content; allowed are png, jpeg, webp, gif'],
      [4, expect.stringContaining('cut.jpg is damaged: ')],
      [5, 'script.png is no image by its content; allowed are png, jpeg, webp, gif'],
    ]);
    expect([...filesIn(operator, 'originals'), ...filesIn(operator, 'public')]).toEqual([]);
    expect(countPictures(operator)).toEqual({ count: 0 });
    await operator.json<ImportReport>('import', file, ...ON, '--keep-going');
    expect(filesIn(operator, 'originals')).toHaveLength(1);
    expect(filesIn(operator, 'public')).toHaveLength(4);
  });

  it('go elsewhere by export and import, with their files', async () => {
    const [here, there] = [makeOperator(), makeOperator()];
    const photo = await makePhoto();
    here.file('photo.jpg', photo);
    here.file('secret.png', await makeImage(31, 17).png().toBuffer());
    const shown = makeRecord({
      proofs: { private: false, items: [{ file: 'photo.jpg', caption: 'Zdjęcie' }] },
    });
    const hidden = makeRecord({ proofs: { private: true, items: [{ file: 'secret.png' }] } });
    await here.do('import', here.file('in.ndjson', [shown, hidden]), ...ON);
    await here.do('export', ...ON, '--out', join(there.folder, 'out.ndjson'));
    await there.do('import', 'out.ndjson', ...ON);
    expect(filesIn(there, 'originals')).toEqual(filesIn(here, 'originals'));
    expect(filesIn(there, 'public')).toEqual(filesIn(here, 'public'));
    const original = createHash('sha256').update(photo).digest('hex');
    expect(readFileSync(join(there.folder, 'data/proofs/originals', original))).toEqual(photo);
    expect((await there.json<Shown[]>('proofs', 'show', hidden.id))[0]?.proofs).toBe('private');
  });

  it('get their missing pictures by rebuild', async () => {
    const operator = makeOperator();
    operator.file('photo.jpg', await makePhoto());
    const record = makeRecord({ proofs: { private: false, items: [{ file: 'photo.jpg' }] } });
    await operator.do('import', operator.file('in.ndjson', [record]), ...ON);
    const before = filesIn(operator, 'public');
    await operator.do('backup', 'copy');
    rmSync(join(operator.folder, 'data/proofs/public'), { recursive: true });
    await operator.do('restore', 'copy', '--yes');
    expect(filesIn(operator, 'public')).toEqual(before);
    await operator.do('proofs', 'remove', record.id, ...ON, '--all');
    expect(await operator.do('rebuild')).toContain('; 0 images got pictures');
  });
});

describe('verbs that have nothing to do in an empty database', () => {
  it.each([
    'entry show 1',
    'entry list --list legit',
    'entry edit 1 --list legit --name x',
    'entry verify 1 --list scammers',
    'entry remove 1 --list legit --reason other',
    'export --list legit',
    'proofs show 1',
    'proofs private 1 --list scammers',
    'donation list',
    'donation create --ltc 1',
    'incident list',
    'rebuild',
    'backup copy',
  ])('create none: %s', async (verb) => {
    const operator = makeOperator();
    const { code, stderr } = await operator.run(verb.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain('there is no database');
    expect(readdirSync(operator.folder)).toEqual([]);
  });
});

describe('a line over 4 MiB', () => {
  it('is listed as bad, and --keep-going goes on behind it', async () => {
    const operator = makeOperator();
    const [first, last] = [makeRecord(), makeRecord()];
    const long = JSON.stringify(makeRecord({ reason: 'x'.repeat(4 * 1024 * 1024) }));
    operator.file('in.ndjson', `${JSON.stringify(first)}\n${long}\n${JSON.stringify(last)}\n`);
    const report = await operator.json<ImportReport>('import', 'in.ndjson', ...ON, '--keep-going');
    expect(report).toMatchObject({
      added: 2,
      rejected: 1,
      returned: 0,
      problems: [{ line: 2, field: '', problem: 'the record is longer than 4194304 bytes' }],
    });
  });
});
