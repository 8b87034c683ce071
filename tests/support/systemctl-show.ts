/**
 * The output of `systemctl show --property=LoadState,ActiveState,SubState,InvocationID,ActiveEnterTimestampMonotonic,MemoryCurrent,CPUUsageNSec -- UNIT`
 * recorded from systemd 252 (252.39-1~deb12u2, Debian 12) that ran as PID 1 of namespaces of its own, on the
 * hybrid hierarchy of control groups. It prints the properties in an order of its own.
 */
export const SYSTEMCTL_SHOW = {
  /** A loop in a shell, with `CPUAccounting=yes` and `MemoryAccounting=yes`; at 11857.41 s since the start of the machine. */
  running: `MemoryCurrent=946176
CPUUsageNSec=3282123181
LoadState=loaded
ActiveState=active
SubState=running
ActiveEnterTimestampMonotonic=11775203807
InvocationID=68f34a505d5d469d8e7c733df0a45b3f
`,
  /** The same three seconds later, at 11860.42 s; /proc told 10.2 % for such seconds. */
  runningLater: `MemoryCurrent=1200128
CPUUsageNSec=3605855937
LoadState=loaded
ActiveState=active
SubState=running
ActiveEnterTimestampMonotonic=11775203807
InvocationID=68f34a505d5d469d8e7c733df0a45b3f
`,
  /** Within the second of its start; the processor is not counted. */
  justStarted: `MemoryCurrent=258048
CPUUsageNSec=[not set]
LoadState=loaded
ActiveState=active
SubState=running
ActiveEnterTimestampMonotonic=11775164499
InvocationID=c5f74ba1c9334f4db0b78d9d0165f3fc
`,
  /** With `CPUAccounting=no` and `MemoryAccounting=no`. */
  uncounted: `MemoryCurrent=[not set]
CPUUsageNSec=[not set]
LoadState=loaded
ActiveState=active
SubState=running
ActiveEnterTimestampMonotonic=11773008703
InvocationID=ce07b7eec47d4303bb1e7d5e1aec48c4
`,
  /** After `systemctl stop`. */
  stopped: `MemoryCurrent=[not set]
CPUUsageNSec=[not set]
LoadState=loaded
ActiveState=inactive
SubState=dead
ActiveEnterTimestampMonotonic=0
InvocationID=
`,
  /** It ignores SIGTERM. */
  stopping: `MemoryCurrent=638976
CPUUsageNSec=[not set]
LoadState=loaded
ActiveState=deactivating
SubState=stop-sigterm
ActiveEnterTimestampMonotonic=11773014515
InvocationID=ce916647a48943cf89af3d544e932e4c
`,
  /** `Type=oneshot` with `RemainAfterExit=yes`. */
  oneshot: `MemoryCurrent=[not set]
CPUUsageNSec=[not set]
LoadState=loaded
ActiveState=active
SubState=exited
ActiveEnterTimestampMonotonic=11773015668
InvocationID=ddd0aee5bb654cf5afe3bd0e16c4fd69
`,
  /** `/bin/false`. */
  failed: `MemoryCurrent=[not set]
CPUUsageNSec=[not set]
LoadState=loaded
ActiveState=failed
SubState=failed
ActiveEnterTimestampMonotonic=11773026788
InvocationID=7cb79604a4774d1f9422bef6b2e28703
`,
  /** `/bin/false` with `Restart=always`, between two attempts: it has been "entered" before. */
  restarting: `MemoryCurrent=[not set]
CPUUsageNSec=[not set]
LoadState=loaded
ActiveState=activating
SubState=auto-restart
ActiveEnterTimestampMonotonic=11773028320
InvocationID=de0bda938aff414db633382b1ccf5881
`,
  /** `Type=notify` that never notifies. */
  starting: `MemoryCurrent=253952
CPUUsageNSec=[not set]
LoadState=loaded
ActiveState=activating
SubState=start
ActiveEnterTimestampMonotonic=0
InvocationID=9442bdb34caf48d4b4e195d00caafca6
`,
  masked: `MemoryCurrent=[not set]
CPUUsageNSec=[not set]
LoadState=masked
ActiveState=inactive
SubState=dead
ActiveEnterTimestampMonotonic=0
InvocationID=
`,
  unknownUnit: `MemoryCurrent=[not set]
CPUUsageNSec=[not set]
LoadState=not-found
ActiveState=inactive
SubState=dead
ActiveEnterTimestampMonotonic=0
InvocationID=
`,
} as const;
