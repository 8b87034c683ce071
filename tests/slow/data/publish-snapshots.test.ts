import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { renewHistory } from '#src/changes/log-head.ts';
import type { Database } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { ListKind } from '#src/entries/entry.ts';
import type { MirrorEntry } from '#src/entries/mirror-schema.ts';
import { eraseFromSnapshots } from '#src/entries/snapshots/chunk-files.ts';
import { CHUNK_ENTRIES_MAX } from '#src/entries/snapshots/chunk-name.ts';
import { findManifest, snapshotsFolder } from '#src/entries/snapshots/manifest.ts';
import type { Manifest } from '#src/entries/snapshots/manifest.ts';
import { publishSnapshots, sweepSnapshots } from '#src/entries/snapshots/publish-snapshots.ts';
import { readLastChange } from '#src/changes/append-change.ts';
import { findRow, removeEntry, writeEntries } from '#src/entries/write-entries.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import { createPublisher } from '../../support/publish.ts';
import type { Publisher } from '../../support/publish.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

let db: Database;
let publisher: Publisher;
beforeEach(async () => {
  db = await makeDatabase();
  publisher = createPublisher(db);
});

function manifest(): Manifest {
  const found = findManifest(snapshotsFolder(db.path));
  if (!found) throw new Error('there is no manifest');
  return found;
}

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

