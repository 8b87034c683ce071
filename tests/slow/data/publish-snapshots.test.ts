import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { truncateWal } from '#src/db/truncate-wal.ts';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import type { MirrorEntry } from '#src/entries/mirror-schema.ts';
import { findManifest, snapshotsFolder, type Manifest } from '#src/entries/snapshots/manifest.ts';
import { CHUNK_ENTRIES, publishSnapshots } from '#src/entries/snapshots/publish-snapshots.ts';
import { findEntryRowByChatId } from '#src/entries/find-entry-rows.ts';
import { removeEntry } from '../../support/change-log.ts';
import { importRecords, makeRecord, NOW, unverifyTrusted } from '../../support/make-entries.ts';
import { publish } from '../../support/publish.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

let db: Database;
beforeEach(async () => {
  db = await makeDatabase();
});

const manifest = () => findManifest(snapshotsFolder(db.path)) as Manifest;

function fileOf(path: string): string {
  return join(snapshotsFolder(db.path), ...path.split('/').slice(2));
}

function paths(of = manifest()): string[] {
  return LIST_KINDS.flatMap((list) => of.lists[list].chunks.map(({ path }) => path));
}

function readChunks(list: ListKind): MirrorEntry[] {
  return manifest().lists[list].chunks.flatMap(
    ({ path }) => JSON.parse(readFileSync(fileOf(path), 'utf8')) as MirrorEntry[],
  );
}

