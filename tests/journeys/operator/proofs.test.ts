import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeRecord } from '../../support/make-entries.ts';
import { makePhoto, ZIP } from '../../support/make-image.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { publicPictures, storedProofFiles } from '../../support/stored-entries.ts';

interface Shown {
  readonly proofs: string;
  readonly items: readonly {
    text: string | null;
    url: string | null;
    file: string | null;
    original: string | null;
  }[];
}

const ON = ['--list', 'scammers'] as const;

it('proofs are taken from standard input, by whoever may not read the file', async () => {
  const operator = makeCommandLine();
  const record = makeRecord();
  const { id } = record;
  await operator.fill('scammers', record);
  const photo = await makePhoto();
  const add = ['proofs', 'add', id, ...ON, '--private', '--file', '-', '--json'];
  const { code, stdout } = await operator.run(add, { input: photo });
  expect(code).toBe(0);
  const { items } = JSON.parse(stdout) as Shown;
  expect(items).toMatchObject([{ file: null }]);
  expect(readFileSync(items[0]?.original ?? '')).toEqual(photo);
  // An export names it, so that its import does not take the proof away.
  const sha256 = basename(items[0]?.original ?? '');
  expect(await operator.succeed('export', ...ON)).toContain(`"items":[{"file":"${sha256}"}]`);
  const refused = await operator.run(add, { input: 'no image' });
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('- is no image by its content');
});

it('are added, shown, hidden, published and removed, and the entry tells of it', async () => {
  const operator = makeCommandLine();
  const id = '1';
  await operator.fill('scammers', makeRecord({ id }));
  const photo = operator.file('photo.jpg', await makePhoto());
  await operator.succeed('proofs', 'add', id, ...ON, '--text', 'Opis *ważny*.', '--private');
  const withFile = ['--file', join(operator.folder, photo), '--caption', 'Zrzut'];
  const added = await operator.json<Shown>('proofs', 'add', id, ...ON, ...withFile);
  const items = [{ text: 'Opis *ważny*.' }, { file: 'photo.jpg' }];
  expect(added).toMatchObject({ proofs: 'private', items });
  expect(storedProofFiles(operator)).toHaveLength(1);
  expect(readFileSync(added.items[1]?.original ?? '')).toEqual(await makePhoto());
  expect(publicPictures(operator)).toEqual([]);
  const out = ['proofs', 'show', id, '--item', '2', '--out', 'copy.jpg'];
  expect(await operator.succeed(...out)).toMatch(/^wrote \d+ bytes to copy\.jpg\n$/);
  const copy = join(operator.folder, 'copy.jpg');
  expect(readFileSync(copy)).toEqual(await makePhoto());
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(await operator.fail(...out)).toBe('copy.jpg is there already\n');

  expect(await operator.succeed('proofs', 'public', id, ...ON)).toBe(
    `scammers: ${id} has proofs: public, 2\n`,
  );
  const pictures = publicPictures(operator);
  expect(pictures).toHaveLength(4);
  const url = 'https://example.com/a';
  expect(await operator.succeed('proofs', 'add', id, ...ON, '--url', url)).toContain('public, 3');
  const [shown] = await operator.json<Shown[]>('proofs', 'show', id);
  expect(shown?.items.map(({ text, url: link, file }) => text ?? link ?? file)).toEqual([
    'Opis *ważny*.',
    'photo.jpg',
    url,
  ]);
  expect(await operator.succeed('proofs', 'show', id)).toContain(
    `Zrzut\n   photo.jpg, ${(await makePhoto()).length} bytes, image/jpeg\n3.\n   ${url}`,
  );
  const folder = join(operator.folder, 'data/proofs/public');
  rmSync(folder, { recursive: true });
  expect(await operator.succeed('rebuild')).toMatch(/; 1 images? got pictures\n$/);
  expect(publicPictures(operator)).toEqual(pictures);
  // An earlier version made a picture that keeps what is transparent.
  const old = `${'0'.repeat(64)}.webp`;
  const background = { r: 200, g: 0, b: 0, alpha: 0 };
  const create = { width: 9, height: 9, channels: 4, background } as const;
  writeFileSync(join(folder, old), await sharp({ create }).webp().toBuffer());
  const of = basename(pictures.find((name) => name.endsWith('.webp')) ?? '', '.webp');
  const sql = 'UPDATE proof_images SET sha256 = ? WHERE sha256 = ?';
  expect(operator.write((db) => db.statement(sql).run('0'.repeat(64), of).changes)).toBe(1);
  await operator.succeed('rebuild');
  expect(publicPictures(operator)).toEqual(pictures);

  expect(await operator.succeed('proofs', 'private', id, ...ON)).toContain('private, 3');
  expect(publicPictures(operator)).toEqual([]);
  expect(operator.read((db) => db.statement('SELECT * FROM proof_images').all())).toEqual([]);
  await operator.succeed('proofs', 'public', id, ...ON);
  expect(await operator.succeed('proofs', 'remove', id, ...ON, '--item', '2')).toContain('public, 2');
  expect([...storedProofFiles(operator), ...publicPictures(operator)]).toEqual([]);
  expect(await operator.succeed('proofs', 'remove', id, ...ON, '--all')).toContain('none, 0');

  const [entry] = await operator.json<{ history: object[]; views: number }[]>('entry', 'show', id);
  const steps = entry?.history.filter((step) => 'proofs' in step) as { proofs: string; items: number }[];
  expect(steps.map(({ proofs, items }) => `${proofs} ${items}`)).toEqual([
    ...['private 1', 'private 2', 'public 2', 'public 3', 'private 3', 'public 3', 'public 2', 'none 0'],
  ]);
  expect(await operator.succeed('entry', 'show', id)).toMatch(/Z proofs: none, 0\n/);
});

