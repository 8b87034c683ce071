/** The worker's daily backup: made, verified, told of, restored on another machine. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { findNewestBackup } from '#src/backups/newest-backup.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makePhoto } from '../../support/make-image.ts';
import { listEverything } from '../../support/list-everything.ts';
import { makeCommandLine, type Operator } from '../../support/run-czujka.ts';
import { startProcess, type RunningProcess } from '../../support/start-process.ts';

const WORKER = join(import.meta.dirname, '../../../src/worker/main.ts');

let operator: Operator;
let folder: string;
let record: ReturnType<typeof makeRecord>;

function startWorker(): RunningProcess {
  return startProcess(WORKER, {
    cwd: operator.folder,
    settings: { DATABASE_PATH: operator.databasePath, BACKUP_FOLDER: folder, LOG_LEVEL: 'debug' },
  });
}

function backups(): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.db.zst'));
}

beforeAll(async () => {
  operator = makeCommandLine();
  folder = join(operator.folder, 'backups');
  operator.file('shot.jpg', await makePhoto());
  record = makeRecord({ proofs: { private: false, items: [{ file: 'shot.jpg' }] } });
  await operator.succeed('import', operator.file('in.ndjson', [record]), '--list', 'scammers');
  await operator.succeed(
    ...'entry add 77 --odd-id --list servers --name srv --reason stary --risk'.split(' '),
  );
});

describe('the daily backup', () => {
  it('is made when the worker finds none, for its user alone, and told of', async () => {
    const worker = startWorker();
    expect(await worker.logged({ job: 'backup', msg: 'job ended' })).toMatchObject({
      entries: 2,
      lostProofs: 0,
      removed: 0,
    });
    worker.child.kill('SIGTERM');
    await worker.ended;
    const [file = ''] = backups();
    expect(file).toMatch(/^czujka-\d{8}T\d{6}Z\.db\.zst$/);
    const names = readdirSync(folder, { recursive: true, withFileTypes: true });
    expect(names.filter((name) => name.isFile() && name.name.startsWith('.part'))).toEqual([]);
    for (const name of names.filter((found) => found.isFile()))
      expect(statSync(join(name.parentPath, name.name)).mode & 0o077, name.name).toBe(0);
    expect(readdirSync(join(folder, 'proofs'))).toHaveLength(1);
    const newest = operator.read(findNewestBackup);
    expect(Math.abs(Date.now() - Number(newest))).toBeLessThan(120_000);
  });

  it('is not made twice for one day, and its list of removals follows at once', async () => {
    const worker = startWorker();
    await worker.logged({ job: 'backup', msg: 'job ended' });
    expect(backups()).toHaveLength(1);
    await operator.succeed('entry', 'edit', '77', '--list', 'servers', '--redact', '--reason', 'nowy');
    await operator.succeed('entry', 'remove', record.id, '--list', 'scammers', '--reason', 'request');
    const copy = join(folder, 'removed.ndjson');
    await expect
      .poll(() => (existsSync(copy) ? readFileSync(copy, 'utf8') : ''), { timeout: 20_000 })
      .toContain('"what":"entry"');
    expect(readFileSync(copy, 'utf8')).toBe(
      readFileSync(join(operator.folder, 'data/removed.ndjson'), 'utf8'),
    );
    worker.child.kill('SIGTERM');
    await worker.ended;
  });

  it('brings nothing back that was removed since, on the same machine and on a new one', async () => {
    const file = join(folder, backups()[0] ?? '');
    const expectWithdrawn = (place: Operator): void => {
      const text = JSON.stringify(place.read(listEverything));
      expect(text).not.toContain(record.id);
      expect(text).not.toContain('stary');
      expect(text).toContain('Opis tego wpisu nie zachował się');
    };
    expect((await operator.run(['restore', file, '--yes'])).stderr).toContain('not brought back: 1 entry');
    expectWithdrawn(operator);
    expect(readdirSync(join(operator.folder, 'data/proofs/originals'))).toEqual([]);

    const machine = makeCommandLine();
    const refused = await machine.run(['restore', file]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('--removed FILE');
    expect(existsSync(machine.databasePath)).toBe(false);
    await machine.succeed('restore', file, '--removed', join(folder, 'removed.ndjson'));
    expectWithdrawn(machine);
    // Its own list knows by now, and so does a second restore.
    await machine.succeed('restore', file, '--yes');
    expectWithdrawn(machine);

    const careless = makeCommandLine();
    await careless.succeed('restore', file, '--without-removed');
    expect(JSON.stringify(careless.read(listEverything))).toContain(record.id);
    expect(readdirSync(join(careless.folder, 'data/proofs/public')).length).toBeGreaterThan(0);
  });

  it('also keeps a fresh database on a new machine from being taken for the old one', async () => {
    const machine = makeCommandLine();
    await machine.succeed('migrate');
    const { code, stderr } = await machine.run(['restore', join(folder, backups()[0] ?? '')]);
    expect(code).toBe(1);
    expect(stderr).toContain('nothing here knows what was removed');
  });

  it('is refused when it is damaged, and when the list of removals is', async () => {
    const file = join(folder, backups()[0] ?? '');
    const broken = join(operator.folder, 'broken');
    const machine = makeCommandLine();
    machine.file('removed.ndjson', '{"what":"everything"}\n');
    expect(await machine.run(['restore', file, '--removed', 'removed.ndjson'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('removed.ndjson:1: is no removal') as string,
    });
    const bytes = readFileSync(file);
    operator.file('broken/x', '');
    const name = backups()[0] ?? '';
    const middle = Math.floor(bytes.length / 2);
    bytes.fill(0x55, middle, middle + 64);
    writeFileSync(join(broken, name), bytes);
    writeFileSync(
      join(broken, name.replace('.db.zst', '.json')),
      readFileSync(join(folder, name.replace('.db.zst', '.json'))),
    );
    const { code, stderr } = await machine.run(['restore', join(broken, name), '--without-removed']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('is damaged') as string });
    expect(existsSync(machine.databasePath)).toBe(false);
  });

  it('replaces those that have had their time, with the proofs that only they had', async () => {
    const [file = ''] = backups();
    const old = 'czujka-20200101T041000Z';
    const manifest = JSON.parse(
      readFileSync(join(folder, file.replace('.db.zst', '.json')), 'utf8'),
    ) as object;
    rmSync(join(folder, file));
    rmSync(join(folder, file.replace('.db.zst', '.json')));
    writeFileSync(join(folder, `${old}.db.zst`), 'x');
    writeFileSync(
      join(folder, `${old}.json`),
      JSON.stringify({ ...manifest, madeAt: '2020-01-01T04:10:00.000Z' }),
    );
    writeFileSync(join(folder, 'czujka-20200202T041000Z.db.zst'), 'no manifest');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const worker = startWorker();
    expect(await worker.logged({ job: 'backup', msg: 'job ended' })).toMatchObject({
      entries: 1,
      removed: 1,
    });
    worker.child.kill('SIGTERM');
    await worker.ended;
    expect(backups()).toHaveLength(1);
    expect(backups()[0]).not.toContain('2020');
    expect(readdirSync(join(folder, 'proofs'))).toEqual([]);
    expect(existsSync(join(folder, 'notes.txt'))).toBe(true);
    const db = openDatabase(operator.databasePath, 'read');
    expect(findNewestBackup(db)).toBeGreaterThan(Date.parse('2021-01-01'));
    db.close();
  });
});
