import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openReader } from '#src/db/reader.ts';
import { createDatabaseCheck, WRITE_COUNTS_MS, type CheckDatabase } from '#src/status/check-database.ts';
import { createStatusReader } from '#src/status/read-status.ts';
import { recordSample, writeProbe } from '#src/status/record-sample.ts';
import type { Status } from '#src/status/status.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const NOTHING_WRITTEN = /no worker has written/;

async function makePlace() {
  const db = await makeDatabase();
  const clock = { now: 5_000_000 };
  const reader = openReader(db.path, () => {});
  const check: CheckDatabase = createDatabaseCheck(reader, () => clock.now);
  return { db, clock, reader, check };
}

describe('the database is well', () => {
  it('when it can be read, for as long after the start as a write counts', async () => {
    const { clock, check } = await makePlace();
    expect(check()).toBe(WRITE_COUNTS_MS);
    clock.now += WRITE_COUNTS_MS - 1;
    expect(check()).toBe(1);
    clock.now += 1;
    expect(check).toThrow(NOTHING_WRITTEN);
  });

  it('while the last write of the worker counts, whatever the wall clock says', async () => {
    const { db, clock, check } = await makePlace();
    clock.now += 10 * WRITE_COUNTS_MS;
    expect(check).toThrow(NOTHING_WRITTEN);
    db.write((tx) => writeProbe(tx, Date.now() - 86_400_000, clock.now - 10_000));
    expect(check()).toBe(WRITE_COUNTS_MS - 10_000);
    clock.now += WRITE_COUNTS_MS;
    expect(check).toThrow(NOTHING_WRITTEN);
  });

  it('not by a write from before the machine started anew', async () => {
    const { db, clock, check } = await makePlace();
    db.write((tx) => writeProbe(tx, Date.now(), clock.now + 40 * WRITE_COUNTS_MS));
    clock.now += WRITE_COUNTS_MS;
    expect(check).toThrow(NOTHING_WRITTEN);
  });
});

describe('the database is not well', () => {
  it('when its file was removed', async () => {
    const { db, check } = await makePlace();
    rmSync(db.path);
    expect(check).toThrow(db.path);
  });

  it('when another file took its place, and well when it is back', async () => {
    const { db, check } = await makePlace();
    renameSync(db.path, `${db.path}.away`);
    copyFileSync(`${db.path}.away`, db.path);
    expect(check).toThrow('another file');
    renameSync(`${db.path}.away`, db.path);
    expect(check()).toBe(WRITE_COUNTS_MS);
  });
});

describe('the status', () => {
  const notAsked = (): Promise<Status> => Promise.reject(new Error('not asked'));
  const sampleOf = (at: number): Status => ({
    checks: [{ id: 'database', ok: true, latencyMs: 3 }],
    bots: [],
    checkedAt: new Date(at).toISOString(),
  });

  it('does not repeat what a fresh sample says of a database that is gone since', async () => {
    const { db, reader, check } = await makePlace();
    db.write((tx) => recordSample(tx, sampleOf(Date.now())));
    const read = createStatusReader(reader, notAsked, check);
    expect(await read()).toMatchObject({ status: { checks: [{ ok: true }] }, ttlSeconds: 15 });
    rmSync(db.path);
    expect(await read()).toMatchObject({ status: { checks: [{ ok: false, latencyMs: 3 }] } });
  });

  it('is kept no longer than the write that it rests on counts', async () => {
    const { db, clock, reader, check } = await makePlace();
    const now = Date.now();
    db.write((tx) => recordSample(tx, sampleOf(now - 5_000)));
    clock.now += WRITE_COUNTS_MS - 4_000;
    const read = createStatusReader(reader, notAsked, check, () => now);
    const status = { checks: [{ ok: true }] };
    expect(await read()).toMatchObject({ status, ageMs: 5_000, ttlSeconds: 5 + 4 });
  });
});
