/** Further tests of `npm start` beside journeys/service.test.ts: a kill, its memory, and why it may refuse to start. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startProcess } from '../../support/start-process.ts';
import { childrenOf, isAlive, makePlace, untilStarted } from '../../support/start-service.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const ROOT = join(import.meta.dirname, '../../..');

it('leaves no process behind when it is killed itself', async () => {
  const start = makePlace().start();
  await untilStarted(start);
  const pids = Object.values(childrenOf(start));
  start.child.kill('SIGKILL');
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 20_000, interval: 50 });
});

it('keeps the supervisor small, with nothing compiled before', async () => {
  const start = makePlace().start({ settings: { NODE_COMPILE_CACHE: '' } });
  await untilStarted(start);
  const [, kilobytes = ''] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${start.pid}/status`, 'utf8')) ?? [];
  expect(Number(kilobytes) / 1024).toBeLessThanOrEqual(60);
});

it.each<[string, RegExp, (folder: string) => Record<string, string>]>([
  [
    'beside folders that an earlier one has left',
    /there is no database \S+, but beside it search\.db, snapshots, proofs/,
    (folder) => {
      for (const name of ['search.db', 'snapshots', 'proofs'])
        mkdirSync(join(folder, 'data', name), { recursive: true });
      return {};
    },
  ],
  [
    'when the backup folder is a link',
    /^wrong settings:\n {2}BACKUP_FOLDER=.*: .* is a symbolic link/,
    (folder) => {
      symlinkSync(makeFolder(), join(folder, 'backups'));
      return { BACKUP_FOLDER: join(folder, 'backups') };
    },
  ],
])('ends with 2 and makes no database %s', async (_when, problem, prepare) => {
  const place = makePlace();
  const { code, stderr } = await place.start({ settings: prepare(place.folder) }).ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(problem);
  expect(existsSync(place.databasePath)).toBe(false);
});

it('says what to do when the site is not built, and makes no database', async () => {
  const place = makePlace();
  // The checkout without its dist folder.
  const checkout = join(place.folder, 'checkout');
  mkdirSync(checkout);
  for (const name of ['scripts', 'src', 'db', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, name), join(checkout, name));
  const start = startProcess(join(checkout, 'scripts/start.mjs'), {
    cwd: place.folder,
    nodeArgs: ['--preserve-symlinks', '--preserve-symlinks-main'],
    settings: { DATABASE_PATH: place.databasePath },
  });
  const stderr = 'cannot start: the site is not built: run "npm run build" first\n';
  expect(await start.ended).toEqual({ code: 2, signal: null, stderr });
  expect(existsSync(place.databasePath)).toBe(false);
});