it('a lost or damaged original is not published, and keeps no other proof from being hidden or removed', async () => {
  const operator = makeCommandLine();
  await operator.fill('scammers', makeRecord({ id: '1' }));
  const addPhoto = async (orientation: number): Promise<string> => {
    const file = operator.file(`${orientation}.jpg`, await makePhoto(orientation));
    return operator.succeed('proofs', 'add', '1', ...ON, '--public', '--file', file);
  };
  await addPhoto(1);
  await addPhoto(3);
  const [first = '', second = ''] = storedProofFiles(operator).map((name) =>
    join(operator.folder, 'data/proofs/originals', name),
  );
  rmSync(first);
  writeFileSync(second, await makePhoto(6));
  expect(await operator.succeed('proofs', 'private', '1', ...ON)).toContain('private, 2');
  expect(await operator.fail('proofs', 'public', '1', ...ON)).toMatch(/is missing|is damaged/);
  expect(await operator.succeed('proofs', 'remove', '1', ...ON, '--item', '1')).toContain('private, 1');
  expect(await operator.fail('proofs', 'public', '1', ...ON)).toMatch(/is missing|is damaged/);
});

it.each([
  'proofs add 1 --list scammers --private --file photo.jpg',
  'proofs remove 1 --list scammers --all',
  'import --undo',
])('%s succeeds where unused files cannot be removed after it', async (verb) => {
  const operator = makeCommandLine();
  operator.file('photo.jpg', await makePhoto());
  const record = makeRecord({ id: '1', proofs: { private: true, items: [{ text: 'Opis.' }] } });
  await operator.fill('scammers', record);
  await operator.succeed('import', operator.file('in.ndjson', [{ ...record, name: 'inny' }]), ...ON);
  // The folder cannot be listed.
  operator.file('data/proofs/public', '');
  await operator.succeed(...verb.split(' '));
});

