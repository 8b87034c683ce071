/**
 * The output of `systemctl show --property=LoadState,ActiveState,SubState,ActiveEnterTimestampMonotonic,MemoryCurrent,CPUUsageNSec -- UNIT`
 * recorded from systemd 252 (252.39-1~deb12u2, Debian 12) that ran as PID 1 of namespaces of its own, on the
 * hybrid hierarchy of control groups. It prints the properties in an order of its own.
 */
export const SYSTEMCTL_SHOW = {
  /** A loop in a shell, with `CPUAccounting=yes` and `MemoryAccounting=yes`; at 11857.41 s since the start of the machine. */
  running: show('loaded active running', { memory: 946176, cpu: 3282123181, entered: 11775203807 }),
  /** The same three seconds later, at 11860.42 s; /proc told 10.2 % for such seconds. */
  runningLater: show('loaded active running', { memory: 1200128, cpu: 3605855937, entered: 11775203807 }),
  /** Within the second of its start; the processor is not counted. */
  justStarted: show('loaded active running', { memory: 258048, entered: 11775164499 }),
  /** With `CPUAccounting=no` and `MemoryAccounting=no`. */
  uncounted: show('loaded active running', { entered: 11773008703 }),
  /** After `systemctl stop`. */
  stopped: show('loaded inactive dead'),
  /** It ignores SIGTERM. */
  stopping: show('loaded deactivating stop-sigterm', { memory: 638976, entered: 11773014515 }),
  /** `Type=oneshot` with `RemainAfterExit=yes`. */
  oneshot: show('loaded active exited', { entered: 11773015668 }),
  /** `/bin/false`. */
  failed: show('loaded failed failed', { entered: 11773026788 }),
  /** `/bin/false` with `Restart=always`, between two attempts: it has been "entered" before. */
  restarting: show('loaded activating auto-restart', { entered: 11773028320 }),
  /** `Type=notify` that never notifies. */
  starting: show('loaded activating start', { memory: 253952 }),
  masked: show('masked inactive dead'),
  unknownUnit: show('not-found inactive dead'),
};

interface Numbers {
  readonly memory?: number | string;
  readonly cpu?: number | string;
  readonly entered?: number;
}

/** @param states LoadState, ActiveState and SubState */
function show(states: string, numbers: Numbers = {}): string {
  const { memory = '[not set]', cpu = '[not set]', entered = 0 } = numbers;
  const [load, active, sub] = states.split(' ');
  return `MemoryCurrent=${memory}
CPUUsageNSec=${cpu}
LoadState=${load}
ActiveState=${active}
SubState=${sub}
ActiveEnterTimestampMonotonic=${entered}
`;
}
