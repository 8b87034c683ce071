import { onTestFinished } from 'vitest';
import { runProcess, type ProcessOptions, type RunningProcess } from './run-process.ts';

/** Called inside a test, with which the process ends at the latest. */
export function startProcess(file: string, options: ProcessOptions): RunningProcess {
  const running = runProcess(file, options);
  const { child, pid, ended } = running;
  onTestFinished(async () => {
    if (options.detached && child.exitCode === null && child.signalCode === null)
      process.kill(-pid, 'SIGKILL');
    child.kill('SIGKILL');
    await ended;
  });
  return running;
}