describe('proof files beside another database', () => {
  const settings = { DATABASE_PATH: 'data/other.db' };

  it('stay: a mistyped path makes no database beside them', async () => {
    const operator = makeCommandLine();
    await operator.fill('scammers', makeRecord({ id: '1' }));
    const photo = operator.file('photo.jpg', await makePhoto());
    await operator.succeed('proofs', 'add', '1', ...ON, '--public', '--file', photo);
    const files = [...storedProofFiles(operator), ...publicPictures(operator)];
    const records = operator.file('records.ndjson', [makeRecord({ id: '2' })]);
    const mistyped = await operator.run(['import', records, ...ON], { settings });
    expect(mistyped.code).toBe(2);
    expect(mistyped.stderr).toContain('but beside it proofs: is a disk not mounted?');

    // An empty database that "migrate" makes on purpose does not own them.
    expect((await operator.run(['migrate'], { settings })).code).toBe(0);
    const refused = await operator.run(['import', records, ...ON], { settings });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('holds the proof files of another database');
    expect((await operator.run(['rebuild'], { settings })).stderr).toContain('of another database');
    const doctor = await operator.run(['doctor', '--quiet'], { settings });
    expect(doctor.stdout).toContain('of another database');
    expect([...storedProofFiles(operator), ...publicPictures(operator)]).toEqual(files);
  });

  it("are one's own after any restores, and where a power cut or an earlier version left their owner", async () => {
    const operator = makeCommandLine();
    const owner = operator.file('data/proofs/change-log', '');
    await operator.fill('scammers', makeRecord({ id: '1' }), makeRecord({ id: '2' }));
    const photo = operator.file('photo.jpg', await makePhoto());
    await operator.succeed('proofs', 'add', '1', ...ON, '--public', '--file', photo);
    const files = storedProofFiles(operator);
    const lose = (): void => {
      for (const name of globSync(`${operator.databasePath}*`)) rmSync(name);
    };
    const read = (): string => readFileSync(join(operator.folder, owner), 'utf8');
    await operator.succeed('backup', 'first');
    await operator.succeed('restore', 'first', '--yes');
    await operator.succeed('backup', 'second');
    await operator.succeed('entry', 'remove', '2', ...ON, '--reason', 'appeal');
    for (const name of ['first', 'second', 'first', 'first']) {
      lose();
      await operator.succeed('restore', name);
      await operator.succeed('restore', 'second', '--yes');
    }
    // Earlier versions named the newest log only, and an older backup does not know it.
    operator.file(owner, `${read().trim().split('\n').at(-1)}\n`);
    await operator.succeed(...'entry add 3 --odd-id --name x --reason x'.split(' '), ...ON);
    await operator.succeed('entry', 'remove', '3', ...ON, '--reason', 'appeal');
    lose();
    await operator.succeed('restore', 'first');
    // By hand.
    const [backup = ''] = globSync(join(operator.folder, 'first/*.zst'));
    lose();
    writeFileSync(operator.databasePath, zstdDecompressSync(readFileSync(backup)));
    await operator.succeed('rebuild');
    expect(storedProofFiles(operator)).toEqual(files);
    // Those of another installation stay refused.
    operator.file(owner, `${'0'.repeat(16)}\n`);
    lose();
    const refused = await operator.run(['restore', 'first']);
    expect(refused.stderr).toContain('holds the proof files of another database');
    expect(read()).toBe(`${'0'.repeat(16)}\n`);
  });
});

describe('a command about proofs that cannot be followed', () => {
  const operator = makeCommandLine();
  beforeAll(async () => {
    operator.file('zip.png', ZIP);
    await operator.fill('scammers', makeRecord({ id: '1' }));
  });

  it.each([
    ['add 1', 'give at least one of --text, --text-file, --url and --file'],
    ['add 1 --public --url javascript:alert(1)', 'item 1: url: must be an http or https address\n'],
    ['add 1 --public --file zip.png', 'zip.png is no image by its content'],
    ['add 1 --public --text=', 'item 1: text: is empty or invisible; at least one visible character'],
    ['add 1 --text-file - --url https://example.org/', 'item 1: text: is empty or invisible'],
    ['add 1 --text=\u200b\u2800', 'item 1: text: is empty or invisible'],
    ['add 1 --public --text-file - --file -', 'standard input is one thing: the text'],
    ['remove 1', 'say --item NUMBER or --all'],
    ['public 1', 'the entry has no proofs; add one with "proofs add"'],
    ['show 1 --out a.png --item 1', 'there is no proof 1; the entry has 0'],
  ])('proofs %s: ends with 1, says why and changes nothing', async (args, problem) => {
    expect(await operator.fail('proofs', ...args.split(' '), ...ON)).toContain(problem);
    expect(storedProofFiles(operator)).toEqual([]);
    expect(await operator.json('proofs', 'show', '1')).toMatchObject([{ proofs: 'none', items: [] }]);
  });
});
