/** How a process of ours ends: once, in order, whoever asks and however often. */
import { flushCompileCache } from 'node:module';
import type { Log } from './log.ts';

/** Longer than any drain; then the process ends whatever it still does. */
const END_DEADLINE_MS = 9_500;
/** Modules that are loaded by then are in the compile cache of the next process. */
const CODE_KEPT_AFTER_MS = 2_000;

/**
 * SIGTERM, SIGINT and the loss of the parent are one request to end, however many of them come.
 * @param end finishes the work in flight
 */
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
  // Only a child of scripts/supervisor.ts has a channel; its end means that the supervisor is gone.
  process.on('disconnect', () => begin('disconnect'));
}

/** A bug that nobody caught leaves the process in an unknown state: log it and end; the supervisor starts anew. */
export function crashOnBug(log: Log): void {
  const crash = (error: unknown): void => {
    log.fatal({ err: error }, 'crashed');
    process.exit(70);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}

/** Tells the supervisor, if there is one, that this process serves. */
export function reportReady(facts: object): void {
  process.send?.({ ready: facts });
  // Node itself would keep it only at an end in order.
  setTimeout(flushCompileCache, CODE_KEPT_AFTER_MS).unref();
}

/** A process that cannot start says why in one sentence, without a stack. */
export function refuseToStart(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
