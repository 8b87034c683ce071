import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { databaseFile, listBackups, manifestFile, proofFile } from '#src/backups/backup-files.ts';
import { decompressFile } from '#src/backups/compressed-database.ts';
import { dailyShare } from '#src/backups/daily-share.ts';
import { backupLock, makeBackup, rotateBackups, type BackupOutcome } from '#src/backups/make-backup.ts';
import { openDatabase, type Database } from '#src/db/database.ts';
import { lockForProcess } from '#src/db/process-lock.ts';
import { DiskFullError } from '#src/db/disk-room.ts';
import { originalPath } from '#src/proofs/proof-files.ts';
import { makeLists, NOW } from '../../support/make-entries.ts';
import { makeFolder, makeNewer } from '../../support/temporary-database.ts';

const DAY = 86_400_000;
const PICTURE = Buffer.from('bytes of a picture');
const SHA256 = createHash('sha256').update(PICTURE).digest('hex');

let db: Database;
let dataFolder: string;
let folder: string;
const back = (now = NOW): Promise<BackupOutcome> => makeBackup({ databasePath: db.path, folder, now });
const rotate = (edge: number): number =>
  rotateBackups({ databasePath: db.path, folder }, { edge, latest: edge, isBelieved: true });

beforeEach(async () => {
  const proofs = { private: false, items: [{ text: 'Zrzut' }] };
  db = await makeLists({ scammers: [{ id: '7', proofs }, {}, {}] });
  dataFolder = dirname(db.path);
  folder = join(dataFolder, 'backups');
  db.statement('UPDATE proof_items SET file_sha256 = ?').run(SHA256);
  mkdirSync(dirname(originalPath(db.path, SHA256)), { recursive: true });
  writeFileSync(originalPath(db.path, SHA256), PICTURE);
});

it('is the database of this moment and the files of its proofs, told by its manifest', async () => {
  const { name, entries, bytes, lostProofs } = await back();
  expect({ entries, lostProofs }).toEqual({ entries: 3, lostProofs: 0 });
  const [newest] = listBackups(folder);
  expect(newest?.manifest).toMatchObject({ entries: 3, bytes, proofs: [SHA256] });
  const unpacked = join(dataFolder, 'unpacked.db');
  const packed = databaseFile(folder, name);
  expect(await decompressFile(packed, unpacked, Infinity)).toBe(newest?.manifest.sha256);
  const { size } = statSync(unpacked);
  rmSync(unpacked);
  await expect(decompressFile(packed, unpacked, size - 1)).rejects.toThrow(DiskFullError);
  expect(statSync(unpacked).size).toBeLessThan(size);
  rmSync(unpacked);
  expect(await decompressFile(packed, unpacked, size)).toBe(newest?.manifest.sha256);
  using copy = openDatabase(unpacked, 'read');
  expect(copy.statement<string>('SELECT chat_id FROM entries').pluck().all()).toContain('7');
  expect(readFileSync(proofFile(folder, SHA256))).toEqual(PICTURE);
  expect(readdirSync(folder).toSorted()).toEqual([`${name}.db.zst`, `${name}.json`, 'proofs']);
});

it('is made of a database to which a later version only added', async () => {
  makeNewer(db, 'ALTER TABLE entries ADD COLUMN later TEXT;');
  expect((await back()).problem).toBeUndefined();
});

it('counts the file of a proof that is another one or missing, and keeps no other in its place', async () => {
  const original = originalPath(db.path, SHA256);
  for (const harm of [() => writeFileSync(original, 'other bytes'), () => rmSync(original)]) {
    harm();
    expect((await back()).lostProofs).toBe(1);
    expect(readdirSync(join(folder, 'proofs'))).toEqual([]);
  }
});

