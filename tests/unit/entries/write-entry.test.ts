import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, expect, it } from 'vitest';
import { Database, openDatabase } from '#src/db/database.ts';
import { exportRecords } from '#src/entries/export-records.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { addEntry, changeEntry } from '#src/entries/write-entry.ts';
import { addProof, changeProofs } from '#src/entries/change-proofs.ts';
import { createMarkdownRenderer } from '#src/text/markdown-renderer.ts';
import { OperatorError } from '#src/operator-error.ts';
import { removeEntry } from '../../support/change-log.ts';
import { makeRecord, NOW, prepareImport, stageRecords } from '../../support/make-entries.ts';
import { PNG } from '../../support/stored-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const [ID, OTHER] = ['280864204968068869', '280864204968068870'];
const PROOF = { text: 'Opis.' };

let db: Database;
let dataFolder: string;
beforeEach(async () => {
  db = await makeDatabase();
  dataFolder = dirname(db.path);
});

const add = (facts: Partial<ImportRecordInput>, bringsBack = false, on = db) =>
  addEntry(on, 'scammers', makeRecord(facts), { bringsBack, onNotice: () => {} });
const stored = () => [...exportRecords(db, 'scammers')];
/** As processes do that run at once. */
const openMany = (count: number) => Array.from({ length: count }, () => openDatabase(db.path, 'write'));

async function findError(work: Promise<unknown>): Promise<object> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof OperatorError)) throw new Error('no error of a verb', { cause: error });
  return { code: error.code, ...error.facts };
}

it('never changes an entry that is there, and says its number, whatever number is given', async () => {
  await add({ id: ID, reportId: 'R-FIRST' });
  const before = stored();
  for (const reportId of ['R-FIRST', 'R-OTHER', undefined])
    expect(await findError(add({ id: ID, reportId }, true))).toEqual({ code: 'exists', reportId: 'R-FIRST' });
  expect(await findError(add({ id: OTHER, reportId: 'R-FIRST' }))).toEqual({ code: 'invalid' });
  expect(stored()).toEqual(before);
});

it.each([{ reason: 'Inny.' }, { name: 'inny' }])('says who removed it while %j is made', async (facts) => {
  const first = { id: ID, reportId: 'R-FIRST', reason: 'Powód.' };
  await add(first);
  const renderer = createMarkdownRenderer();
  const render = (texts: readonly string[]) => {
    removeEntry(db, 'scammers', ID, 'mistake', NOW, { by: 'ola' });
    return renderer.render(texts);
  };
  const record = makeRecord({ ...first, ...facts });
  const edit = stageRecords(db, 'scammers', [record], { now: NOW, renderer: { ...renderer, render } });
  const at = new Date(NOW).toISOString();
  expect(await findError(edit)).toEqual({ code: 'conflict', list: 'scammers', id: ID, at, by: 'ola' });
});

it('does not bring back a removed ID or number unasked, nor a number for another ID at all', async () => {
  await add({ id: ID, reportId: 'R-FIRST' });
  const at = Date.parse('2026-11-12');
  removeEntry(db, 'scammers', ID, 'appeal', at);
  const removed = { code: 'removed', removedAt: '2026-11-12T00:00:00.000Z', reasonCode: 'appeal' };
  expect(await findError(add({ id: ID }))).toEqual(removed);
  expect(await findError(add({ id: OTHER, reportId: 'R-FIRST' }))).toEqual(removed);
  expect(await findError(add({ id: OTHER, reportId: 'R-FIRST' }, true))).toEqual({ code: 'invalid' });
  await add({ id: ID, reportId: 'R-FIRST' }, true);
  expect(stored()).toMatchObject([{ id: ID, reportId: 'R-FIRST' }]);
});

it.each(['zgl/1', 'żab B', '..', 'R 1', 'x'.repeat(65)])('gives no entry the odd number %s', async (odd) => {
  await expect(add({ id: ID, reportId: odd })).rejects.toThrow('reportId: ');
  expect(stored()).toEqual([]);
});

it('adds an entry once, however many add it at the same time', async () => {
  const results = await Promise.allSettled(openMany(5).map((each) => add({ id: ID }, false, each)));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject(Array(4).fill({ reason: { code: 'exists' } }));
  expect(stored()).toHaveLength(1);
});