/** Texts of all files of the snapshots. */
function readAllFiles(): string[] {
  return globSync(`${snapshotsFolder(db.path)}/**/*`, { withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => {
      const bytes = readFileSync(join(file.parentPath, file.name));
      if (file.name.endsWith('.br')) return brotliDecompressSync(bytes).toString();
      return (file.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    });
}

function makeRecords(count: number) {
  return Array.from({ length: count }, () => makeRecord());
}

describe('what is published', () => {
  it('is three empty lists when there is nothing yet', async () => {
    await publisher.publish();
    expect(manifest()).toMatchObject({ formatVersion: 1, generation: 0 });
    expect(LIST_KINDS.map((list) => manifest().lists[list].total)).toEqual([0, 0, 0]);
    expect(LIST_KINDS.flatMap(readChunks)).toEqual([]);
  });

  it('is exactly the public fields and the two times', async () => {
    await importRecords(db, 'scammers', [
      makeRecord({
        id: '123',
        name: 'nick',
        reason: 'Powód **x**.',
        verified: false,
        reportedAt: NOW,
        reportId: 'R-1',
        views: 7,
        proofs: { private: true, items: [{ text: 'tajne' }] },
      }),
    ]);
    await publisher.publish();
    const [entry] = readChunks('scammers');
    expect(Object.entries(entry ?? {})).toEqual([
      ['_id', expect.stringMatching(/^[0-9a-f]{24}$/)],
      ['name', 'nick'],
      ['id', '123'],
      ['descHtml', '<p>Powód <strong>x</strong>.</p>'],
      ['verified', false],
      ['proofsId', expect.stringMatching(/^[0-9a-f]{32}$/)],
      ['reportId', 'R-1'],
      ['reportedAt', '2026-11-20T12:00:00.000Z'],
      ['updatedAt', '2026-11-20T12:00:00.000Z'],
    ]);
  });

  it('has each entry once, in chunks that are not too large, with totals and sizes that are true', async () => {
    const count = 2 * CHUNK_ENTRIES_MAX;
    await importRecords(db, 'scammers', makeRecords(count));
    await importRecords(db, 'legit', makeRecords(3));
    await publisher.publish();
    const { lists } = manifest();
    expect(lists.scammers.total).toBe(count);
    expect(lists.scammers.chunks.length).toBeGreaterThan(1);
    expect(lists.legit.chunks).toHaveLength(1);
    expect(new Set(readChunks('scammers').map(({ _id }) => _id)).size).toBe(count);
    for (const chunk of lists.scammers.chunks) {
      expect(chunk.entries).toBeLessThanOrEqual(CHUNK_ENTRIES_MAX);
      const bytes = readFileSync(fileOf(chunk.path));
      expect(chunk.bytes).toBe(bytes.length);
      expect(brotliDecompressSync(readFileSync(`${fileOf(chunk.path)}.br`))).toEqual(bytes);
      expect(gunzipSync(readFileSync(`${fileOf(chunk.path)}.gz`))).toEqual(bytes);
    }
  });

  it('never holds an unverified entry of the trusted list, and lets one go that was verified', async () => {
    const content = (marker: string) => ({ reason: marker, descHtml: marker, proofItems: [] });
    const write = (marker: string, verified: boolean): void =>
      writeEntries(
        db,
        'legit',
        [
          {
            chatId: '5',
            name: marker,
            verified,
            reportedAt: NOW,
            views: 0,
            proofs: 'none',
            reportId: 'R-5',
            content: content(marker),
          },
        ],
        readLastChange(db, 'legit'),
        NOW,
      );
    write('UKRYTY', false);
    await publisher.publish();
    expect(readAllFiles().join()).not.toContain('UKRYTY');
    write('JAWNY', true);
    await publisher.publish();
    expect(readChunks('legit')).toHaveLength(1);
    write('JAWNY', false);
    await publisher.publish();
    expect(readChunks('legit')).toEqual([]);
    expect(readAllFiles().join()).not.toContain('JAWNY');
  });
});

describe('a change', () => {
  const COUNT = 2 * CHUNK_ENTRIES_MAX;

  beforeEach(async () => {
    await importRecords(db, 'scammers', makeRecords(COUNT));
    await publisher.publish();
  });

  const ids = (): string[] =>
    db
      .statement<{ chat_id: string }>("SELECT chat_id FROM entries WHERE list = 'scammers'")
      .all()
      .map((row) => row.chat_id);

  it('of one entry rewrites one chunk; its removal too; nothing else is touched', async () => {
    const [id = ''] = ids();
    const untouched = (before: Manifest): number =>
      paths().filter((path) => paths(before).includes(path)).length;
    let before = manifest();
    await importRecords(db, 'scammers', [makeRecord({ id, name: 'inaczej' })]);
    expect(await publisher.publish()).toEqual({ written: 1, erased: 0 });
    expect(paths()).toHaveLength(paths(before).length);
    expect(untouched(before)).toBe(paths(before).length - 1);
    before = manifest();
    removeEntry(db, 'scammers', id, 'other', NOW);
    expect(await publisher.publish()).toEqual({ written: 1, erased: 2 });
    expect(untouched(before)).toBe(paths(before).length - 1);
    expect(manifest().lists.scammers.total).toBe(COUNT - 1);
  });

  it('that adds many splits only the chunks that grow too large', async () => {
    await importRecords(db, 'scammers', makeRecords(COUNT));
    await publisher.publish();
    expect(manifest().lists.scammers.total).toBe(2 * COUNT);
    for (const { entries } of manifest().lists.scammers.chunks) {
      expect(entries).toBeLessThanOrEqual(CHUNK_ENTRIES_MAX);
    }
    expect(new Set(readChunks('scammers').map(({ _id }) => _id)).size).toBe(2 * COUNT);
  });

  it('leaves the old chunk for a day', async () => {
    const before = paths();
    await importRecords(db, 'scammers', [makeRecord({ id: ids()[0] ?? '', name: 'inaczej' })]);
    await publisher.publish();
    const old = before.find((path) => !paths().includes(path)) ?? '';
    expect(await sweepSnapshots(db.path, Date.now())).toBe(0);
    expect(await sweepSnapshots(db.path, Date.now() + 23 * 3_600_000)).toBe(0);
    for (const form of ['', '.br', '.gz']) expect(existsSync(fileOf(old) + form)).toBe(true);
    expect(await sweepSnapshots(db.path, Date.now() + 25 * 3_600_000)).toBe(1);
    for (const form of ['', '.br', '.gz']) expect(existsSync(fileOf(old) + form)).toBe(false);
    for (const path of paths()) expect(existsSync(fileOf(path))).toBe(true);
  });

  it('makes a chunk from the entries when its file has been damaged', async () => {
    const [id = ''] = ids();
    const entryId = findRow(db, 'scammers', id)?.entry_id ?? '';
    const path = paths().find((each) => readFileSync(fileOf(each), 'utf8').includes(entryId)) ?? '';
    const text = readFileSync(fileOf(path), 'utf8');
    const other = /"name":"(nick \d+)"/.exec(text)?.[1] ?? '';
    writeFileSync(fileOf(path), text.replace(other, 'nikt'));
    await importRecords(db, 'scammers', [makeRecord({ id, name: 'inaczej' })]);
    await publisher.publish();
    const names = readChunks('scammers').map(({ name }) => name);
    expect(names).toHaveLength(COUNT);
    expect(names).toContain('inaczej');
    expect(names).not.toContain('nikt');
  });

  it('makes a chunk again that somebody has deleted, an hour later at the latest', async () => {
    const [path = ''] = paths();
    await eraseFromSnapshots(db.path, [{ list: 'scammers', entryId: readChunks('scammers')[0]?._id ?? '' }]);
    expect(existsSync(fileOf(path))).toBe(false);
    const earlier = { ...manifest(), generatedAt: new Date(Date.now() - 3_600_000).toISOString() };
    writeFileSync(join(snapshotsFolder(db.path), 'manifest.json'), JSON.stringify(earlier));
    await importRecords(db, 'legit', [makeRecord()]);
    await publisher.publish();
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
    proofs: { private: true, items: [{ text: 'DOWOD_NIEPUBLICZNY' }] },
  });
  const expectErased = (): void => {
    expect(readAllFiles().join()).not.toContain(MARKER);
    for (const path of paths()) expect(existsSync(fileOf(path))).toBe(true);
  };

  beforeEach(async () => {
    await importRecords(db, 'scammers', [record, ...makeRecords(20)]);
    await publisher.publish();
  });

  it('leaves no trace in any file, however old; private proofs were never there', async () => {
    await importRecords(db, 'scammers', [{ ...record, reason: `Inny powód ${MARKER}.` }]);
    await publisher.publish();
    expect(readAllFiles().filter((text) => text.includes(MARKER))).toHaveLength(6);
    expect(readAllFiles().join()).not.toContain('DOWOD_NIEPUBLICZNY');
    removeEntry(db, 'scammers', record.id, 'request', NOW);
    expect((await publisher.publish()).erased).toBe(2);
    expectErased();
  });

  it('that is taken back stays taken back', async () => {
    removeEntry(db, 'scammers', record.id, 'mistake', NOW);
    await importRecords(db, 'scammers', [{ ...record, name: 'wrócił', reason: 'Powód.' }]);
    await publisher.publish();
    expectErased();
    expect(readChunks('scammers').map(({ name }) => name)).toContain('wrócił');
  });

  it('happens even when nothing can be published', async () => {
    removeEntry(db, 'scammers', record.id, 'request', NOW);
    const reason = new Error('the worker ends');
    await expect(publishSnapshots(db.path, AbortSignal.abort(reason))).rejects.toThrow(reason);
    expect(readAllFiles().join()).not.toContain(MARKER);
    await publisher.publish();
    expectErased();
  });
});

describe('another history', () => {
  it('makes everything anew and keeps nothing of the old', async () => {
    await importRecords(db, 'scammers', [makeRecord({ name: 'z dawnej historii' })]);
    await publisher.publish();
    const { cursor } = manifest();
    const [id = ''] = readChunks('scammers').map((entry) => entry.id);
    removeEntry(db, 'scammers', id, 'other', NOW);
    renewHistory(db);
    await publisher.publish();
    expect(manifest().cursor).not.toBe(cursor);
    expect(readAllFiles().join()).not.toContain('z dawnej historii');
  });

  it('is what a manifest that cannot be read or is of another format begins', async () => {
    await importRecords(db, 'scammers', makeRecords(3));
    await publisher.publish();
    for (const text of ['', '{', '{"formatVersion":2,"lists":{}}', '{"formatVersion":1,"lists":{}}', 'null']) {
      writeFileSync(join(snapshotsFolder(db.path), 'manifest.json'), text);
      await publisher.publish();
      expect(readChunks('scammers'), text).toHaveLength(3);
    }
    expect(globSync('manifest*', { cwd: snapshotsFolder(db.path) })).toHaveLength(3);
  });
});
