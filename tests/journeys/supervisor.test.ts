import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startProcess } from '../support/start-process.ts';
import { makeFolder } from '../support/temporary-database.ts';

const SUPERVISOR = join(import.meta.dirname, '../support/supervisor-process.ts');
/** Says that it listens, and waits for a signal or for the end of the supervisor. */
const STAND_IN = `#!/bin/sh
exec '${process.execPath}' -e 'process.send({ ready: { host: "", port: 0 } }); process.once("disconnect", process.exit)'
`;

it.each<[string, (program: string) => void]>([
  ['ENOENT, which Node emits', () => {}],
  ['ELOOP, which Node throws', (program) => symlinkSync(program, program)],
])('starts a process again that could not be started, and ends on SIGTERM: %s', async (_name, breakIt) => {
  const folder = makeFolder();
  const program = join(folder, 'node');
  const mend = (): void => {
    rmSync(program, { force: true });
    writeFileSync(program, STAND_IN, { mode: 0o700 });
  };
  const workerPid = (): number => Number(readFileSync(join(folder, 'worker.pid'), 'utf8'));
  const loseWorker = (): void => {
    rmSync(program);
    breakIt(program);
    process.kill(workerPid(), 'SIGKILL');
  };
  mend();
  const supervisor = startProcess(SUPERVISOR, { cwd: folder, args: [program, folder] });
  const cannotStart = { process: 'worker', msg: 'process cannot be started' };
  await supervisor.logged({ msg: 'web listens' });
  const first = workerPid();

  loseWorker();
  await supervisor.loggedAgain(cannotStart, 1);
  const failures = supervisor.lines.filter(({ msg }) => msg === cannotStart.msg).length;
  mend();
  await vi.waitFor(() => expect(workerPid()).not.toBe(first), { timeout: 10_000, interval: 20 });

  loseWorker();
  await supervisor.loggedAgain(cannotStart, failures);
  supervisor.child.kill('SIGTERM');
  expect(await supervisor.ended).toMatchObject({ code: 0, stderr: '' });
});