it.each(['added', 'changed'])('asks about an ID that others remove before an entry is %s', async (op) => {
  if (op === 'changed') await add({ id: '2' });
  const [other] = openMany(1) as [Database];
  const commit = await prepareImport(other, 'scammers', [makeRecord({ id: ID })], NOW);
  let begun = 0;
  const verbose = (sql: unknown) => {
    if (sql !== 'BEGIN IMMEDIATE' || (begun += 1) > 1) return;
    other.write(commit);
    removeEntry(other, 'scammers', ID, 'appeal', NOW);
  };
  const watched = new Database(db.path, () => new Sqlite(db.path, { verbose }));
  const change = { fields: { id: ID } };
  const written =
    op === 'added'
      ? add({ id: ID }, false, watched)
      : changeEntry(watched, 'scammers', '2', change, { retriesConflicts: true });
  expect(await findError(written)).toMatchObject({ code: 'removed' });
  expect(stored().map(({ id }) => id)).toEqual(op === 'added' ? [] : ['2']);
});

it('adds all proofs that are added at the same time', async () => {
  await add({ id: ID });
  await Promise.all(openMany(5).map((each) => changeProofs(each, 'scammers', ID, addProof(PROOF, true), {})));
  expect(stored()).toMatchObject([{ proofs: { private: true, items: Array(5).fill(PROOF) } }]);
});

it('tries a paragraph again after a change of somebody else, and refuses a whole text', async () => {
  await add({ id: ID, reason: 'Powód.' });
  const [one, two] = openMany(2) as [Database, Database];
  const change = (on: Database, retriesConflicts: boolean) => {
    const edit = retriesConflicts ? { fields: {}, append: 'Dalej.' } : { fields: { name: 'x' } };
    return changeEntry(on, 'scammers', ID, edit, { by: 'ewa', retriesConflicts });
  };
  await Promise.all([change(one, true), change(two, true)]);
  expect(stored()).toMatchObject([{ reason: 'Powód.\n\nDalej.\n\nDalej.' }]);
  const whole = await Promise.allSettled([change(one, false), change(two, false)]);
  const refused = whole.filter(({ status }) => status === 'rejected');
  const reason = { code: 'conflict', exitCode: 2, facts: { id: ID, by: 'ewa' } };
  expect(refused).toMatchObject([{ reason }]);
});

it('takes no new link to a host whose files end soon, and keeps one that is stored', async () => {
  const refusedHosts = ['cdn.example'];
  const url = 'https://EU.cdn.example./a.png';
  const options = { refusedHosts };
  const record = makeRecord({ id: ID, proofs: { private: true, items: [{ url }] } });
  const refused = addEntry(db, 'scammers', record, { ...options, onNotice: () => {} });
  await expect(refused).rejects.toThrow('item 1: url: is gone within a day: send the file');
  expect(stored()).toEqual([]);
  await addEntry(db, 'scammers', record, { onNotice: () => {} });
  const addLink = (to: string) => changeProofs(db, 'scammers', ID, addProof({ url: to }, true), options);
  await expect(addLink('https://cdn.example/b.png')).rejects.toThrow('item 2: url: is gone');
  await addLink('https://notcdn.example/');
  expect(stored()[0]?.proofs?.items).toHaveLength(2);
});

it('writes a picture from bytes with its entry, and nothing when another one is bad', async () => {
  const bad = join(dataFolder, 'bad.png');
  writeFileSync(bad, 'no image');
  const items = [{ file: '-' }, { file: bad }];
  const options = { bytesByFileName: new Map([['-', PNG]]), onNotice: () => {} };
  const write = (count: number) => {
    const record = makeRecord({ id: ID, proofs: { private: false, items: items.slice(0, count) } });
    return addEntry(db, 'scammers', record, options);
  };
  await expect(write(2)).rejects.toThrow(`item 2: file: ${bad} is no image by its content`);
  expect(stored()).toEqual([]);
  await write(1);
  const written = db.statement('SELECT op, (SELECT count(*) FROM proof_images) AS pictures FROM changes');
  expect(written.all()).toEqual([{ op: 'added', pictures: 2 }]);
});