it('mends images from the other side, those of the backup and the originals', async () => {
  await back();
  const [original, kept] = [originalPath(db.path, SHA256), proofFile(folder, SHA256)];
  const damaged = Buffer.from(PICTURE).fill(0, 0, 1);
  const harms: [string, () => void][] = [kept, original].flatMap((file) => [
    [`${file} is changed`, () => writeFileSync(file, damaged)],
    [`${file} is gone`, () => rmSync(file)],
  ]);
  harms.push(['originals/ is gone', () => rmSync(dirname(original), { recursive: true })]);
  for (const [what, harm] of harms) {
    harm();
    expect(await back(), what).toMatchObject({ lostProofs: 0 });
    for (const file of [original, kept]) expect(readFileSync(file), what).toEqual(PICTURE);
  }
  // A proof that was removed since does not come back.
  rmSync(original);
  using copy = openDatabase(db.path, 'write');
  const made = back();
  copy.statement('UPDATE proof_items SET file_sha256 = NULL').run();
  await made;
  expect(existsSync(original)).toBe(false);
});

it('reads each image once in 28 days, where there is no time for all', () => {
  const hashes = Array.from({ length: 200 }, (_, at) => createHash('sha256').update(`${at}`).digest('hex'));
  const read = Array.from({ length: 28 }, (_, day) =>
    [...dailyShare(hashes, (hash) => hash, NOW + day * DAY, -1)].filter(({ isRead }) => isRead),
  );
  const items = read.flat().map(({ item }) => item);
  expect(items.toSorted()).toEqual(hashes.toSorted());
  expect(Math.max(...read.map(({ length }) => length))).toBeLessThan(30);
});

it('is kept with a reason when a restore would refuse it, beside the newest that none refuses', async () => {
  const { name: sound } = await back();
  db.connection.exec("INSERT INTO incidents VALUES (7, 'evil', 5, 6, NULL, 6)");
  for (const day of [1, 40]) {
    const { name, problem } = await back(NOW + day * DAY);
    rotate(NOW + day * DAY);
    expect(problem).toMatch(/^incidents\.part must be one of .*, in \{"incident":7,"part":"evil"/);
    expect(listBackups(folder).map((one) => [one.name, one.manifest.problem])).toEqual([
      [name, problem],
      [sound, undefined],
    ]);
    rmSync(databaseFile(folder, name));
  }
});

it('is made alone: a second one would delete the parts of the first', async () => {
  mkdirSync(folder);
  const part = join(folder, '.part-czujka-20200101T000000Z.db');
  writeFileSync(part, 'of another process');
  const release = lockForProcess(backupLock(db.path));
  await expect(back()).rejects.toThrow('another backup is being made');
  expect(existsSync(part)).toBe(true);
  release?.();
  await back();
  expect(existsSync(part)).toBe(false);
});

it('writes a damaged or lost manifest of another again', async () => {
  const { name } = await back();
  const [before] = listBackups(folder);
  const file = manifestFile(folder, name);
  for (const harm of [() => writeFileSync(file, '{"formatVersion":2'), () => rmSync(file)]) {
    harm();
    await back(NOW + DAY);
    expect(listBackups(folder)[1]).toEqual(before);
  }
});

it('removes what had its time, and the files of proofs that no backup refers to any more', async () => {
  expect(rotate(NOW)).toBe(0);
  const { name: first } = await back();
  for (let day = 1; day < 9; day += 1) await back(NOW + day * DAY);
  db.statement('UPDATE proof_items SET file_sha256 = NULL').run();
  await back(NOW + 60 * DAY);
  const release = lockForProcess(backupLock(db.path));
  expect(rotate(NOW + 60 * DAY)).toBe(0);
  release?.();
  // While a manifest is missing, its images are not known.
  rmSync(manifestFile(folder, first));
  expect(rotate(NOW + 60 * DAY)).toBe(8);
  expect(existsSync(proofFile(folder, SHA256))).toBe(true);
  rmSync(databaseFile(folder, first));
  expect(rotate(NOW + 60 * DAY)).toBe(0);
  const newest = Math.floor((NOW + 60 * DAY) / 1_000) * 1_000;
  expect(listBackups(folder).map(({ madeAt }) => madeAt)).toEqual([newest]);
  expect(existsSync(proofFile(folder, SHA256))).toBe(false);
});

it('removes what a killed one left, and what no manifest vouches for', async () => {
  mkdirSync(join(folder, 'proofs'), { recursive: true });
  const left = ['czujka-20200101T000000Z.db.zst', 'czujka-20200102T000000Z.json', `proofs/.part-${SHA256}`];
  const parts = ['4194305-czujka-20200101T000000Z.json', 'czujka-20200101T000000Z.db'];
  for (const name of [...parts, 'czujka-20200101T000000Z.db.zst']) left.push(`.part-${name}`);
  for (const file of left) writeFileSync(join(folder, file), 'x');
  const { name } = await back();
  expect(readdirSync(folder).toSorted()).toEqual([`${name}.db.zst`, `${name}.json`, 'proofs']);
  expect(readdirSync(join(folder, 'proofs'))).toEqual([SHA256]);
});

it('removes only plain files that have a name of its own', async () => {
  const folders = ['czujka-20200101T000000Z.json', '.part-czujka-20200101T000000Z.db'];
  const files = [
    ...['.part-of-a-film.mp4', '.part-czujka-20200101T000000Z.db.txt', 'czujka-20200101T000000Z.db'],
    ...['proofs/my-thesis.txt', 'proofs/.part-1', `proofs/${'A'.repeat(64)}`],
    ...[...folders, `proofs/${'a'.repeat(64)}`].map((name) => `${name}/file`),
  ];
  const links = ['czujka-20200102T000000Z.json', `proofs/${'b'.repeat(64)}`];
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), 'x');
  }
  for (const link of links) symlinkSync(join(folder, 'czujka-20200101T000000Z.db'), join(folder, link));
  await back();
  const missing = [...files, ...links].filter((name) => !existsSync(join(folder, name)));
  expect(missing).toEqual([]);
});

