/** A process can be killed, while SQLite's checks and copies cannot be interrupted for minutes. */
import { fork } from 'node:child_process';
import type { BackupTask } from '../backups/make-backup.ts';
import { childEnvironment } from '../environment.ts';
import { sendToParent } from '../process-end.ts';
import { nextMessage } from '../queues/next-message.ts';

export type LongTask =
  | ({ readonly task: 'backup' } & BackupTask)
  | { readonly task: 'check' | 'vacuum'; readonly databasePath: string };

type Outcome<T> = { readonly result: T } | { readonly error: unknown };

const FILE = new URL('./task-process.ts', import.meta.url);

/** @throws the task's error, or the reason of the signal, which kills the process */
export async function runTask<T>(
  task: LongTask,
  signal: AbortSignal,
  settings: Readonly<Record<string, string>> = {},
  file = FILE,
): Promise<T> {
  signal.throwIfAborted();
  const child = fork(file, {
    env: childEnvironment(settings),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    child.send(task);
    const outcome = await nextMessage<Outcome<T>>(child, signal);
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  } finally {
    child.kill('SIGKILL');
  }
}

export function answerTask<Task>(work: (task: Task) => object | Promise<object>): void {
  process.once('disconnect', () => process.exit(1));
  process.once('message', (task) => {
    Promise.try(work, task as Task).then(
      (result) => sendToParent({ result }),
      // An error of the clean-up would hide what failed first.
      (error: unknown) =>
        sendToParent({ error: error instanceof SuppressedError ? (error.suppressed as unknown) : error }),
    );
  });
}
