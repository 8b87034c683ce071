import { answerTask } from '#src/worker/run-task.ts';

answerTask(({ kind }: { kind: string }) => {
  if (kind === 'fail') throw new RangeError('no luck');
  if (kind === 'crash') process.exit(3);
  // As a check of SQLite does: it hears nobody.
  if (kind === 'stand') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return { kind, pid: process.pid };
});
