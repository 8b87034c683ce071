/**
 * This tells systemd, through `systemd-notify` (the unit has NotifyAccess=all), that the service is ready, that it ends,
 * and, where the unit has a WatchdogSec, that the web process answers.
 */
import { spawn } from 'node:child_process';
import { readServiceManager } from '#src/config.ts';
import type { Log } from '#src/log.ts';

/** A web process that has not answered within this time is not alive. */
const ANSWER_MS = 10_000;

export interface ServiceManager {
  /** The web process listens; called again after its restart. */
  ready(address: { host: string; port: number }): void;
  ending(): void;
}

/** @param log gets one line when systemd cannot be reached */
export function createServiceManager(log: Log): ServiceManager {
  const { isThere, watchdogMs } = readServiceManager();
  let told = false;
  let watch: NodeJS.Timeout | undefined;
  const notify = (...states: string[]): void => {
    if (!isThere) return;
    const fail = (reason: unknown): void => {
      if (!told)
        log.error({ reason }, 'systemd-notify does not work: systemd is not told how the service is');
      told = true;
    };
    const child = spawn('systemd-notify', states, { stdio: 'ignore' });
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code) => {
      if (code !== 0) fail(`exit code ${code}`);
    });
  };
  return {
    ready({ host, port }) {
      // A web process that hung is ended by the supervisor first, and its successor has as long again.
      notify('--ready', `--status=serving on ${host}:${port}`, 'WATCHDOG=1');
      clearInterval(watch);
      if (watchdogMs === undefined) return;
      watch = setInterval(() => {
        void isAlive(host, port).then((alive) => alive && notify('WATCHDOG=1'));
      }, watchdogMs / 2);
    },
    ending() {
      clearInterval(watch);
      notify('STOPPING=1');
    },
  };
}

async function isAlive(host: string, port: number): Promise<boolean> {
  // A service that listens on all addresses listens on this one.
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  const address = `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}/healthz`;
  try {
    return (await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS) })).ok;
  } catch {
    return false;
  }
}
