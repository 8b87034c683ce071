/** Others hold the database: a lock, a read that does not end, a second and a third worker. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { LEASE_MS } from '#src/worker/worker.ts';
import { openDatabase } from '#src/db/database.ts';
import { describeLongWal } from '#src/db/truncate-wal.ts';
import { endProcess, startWorker } from '../bench/processes.ts';
import { seconds, toScenario, until } from './fault.ts';
import type { Fault } from './fault.ts';

const LOCKED_MS = { full: 30_000, quick: 7_000 };
const READ_MS = { full: 600_000, quick: 5_000 };
const SHORT_AGAIN_MS = 70_000;
const SHORT_BYTES = 1024 * 1024;

const locked: Fault = {
  name: 'another process holds the write lock',
  async happen({ databasePath, writer, isQuick }) {
    const db = openDatabase(databasePath, 'write');
    db.connection.exec('BEGIN EXCLUSIVE');
    const writing = writer.write();
    await setTimeout(isQuick ? LOCKED_MS.quick : LOCKED_MS.full);
    db.connection.exec('ROLLBACK');
    db.close();
    return `an import meanwhile ${(await writing) ? 'waited' : 'gave up and said so'}`;
  },
};

const stuck: Fault = {
  name: 'a read of another process does not end',
  async happen({ databasePath, service, writer, isQuick }) {
    const db = openDatabase(databasePath, 'read');
    db.connection.exec('BEGIN');
    db.statement('SELECT count(*) FROM entries').get();
    const lastsMs = isQuick ? READ_MS.quick : READ_MS.full;
    for (const begun = performance.now(); performance.now() - begun < lastsMs;) {
      assert(await writer.write({ entries: 200 }), 'an import failed');
      await setTimeout(isQuick ? 0 : 5_000);
    }
    const walBytes = (): number => statSync(`${databasePath}-wal`).size;
    const grown = walBytes();
    const isLong = describeLongWal(databasePath) !== undefined;
    const isTold = service.takeLog().some((line) => line.includes('-wal has grown to'));
    db.connection.exec('COMMIT');
    db.close();
    assert(!isLong || isTold, `the log has grown to ${megabytes(grown)}, and nobody is told of it`);
    const tookMs = await until(() => walBytes() <= SHORT_BYTES, SHORT_AGAIN_MS, 'the log stays long');
    return `the log grew to ${megabytes(grown)}${isTold ? ', which is told' : ''}, and is short again after ${seconds(tookMs)}`;
  },
};

const workers: Fault = {
  name: 'three workers, and the one that acts is stopped',
  async happen({ databasePath, service }) {
    const others = [startWorker(databasePath), startWorker(databasePath)];
    try {
      for (const { stdout } of others) stdout.resume();
      const db = openDatabase(databasePath, 'read');
      const token = () =>
        db.statement<number>("SELECT token FROM leases WHERE name = 'worker'").pluck().get();
      const before = token();
      process.kill(service.pidOf('worker'), 'SIGSTOP');
      const tookMs = await until(() => token() !== before, 2 * LEASE_MS, 'nobody takes over');
      process.kill(service.pidOf('worker'), 'SIGCONT');
      db.close();
      return `another one took over after ${(tookMs / 1_000).toFixed(1)} s`;
    } finally {
      await Promise.all(others.map(endProcess));
    }
  },
};

export const locks = toScenario('locks', 'F8–F10', [locked, stuck, workers]);

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
