import { answerTask } from '#src/worker/run-task.ts';

answerTask(({ kind }: { kind: string }) => {
  using cleanup = new DisposableStack();
  if (kind === 'fail twice')
    cleanup.defer(() => {
      throw new Error('no clean-up');
    });
  if (kind.startsWith('fail')) throw new RangeError('no luck');
  if (kind === 'crash') process.exit(3);
  // As a check of SQLite does: it hears nobody.
  if (kind === 'stand') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return { kind, pid: process.pid };
});
