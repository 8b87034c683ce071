/**
 * This tells systemd, through `systemd-notify` (the unit has NotifyAccess=all), that the service is ready, that it ends,
 * and, where the unit has a WatchdogSec, that the web process serves. The supervisor replaces one that hangs.
 */
import { execFile } from 'node:child_process';
import { readServiceManager } from '../environment.ts';
import type { Log } from '../log.ts';

/** @param log gets one line when systemd cannot be reached */
export function createServiceManager(log: Log, isServing: () => boolean) {
  const { isThere, watchdogMs } = readServiceManager();
  let told = false;
  let watch: NodeJS.Timeout | undefined;
  const notify = (...states: string[]): void => {
    if (!isThere) return;
    execFile('systemd-notify', states, (error) => {
      if (!error || told) return;
      told = true;
      const reason = typeof error.code === 'number' ? `exit code ${error.code}` : error.message;
      log.error({ reason }, 'systemd-notify does not work: systemd is not told how the service is');
    });
  };
  return {
    /** The web process listens; called again after its restart. */
    ready({ host, port }: { host: string; port: number }): void {
      notify('--ready', `--status=serving on ${host}:${port}`);
      if (watchdogMs === undefined) return;
      // A restart of the web process may miss some of them.
      watch ??= setInterval(() => isServing() && notify('WATCHDOG=1'), watchdogMs / 4);
    },
    ending(): void {
      clearInterval(watch);
      notify('STOPPING=1');
    },
  };
}