it('writes through no link that has the name of a file to be written', async () => {
  const foreign = join(dataFolder, 'foreign');
  writeFileSync(foreign, 'x');
  mkdirSync(join(folder, 'proofs'), { recursive: true });
  symlinkSync(foreign, join(folder, `proofs/.part-${SHA256}`));
  await expect(back()).rejects.toThrow('EEXIST');
  expect(readFileSync(foreign, 'utf8')).toBe('x');
});

describe('refuses, and leaves as it is,', () => {
  const place = (path: string): string => join(dataFolder, path);
  /** They return the backup folder, and a folder below the data folder whose files are in danger. */
  const prepareFolders: Record<string, () => [string, string]> = {
    'a link': () => {
      mkdirSync(place('other/proofs'), { recursive: true });
      symlinkSync(place('other'), folder);
      return [folder, 'other/proofs'];
    },
    'a folder whose proofs are a link': () => {
      mkdirSync(folder);
      mkdirSync(place('other'));
      symlinkSync(place('other'), join(folder, 'proofs'));
      return [folder, 'other'];
    },
    'the data folder': () => [dataFolder, 'proofs'],
    'a way to the data folder through a link': () => {
      const link = join(makeFolder(), 'link');
      symlinkSync(place('.'), link);
      return [join(link, 'proofs/originals'), 'proofs/originals'];
    },
    'a folder that has the data folder as its proofs': () => {
      const parent = makeFolder();
      db.close();
      renameSync(dataFolder, join(parent, 'proofs'));
      dataFolder = join(parent, 'proofs');
      return [parent, '.'];
    },
  };
  it.each(Object.entries(prepareFolders))('%s', async (_what, prepare) => {
    const [given, threatened] = prepare();
    folder = given;
    const names = ['c'.repeat(64), 'my-thesis.txt', '.part-1'];
    const foreign = names.map((name) => join(place(threatened), name));
    for (const file of foreign) writeFileSync(file, 'x');
    const made = makeBackup({ databasePath: join(dataFolder, 'czujka.db'), folder, now: NOW });
    await expect(made).rejects.toThrow(`BACKUP_FOLDER=${folder}: `);
    expect(foreign.filter((file) => !existsSync(file))).toEqual([]);
  });
});

it('is not made of a damaged database: an earlier one stays, and nothing half-made', async () => {
  const { name } = await back();
  db.close();
  truncateSync(db.path, 20_000);
  await expect(back(NOW + DAY)).rejects.toThrow(/malformed|damaged|corrupt/);
  expect(listBackups(folder).map((backup) => backup.name)).toEqual([name]);
  expect(readdirSync(folder).filter((file) => file.startsWith('.part-'))).toEqual([]);
});
