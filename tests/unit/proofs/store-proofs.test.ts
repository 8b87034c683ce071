/** A verb stores files before the transaction that uses them, and another verb may sweep meanwhile. */
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { beforeEach, expect, it, vi } from 'vitest';
import { storeReplaced } from '#src/changes/undo-file.ts';
import { Database, openDatabase } from '#src/db/database.ts';
import { readLogHead } from '#src/changes/change-log.ts';
import { StagingSession } from '#src/entries/staging-session.ts';
import { listReplacedEntries } from '#src/entries/staging-tables.ts';
import { addEntry } from '#src/entries/write-entry.ts';
import { commitImport, stageFile } from '#src/operator/import/import-file.ts';
import { listPictureless, ProofStore } from '#src/proofs/store-proofs.ts';
import { listMissingOriginals, listOriginals, sweepProofFiles } from '#src/proofs/proof-files.ts';
import { FILE_MAX_BYTES } from '#src/proofs/read-proof-file.ts';
import { removeEntry } from '../../support/change-log.ts';
import { importRecords, makeRecord, NOW, prepareImport, stageRecords } from '../../support/make-entries.ts';
import { makePhoto } from '../../support/make-image.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

let db: Database;
/** The connection of another verb. */
let other: Database;
let dataFolder: string;
let photo: string;
beforeEach(async () => {
  db = await makeDatabase();
  other = openDatabase(db.path, 'write');
  dataFolder = dirname(db.path);
  photo = join(dataFolder, 'photo.jpg');
  writeFileSync(photo, await makePhoto());
});

const sweep = () => sweepProofFiles(other);

/** @returns what another process sees as soon as an entry has the proof: a kill then leaves it so */
async function lookAtOnce() {
  while (listOriginals(other).length === 0) await setImmediate();
  const missing = listMissingOriginals(other, other.path);
  return { missing, pictureless: listPictureless(other) };
}

const WHOLE = { missing: [], pictureless: [] };

const proofs = () => ({ private: false, items: [{ file: photo }] });

it('an entry has file and pictures from its commit on, though another verb sweeps before', async () => {
  const record = makeRecord({ proofs: proofs() });
  await importRecords(db, 'scammers', [record]);
  removeEntry(db, 'scammers', record.id, 'mistake', NOW);
  const seen = lookAtOnce();
  // A return is noticed, after the files are stored.
  const onNotice = vi.fn(sweep);
  await addEntry(db, 'scammers', record, { bringsBack: true, onNotice });
  expect(await seen).toEqual(WHOLE);
  expect(onNotice).toHaveBeenCalledOnce();
});

async function stage(file: string, dryRun: boolean) {
  const files = new ProofStore(db, { dryRun });
  const session = new StagingSession(db, 'scammers', { comparedAtSeq: readLogHead(db).seq, now: NOW, files });
  const bytes = await stageFile(session, file, {}, process);
  return { session, bytes };
}

it('imported entries have theirs, too', async () => {
  const file = join(dataFolder, 'in.ndjson');
  const record = makeRecord({ proofs: { private: false, items: [{ file: 'photo.jpg' }] } });
  writeFileSync(file, JSON.stringify(record));
  const seen = lookAtOnce();
  const { session, bytes } = await stage(file, false);
  expect(sweep().originals).toBe(1);
  await commitImport(session, file, bytes);
  expect(await seen).toEqual(WHOLE);
});

it('a dry run of an import checks files as the import does, and stores none', async () => {
  const file = join(dataFolder, 'in.ndjson');
  const names = ['photo.jpg', 'none.jpg', 'in.ndjson', 'cut.jpg', 'large.jpg'];
  writeFileSync(join(dataFolder, 'cut.jpg'), (await makePhoto()).subarray(0, 900));
  writeFileSync(join(dataFolder, 'large.jpg'), '');
  truncateSync(join(dataFolder, 'large.jpg'), FILE_MAX_BYTES + 1);
  const records = names.map((name) => makeRecord({ proofs: { private: true, items: [{ file: name }] } }));
  writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'));
  const before = readdirSync(dataFolder, { recursive: true });
  const { problems } = (await stage(file, true)).session;
  expect(readdirSync(dataFolder, { recursive: true })).toEqual(before);
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
  expect(problems).toEqual((await stage(file, false)).session.problems);
});

it('a file that is lost for good is a conflict, and nothing is written', async () => {
  const files = new ProofStore(db);
  const session = await stageRecords(db, 'scammers', [makeRecord({ proofs: proofs() })], { now: NOW, files });
  rmSync(photo);
  sweep();
  await expect(session.commit()).rejects.toMatchObject({ code: 'conflict' });
  expect(listOriginals(db)).toEqual([]);
});

it('a sweep leaves the file of a proof that an import replaces at this moment', async () => {
  const record = makeRecord({ proofs: { private: true, items: [{ file: 'photo.jpg' }] } });
  await importRecords(db, 'scammers', [record], NOW, dataFolder);
  const replacing = { ...record, proofs: { private: true, items: [] } };
  const commit = await prepareImport(db, 'scammers', [replacing], NOW);
  let statements = 0;
  const verbose = (sql: unknown) => {
    // The first forgets pictures; with the second, the sweep waits for the lock under which it looks at the originals.
    if (sql !== 'BEGIN IMMEDIATE' || (statements += 1) !== 2) return;
    storeReplaced(db.path, 'import', NOW, listReplacedEntries(db));
    db.write(commit);
  };
  const sweeper = new Database(db.path, () => new Sqlite(db.path, { verbose }));
  expect(sweepProofFiles(sweeper).originals).toBe(0);
  expect(statements).toBe(2);
  expect(listOriginals(db)).toEqual([]);
});
