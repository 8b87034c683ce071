// Needs: faketime
/** A wrong clock, for one start and back, with real processes: nothing is lost, and what it left goes again. */
import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { listBackups } from '#src/backups/backup-files.ts';
import { makeBackup } from '#src/backups/make-backup.ts';
import { storeReplaced, listReplacedIds } from '#src/changes/undo-file.ts';
import { markOwnFolder } from '#src/db/own-folder.ts';
import { findEdge } from '#src/db/retention-time.ts';
import type { Finding } from '#src/operator/doctor/finding.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { startProcess } from '../../support/start-process.ts';
import { trials } from '../../support/trials.ts';

const DAY = 86_400_000;
/** The program `faketime` would be a process of its own, which passes no signal on. */
const FAKED = {
  LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
  DONT_FAKE_MONOTONIC: '1',
  NO_FAKE_STAT: '1',
};
const ROOT = join(import.meta.dirname, '../../..');
const LAST = ['backup', 'prune', 'prune-changes', 'status-history', 'status'];

/** A service of some months: nine daily backups, a history of 60 days, an import to take back, a copy from an update. */
async function makeServed() {
  const operator = makeCommandLine();
  const folder = join(operator.folder, 'backups');
  const [dataFolder, now] = [dirname(operator.databasePath), Date.now()];
  await operator.fill('scammers', makeRecord(), makeRecord());
  for (let days = 9; days > 0; days -= 1)
    await makeBackup({ databasePath: operator.databasePath, folder, now: now - days * DAY });
  operator.write((db) => {
    const period = db.statement(
      "INSERT INTO status_periods (seconds, at, part, samples, ok, slow) VALUES (?, ?, 'main_bot', 1, 1, 0)",
    );
    for (let hours = 0; hours < 60 * 24; hours += 1) period.run(3_600, now - (hours * DAY) / 24);
    for (let minutes = 0; minutes < 24 * 60; minutes += 5) period.run(300, now - minutes * 60_000);
    const update = db.statement(
      "INSERT INTO changes (list, entry_id, op, at) SELECT list, entry_id, 'updated', ? FROM entries",
    );
    for (const at of [now - 80 * DAY, now]) update.run(at);
  });
  storeReplaced(operator.databasePath, 'import', now - 25 * DAY, [{ entryId: 'a', record: '{}', files: {} }]);
  const copy = join(dataFolder, 'before-0006');
  mkdirSync(copy);
  markOwnFolder(copy);
  utimesSync(copy, (now - 4 * DAY) / 1_000, (now - 4 * DAY) / 1_000);

  const settings = { DATABASE_PATH: operator.databasePath, BACKUP_FOLDER: folder, LOG_LEVEL: 'debug' };
  /** @param days by which its clock is ahead */
  const start = (file: string, days: number, args: readonly string[] = []) => {
    const faked = days === 0 ? {} : { ...FAKED, FAKETIME: `+${days}d` };
    return startProcess(join(ROOT, file), {
      cwd: operator.folder,
      settings: { ...settings, ...faked },
      args,
    });
  };
  return {
    operator,
    /** One start of the worker, until each of its jobs has run. */
    async work(days: number, jobs = LAST): Promise<void> {
      const worker = start('src/worker/main.ts', days);
      for (const job of jobs) await worker.logged({ job, msg: 'job ended' });
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toMatchObject({ code: 0, stderr: '' });
    },
    verb: (days: number, ...args: string[]) => start('scripts/czujka.ts', days, args).ended,
    backups: (): number[] => listBackups(folder).map(({ madeAt }) => Math.round((madeAt - now) / DAY)),
    /** A wrong clock must delete none of it. */
    kept: () => ({
      rows: operator.read((db) =>
        ["status_periods WHERE part = 'main_bot'", "changes WHERE op = 'updated'"].map((rows) =>
          db.statement(`SELECT count(*) FROM ${rows}`).pluck().get(),
        ),
      ),
      replaced: listReplacedIds(operator.databasePath, 'import').size,
      copies: readdirSync(dataFolder).filter((name) => name.startsWith('before-')),
    }),
    aheadDays: (): number => operator.read((db) => ((findEdge(db)?.edge ?? 0) - Date.now()) / DAY),
    async examine(): Promise<{ text: string; wrong: string }> {
      const { stdout } = await operator.run(['doctor', '--json'], { settings });
      const found = JSON.parse(stdout) as Finding[];
      const textOf = (list: typeof found): string =>
        list.map(({ about, says }) => `${about}: ${says}`).join('\n');
      return { text: textOf(found), wrong: textOf(found.filter(({ state }) => state === 'wrong')) };
    },
  };
}

const NINE = [-1, -2, -3, -4, -5, -6, -7, -8, -9];

it(
  'a start with a clock 1,500 days ahead deletes nothing, nor does a restart loop, and its backup goes',
  { timeout: 300_000 },
  async () => {
    const served = await makeServed();
    // It is no evidence of the time, because a worker or backups are.
    const add = 'entry add 1 --odd-id --list scammers --name n --reason r'.split(' ');
    expect(await served.verb(1_500, ...add)).toMatchObject({ code: 0 });
    const before = served.kept();
    for (let times = 0; times < trials(3, 50); times += 1)
      await served.work(1_500, times === 0 ? LAST : ['status']);
    expect(served.backups()).toEqual([1_500, ...NINE]);
    expect(served.kept()).toEqual(before);
    expect(served.aheadDays()).toBeLessThanOrEqual(2);

    const { text, wrong } = await served.examine();
    expect(text).not.toMatch(/-\d+ hours/);
    expect(text).toContain('backup: the newest is 24 hours old');
    expect(wrong).toContain('backup: 1 backup dated in the future, for example czujka-20');

    await served.work(0);
    // The nine are seven days, and the newest of two or three weeks.
    expect(served.backups().slice(0, 7)).toEqual([0, ...NINE.slice(0, 6)]);
    expect(served.kept()).toEqual(before);
    expect((await served.examine()).text).toContain('backup: the newest is 0 hours old');
  },
);
