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
import { beforeEach, describe, expect, it } from 'vitest';
import { databaseFile, listBackups, proofFile } from '#src/backups/backup-files.ts';
import { decompressFile } from '#src/backups/compressed-database.ts';
import { makeBackup } from '#src/backups/make-backup.ts';
import type { BackupOutcome } from '#src/backups/make-backup.ts';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { DiskFullError } from '#src/db/disk-room.ts';
import { originalPath } from '#src/proofs/proof-files.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';

const DAY = 86_400_000;
const PICTURE = Buffer.from('bytes of a picture');
const SHA256 = createHash('sha256').update(PICTURE).digest('hex');

describe('a daily backup', () => {
  let db: Database;
  let dataFolder: string;
  let folder: string;
  const back = (now = NOW): Promise<BackupOutcome> =>
    makeBackup({ databasePath: db.path, dataFolder, folder, now });

  beforeEach(async () => {
    db = await makeDatabase();
    dataFolder = dirname(db.path);
    folder = join(dataFolder, 'backups');
    const proofs = { private: false, items: [{ text: 'Zrzut' }] };
    await importRecords(db, 'scammers', [makeRecord({ id: '7', proofs }), makeRecord(), makeRecord()]);
    db.statement('UPDATE proof_items SET file_sha256 = ?').run(SHA256);
    mkdirSync(dirname(originalPath(dataFolder, SHA256)), { recursive: true });
    writeFileSync(originalPath(dataFolder, SHA256), PICTURE);
  });

  it('is the database of this moment and the files of its proofs, told by its manifest', async () => {
    const { name, entries, bytes, lostProofs, removed } = await back();
    expect({ entries, lostProofs, removed }).toEqual({ entries: 3, lostProofs: 0, removed: 0 });
    const [newest] = listBackups(folder);
    expect(newest?.manifest).toMatchObject({ entries: 3, bytes, proofs: [SHA256] });
    const unpacked = join(dataFolder, 'unpacked.db');
    const packed = databaseFile(folder, name);
    expect(await decompressFile(packed, unpacked, Infinity)).toBe(newest?.manifest.sha256);
    const { size } = statSync(unpacked);
    await expect(decompressFile(packed, unpacked, size - 1)).rejects.toThrow(DiskFullError);
    expect(statSync(unpacked).size).toBeLessThan(size);
    expect(await decompressFile(packed, unpacked, size)).toBe(newest?.manifest.sha256);
    const copy = openDatabase(unpacked, 'read');
    expect(copy.statement<string>('SELECT chat_id FROM entries').pluck().all()).toContain('7');
    copy.close();
    expect(readFileSync(proofFile(folder, SHA256))).toEqual(PICTURE);
    expect(readdirSync(folder).toSorted()).toEqual([`${name}.db.zst`, `${name}.json`, 'proofs']);
  });

  it.each([
    ['is missing', () => rmSync(originalPath(dataFolder, SHA256))],
    ['is another one', () => writeFileSync(originalPath(dataFolder, SHA256), 'other bytes')],
  ])('counts the file of a proof that %s, and keeps no other in its place', async (_how, harm) => {
    harm();
    expect((await back()).lostProofs).toBe(1);
    expect(readdirSync(join(folder, 'proofs'))).toEqual([]);
  });

  it('removes what had its time, and the files of proofs that no backup refers to any more', async () => {
    for (let day = 0; day < 9; day += 1) await back(NOW + day * DAY);
    db.statement('UPDATE proof_items SET file_sha256 = NULL').run();
    const before = listBackups(folder).length;
    const { removed } = await back(NOW + 60 * DAY);
    expect(removed).toBe(before);
    expect(listBackups(folder).map(({ madeAt }) => madeAt)).toEqual([
      Math.floor((NOW + 60 * DAY) / 1_000) * 1_000,
    ]);
    expect(existsSync(proofFile(folder, SHA256))).toBe(false);
  });

  it('removes what a killed one left, and what no manifest vouches for', async () => {
    mkdirSync(join(folder, 'proofs'), { recursive: true });
    const left = [
      '.part-czujka-20200101T000000Z.db',
      'czujka-20200101T000000Z.db.zst',
      'czujka-20200102T000000Z.json',
    ];
    for (const file of [...left, 'notes.txt', 'proofs/.part-x']) writeFileSync(join(folder, file), 'x');
    const { name } = await back();
    expect(readdirSync(folder).toSorted()).toEqual([`${name}.db.zst`, `${name}.json`, 'notes.txt', 'proofs']);
    expect(readdirSync(join(folder, 'proofs'))).toEqual([SHA256]);
  });

  it('is not made of a damaged database: an earlier one stays, and nothing half-made', async () => {
    const { name } = await back();
    db.close();
    truncateSync(db.path, 20_000);
    await expect(back(NOW + DAY)).rejects.toThrow(/malformed|damaged|corrupt/);
    expect(listBackups(folder).map((backup) => backup.name)).toEqual([name]);
    expect(readdirSync(folder).filter((file) => file.startsWith('.part-'))).toEqual([]);
  });
});
