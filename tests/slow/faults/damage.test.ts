import { spawnSync } from 'node:child_process';
import {
  closeSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Finding } from '#src/operator/doctor/finding.ts';
import { startFaultyService } from '../../support/faulty-service.ts';
import { trials } from '../../support/trials.ts';

const LASTS_MS = trials(1_000, 10_000);
const TIMEOUT = { timeout: 240_000 };

function overwriteHalf(path: string): void {
  const { size } = statSync(path);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(size / 2, 0xff), 0, undefined, size / 4);
  closeSync(file);
}

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  'is emptied': (path) => truncateSync(path, 0),
  'has half of it overwritten': overwriteHalf,
  'is cut in half': (path) => truncateSync(path, statSync(path).size / 2),
  'loses its WAL': (path) => rmSync(`${path}-wal`),
};

it.each(Object.entries(DAMAGES).slice(0, trials(2, 4)))(
  'a database that %s gives no wrong answer, and a backup brings it back',
  TIMEOUT,
  async (_, harm) => {
    const service = await startFaultyService();
    const { operator } = service;
    expect(await service.write()).toBe(true);
    await operator.succeed('backup', 'saved');
    harm(operator.databasePath);
    await setTimeout(LASTS_MS);
    await service.stop();
    for (const end of ['', '-wal', '-shm']) rmSync(operator.databasePath + end, { force: true });
    await operator.succeed('restore', 'saved', '--without-removed', '--yes');
    await service.start();
    await service.expectRecovery();
  },
);

it.each([
  ['deleted', (path: string) => rmSync(path)],
  ['deleted with its WAL', (path: string) => ['', '-wal', '-shm'].forEach((end) => rmSync(path + end))],
  ['moved', (path: string) => renameSync(path, join(dirname(path), '..', 'mine'))],
  [
    'deleted, and another put in its place',
    (path: string) => {
      rmSync(path);
      writeFileSync(path, '');
    },
  ],
])('a database %s under the service is saved as doctor says', TIMEOUT, async (_what, harm) => {
  const service = await startFaultyService();
  const { operator } = service;
  expect(await service.write()).toBe(true);
  harm(operator.databasePath);
  const { stdout } = await operator.run(['doctor', '--json']);
  const findings = (JSON.parse(stdout) as Finding[]).filter(({ state }) => state === 'wrong');
  const [lost] = findings.filter(({ says }) => /was (?:deleted or moved|replaced), and/.test(says));
  expect(lost?.todo).toMatch(/^do not (?:stop or restart anything|restart the service yet)\./);
  const others = findings.filter((found) => found !== lost && found.about !== 'settings');
  for (const { todo } of others) expect(todo ?? '').not.toMatch(/restart|start the service|DATABASE_PATH/);
  const commands = (lost?.todo ?? '').split('\n').filter((line) => line.startsWith('  '));
  const run = (script: string) => spawnSync('sh', ['-ec', script], { encoding: 'utf8' });
  expect(run(commands.join('\n'))).toMatchObject({ status: 0, stderr: '' });

  await service.stop();
  const [moves = ''] = /mv \S+ \S+ && mv \S+ \S+(?=,)/.exec(lost?.todo ?? '') ?? [];
  expect(run(moves)).toMatchObject({ status: 0, stderr: '' });
  await service.start();
  await service.expectRecovery();
});
