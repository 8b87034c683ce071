/** The orderly end of a process, once, for any number of causes. */
import { flushCompileCache } from 'node:module';
import type { Log } from './log.ts';

/** Longer than any drain; then the process exits anyway. */
const END_DEADLINE_MS = 9_500;
const ALIVE_MS = 5_000;
/** Modules loaded by then are in the compile cache of the next process. */
const COMPILE_CACHE_FLUSH_MS = 2_000;

/** SIGTERM, SIGINT and the loss of the parent process all call `end`, once. */
export function endOnSignal(log: Log, end: () => Promise<void>): void {
  let ending = false;
  const begin = (cause: string): void => {
    if (ending) return;
    ending = true;
    log.info({ cause }, 'ending');
    setTimeout(() => {
      log.error('ending took too long');
      process.exit(1);
    }, END_DEADLINE_MS).unref();
    end().then(
      () => {
        log.info('ended');
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'ending failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', begin);
  process.on('SIGINT', begin);
  // Only a child of src/supervisor/supervisor.ts has a channel, which closes when the supervisor ends.
  process.on('disconnect', () => begin('disconnect'));
}

/** An uncaught error leaves the process in an unknown state; the supervisor restarts it. */
export function crashOnBug(log: Log): void {
  const crash = (error: unknown): void => {
    log.fatal({ err: error }, 'crashed');
    process.exit(70);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}

/** Does nothing without a parent process: a failed send without a callback would crash this one while it ends. */
export function sendToParent(message: object): void {
  process.send?.(message, () => {});
}

/** Tells the supervisor, if any, that this process serves, and from then on that it lives. */
export function reportReady(facts: object): void {
  sendToParent({ ready: facts });
  setInterval(() => sendToParent({ alive: true }), ALIVE_MS).unref();
  // Node itself would write it only at an orderly exit.
  setTimeout(flushCompileCache, COMPILE_CACHE_FLUSH_MS).unref();
}

/** One sentence instead of a stack. */
export function refuseToStart(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