function readAllFiles(): string[] {
  return readdirSync(snapshotsFolder(db.path), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
}

function makeRecords(count: number) {
  return Array.from({ length: count }, () => makeRecord());
}

it('what is published never holds an unverified entry of the trusted list, and lets one go that was verified', async () => {
  const trust = (name: string) =>
    importRecords(db, 'legit', [makeRecord({ id: '5', name, reason: name })]);
  await trust('UKRYTY');
  unverifyTrusted(db, 'UKRYTY');
  await publish(db);
  expect(readAllFiles().join()).not.toContain('UKRYTY');
  await trust('JAWNY');
  await publish(db);
  expect(readChunks('legit')).toHaveLength(1);
  unverifyTrusted(db, 'JAWNY');
  await publish(db);
  expect(readChunks('legit')).toEqual([]);
  expect(readAllFiles().join()).not.toContain('JAWNY');
});

describe('a change', () => {
  const COUNT = 2 * CHUNK_ENTRIES;

  beforeEach(async () => {
    await importRecords(db, 'scammers', makeRecords(COUNT));
    await publish(db);
  });

  const ids = (): string[] =>
    db
      .statement<{ chat_id: string }>("SELECT chat_id FROM entries WHERE list = 'scammers'")
      .all()
      .map((row) => row.chat_id);

  it('rewrites one chunk when one entry changes or goes, and touches nothing else', async () => {
    const [id = ''] = ids();
    const untouched = (before: Manifest): number =>
      paths().filter((path) => paths(before).includes(path)).length;
    let before = manifest();
    await importRecords(db, 'scammers', [makeRecord({ id, name: 'inaczej' })]);
    expect(await publish(db)).toEqual({ written: 1, erased: 0 });
    expect(paths()).toHaveLength(paths(before).length);
    expect(untouched(before)).toBe(paths(before).length - 1);
    before = manifest();
    removeEntry(db, 'scammers', id, 'other', NOW);
    expect(await publish(db)).toEqual({ written: 1, erased: 2 });
    expect(untouched(before)).toBe(paths(before).length - 1);
    expect(manifest().lists.scammers.total).toBe(COUNT - 1);
  });

  it('divides the list again when it becomes larger or smaller than its chunks can hold', async () => {
    const divided = async (): Promise<number> => {
      await publish(db);
      const { total, chunks } = manifest().lists.legit;
      expect(new Set(readChunks('legit').map(({ _id }) => _id)).size).toBe(total);
      return chunks.length;
    };
    const records = makeRecords(CHUNK_ENTRIES);
    await importRecords(db, 'legit', records);
    expect(await divided()).toBe(1);
    const extra = makeRecord();
    await importRecords(db, 'legit', [extra]);
    expect(await divided()).toBe(16);
    removeEntry(db, 'legit', extra.id, 'other', NOW);
    expect(await divided()).toBe(1);
  });

  it('leaves the old chunk for a day', async () => {
    const before = paths();
    await importRecords(db, 'scammers', [makeRecord({ id: ids()[0] ?? '', name: 'inaczej' })]);
    await publish(db);
    const old = fileOf(before.find((path) => !paths().includes(path)) ?? '');
    for (const [hours, isThere] of [
      [23, true],
      [25, false],
      // The clock was ahead, and was set back.
      [-25, false],
    ] as const) {
      const usedAt = new Date(Date.now() - hours * 3_600_000);
      writeFileSync(old, '');
      for (const file of [old, ...paths().map(fileOf)]) utimesSync(file, usedAt, usedAt);
      await publish(db);
      expect(existsSync(old)).toBe(isThere);
    }
    for (const path of paths()) expect(existsSync(fileOf(path))).toBe(true);
  });

  it('makes a chunk from the entries when its file has been damaged', async () => {
    const [id = ''] = ids();
    const entryId = findEntryRowByChatId(db, 'scammers', id)?.entry_id ?? '';
    const path = paths().find((each) => readFileSync(fileOf(each), 'utf8').includes(entryId)) ?? '';
    const text = readFileSync(fileOf(path), 'utf8');
    const other = /"name":"(nick \d+)"/.exec(text)?.[1] ?? '';
    writeFileSync(fileOf(path), text.replace(other, 'nikt'));
    await importRecords(db, 'scammers', [makeRecord({ id, name: 'inaczej' })]);
    await publish(db);
    const names = readChunks('scammers').map(({ name }) => name);
    expect(names).toHaveLength(COUNT);
    expect(names).toContain('inaczej');
    expect(names).not.toContain('nikt');
  });

  it('makes a chunk again whose file is gone', async () => {
    const [path = ''] = paths();
    rmSync(fileOf(path));
    await importRecords(db, 'legit', [makeRecord()]);
    await publish(db);
    for (const there of paths()) expect(existsSync(fileOf(there))).toBe(true);
    expect(readChunks('scammers')).toHaveLength(COUNT);
  });
});

describe('a removal', () => {
  const MARKER = 'NICK_DO_WYMAZANIA';
  const record = makeRecord({
    name: MARKER,
    reason: `Powód ${MARKER}.`,
    reportId: 'R-BACK',
  });
  const expectErased = (): void => {
    expect(readAllFiles().join()).not.toContain(MARKER);
    for (const path of paths()) expect(existsSync(fileOf(path))).toBe(true);
  };

  beforeEach(async () => {
    await importRecords(db, 'scammers', [record, ...makeRecords(20)]);
    await publish(db);
  });

  it('leaves nothing of the old text when the entry is added again', async () => {
    removeEntry(db, 'scammers', record.id, 'mistake', NOW);
    await importRecords(db, 'scammers', [{ ...record, name: 'wrócił', reason: 'Powód.' }]);
    await publish(db);
    expectErased();
    expect(readChunks('scammers').map(({ name }) => name)).toContain('wrócił');
  });

  it('happens even when nothing can be published', async () => {
    removeEntry(db, 'scammers', record.id, 'request', NOW);
    const reason = new Error('the worker ends');
    await expect(publishSnapshots(db, AbortSignal.abort(reason))).rejects.toThrow(reason);
    expect(readAllFiles().join()).not.toContain(MARKER);
    await publish(db);
    expectErased();
  });
});

it('begins anew when the manifest cannot be read or is of another format', async () => {
  await importRecords(db, 'scammers', makeRecords(3));
  await publish(db);
  for (const text of ['', '{', '{"formatVersion":2,"lists":{}}', '{"formatVersion":1,"lists":{}}', 'null']) {
    writeFileSync(join(snapshotsFolder(db.path), 'manifest.json'), text);
    await publish(db);
    expect(readChunks('scammers'), text).toHaveLength(3);
  }
});

it('keeps no read transaction open, and loses no change that comes meanwhile', async () => {
  await importRecords(db, 'scammers', makeRecords(2 * CHUNK_ENTRIES));
  const publishing = publish(db);
  let isDone = false;
  void publishing.finally(() => (isDone = true));
  let truncated = 0;
  for (let turn = 0; !isDone; turn += 1) {
    if (turn % 5 === 0) await importRecords(db, 'scammers', [makeRecord()]);
    expect(truncateWal(db)).toBe(true);
    truncated += 1;
    await setImmediate();
  }
  await publishing;
  expect(truncated).toBeGreaterThan(10);
  await publish(db);
  const all = db.statement("SELECT entry_id FROM entries WHERE list = 'scammers' ORDER BY 1").pluck().all();
  expect(readChunks('scammers').map(({ _id }) => _id)).toEqual(all);
});
