import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOutbound } from '#src/outbound/outbound.ts';
import { createDockerSource } from '#src/status/docker-source.ts';
import { createPanelSource } from '#src/status/panel-source.ts';
import { createSystemdSource, parseShown } from '#src/status/systemd-source.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { sendJson } from '../../support/outside-answers.ts';
import { makeFolder } from '../../support/temporary-database.ts';

/* Answers after documentation and sources, which each names; with fields that nothing here reads, as real ones have. */

/** `attributes` of Pterodactyl's client API, `GET /api/client/servers/{id}/resources` (StatsTransformer.php; Pelican's has the same fields). */
const PANEL_RUNNING = {
  current_state: 'running',
  is_suspended: false,
  resources: { memory_bytes: 588_701_696, cpu_absolute: 12.417, uptime: 266_400_000 },
} as const;

/** Docker Engine API v1.57, `GET /containers/{id}/json`. */
const DOCKER_INSPECT = {
  State: {
    Status: 'running',
    Running: true,
    StartedAt: '2026-11-20T09:06:47.665065138Z',
    Health: { Status: 'healthy', FailingStreak: 0 },
  },
} as const;

/** Docker Engine API v1.57, `GET /containers/{id}/stats?stream=false` on cgroup v2. */
const DOCKER_STATS = {
  read: '2026-11-20T12:00:01.000000000Z',
  preread: '2026-11-20T12:00:00.000000000Z',
  memory_stats: { usage: 200_000_000, stats: { active_file: 1_000, inactive_file: 17_547_776 }, limit: 2e9 },
  cpu_stats: { cpu_usage: { total_usage: 10_250_000_000 }, system_cpu_usage: 804e9, online_cpus: 4 },
  precpu_stats: { cpu_usage: { total_usage: 10_000_000_000 }, system_cpu_usage: 800e9, online_cpus: 4 },
} as const;

/**
 * The same path of Podman's compatible API. It counts what the whole machine has used in place of the time that it
 * had, and does not tell the number of cores.
 */
const PODMAN_STATS = {
  read: '2026-11-20T12:00:01.000000000+01:00',
  preread: '2026-11-20T12:00:00.000000000+01:00',
  memory_stats: { usage: 50_000_000, max_usage: 60_000_000, limit: 2_000_000_000 },
  cpu_stats: { cpu_usage: { total_usage: 10_250_000_000 }, system_cpu_usage: 20_500_000_000, cpu: 3.1 },
  precpu_stats: { cpu_usage: { total_usage: 10_000_000_000 }, system_cpu_usage: 20_000_000_000, cpu: 3.1 },
} as const;

const outbound = createOutbound();
const { signal } = new AbortController();

describe('a bot in a panel', () => {
  const readWith = async (attributes: object) => {
    const panel = await startLoopbackServer(sendJson({ object: 'stats', attributes }));
    const source = createPanelSource(outbound, { url: panel.origin, key: 'ptlc_S3CRET', server: '1a2b3c4d' });
    return { panel, reading: source(signal) };
  };

  it('is read with the units of the panel', async () => {
    const { panel, reading } = await readWith(PANEL_RUNNING);
    const numbers = { uptimeMs: 266_400_000, memoryBytes: 588_701_696, cpuPercent: 12.417 };
    expect(await reading).toEqual({ state: 'running', ...numbers });
    expect(panel.requests).toEqual(['GET /api/client/servers/1a2b3c4d/resources']);
  });

  it.each([
    [{ current_state: 'starting' }, 'starting'],
    [{ current_state: 'stopping' }, 'stopping'],
    [{ current_state: 'offline' }, 'offline'],
    [{ is_suspended: true }, 'offline'],
  ])('in the state %j is %s', async (change, state) => {
    const { reading } = await readWith({ ...PANEL_RUNNING, ...change });
    expect(await reading).toMatchObject({ state });
  });

  it('is refused in another shape', async () => {
    const { reading } = await readWith({ ...PANEL_RUNNING, current_state: 'asleep' });
    await expect(reading).rejects.toThrow('another shape');
  });
});

describe('a bot in a container', () => {
  const now = Date.parse('2026-11-20T09:06:57.665Z');
  /** A quarter of a second of processor time in a second, on a machine of four cores. */
  const RUNNING = { state: 'running', uptimeMs: 10_000, cpuPercent: 25 };
  const readWith = async (inspect: unknown, stats: unknown = DOCKER_STATS) => {
    const socketPath = join(makeFolder(), 'docker.sock');
    const engine = await startLoopbackServer((request, response) => {
      if (!request.url?.includes('/stats')) return void sendJson(inspect)(request, response);
      // As Podman does it, which names no type.
      if (stats === PODMAN_STATS) response.end(JSON.stringify(stats));
      else sendJson(stats)(request, response);
    }, socketPath);
    const source = createDockerSource(outbound, { socketPath, container: 'bot' }, () => now);
    return { engine, reading: source(signal) };
  };
  const withState = (state: object) => ({ ...DOCKER_INSPECT, State: { ...DOCKER_INSPECT.State, ...state } });

  it('is read over a Unix socket, without the file cache, in percent of one core', async () => {
    const { engine, reading } = await readWith(DOCKER_INSPECT);
    expect(await reading).toEqual({ ...RUNNING, memoryBytes: 182_452_224 });
    const paths = ['json', 'stats?stream=false'];
    expect(engine.requests.toSorted()).toEqual(paths.map((path) => `GET /containers/bot/${path}`));
  });

  it.each([
    [{ Health: { Status: 'starting' } }, 'starting'],
    [{ Health: { Status: 'unhealthy' } }, 'unknown'],
    [{ Health: null }, 'running'],
    [{ Status: 'restarting' }, 'starting'],
    [{ Status: 'removing' }, 'stopping'],
    [{ Status: 'exited' }, 'offline'],
    [{ Status: 'paused' }, 'offline'],
    [{ Status: 'created' }, 'offline'],
    [{ Status: 'dead' }, 'offline'],
    // Podman's.
    [{ Health: { Status: '' } }, 'running'],
    [{ Status: 'configured' }, 'offline'],
    [{ Status: 'initialized' }, 'starting'],
    [{ Status: 'stopping' }, 'stopping'],
    [{ Status: 'stopped' }, 'offline'],
    [{ Status: 'unknown' }, 'unknown'],
  ])('in the state %j is %s', async (state, expected) => {
    const { reading } = await readWith(withState(state));
    expect((await reading).state).toBe(expected);
  });

  it('is not asked for its numbers while it is off, because Podman refuses them', async () => {
    const { engine, reading } = await readWith(withState({ Status: 'exited' }));
    expect(await reading).toMatchObject({ state: 'offline' });
    expect(engine.requests).toEqual(['GET /containers/bot/json']);
  });

  it('is read from Podman without a media type, and without the number of cores', async () => {
    const { reading } = await readWith(DOCKER_INSPECT, PODMAN_STATS);
    expect(await reading).toEqual({ ...RUNNING, memoryBytes: 50_000_000 });
  });

  it.each([
    ['there is no earlier sample', { preread: '0001-01-01T00:00:00Z' }],
    ['there is none at all', { precpu_stats: undefined }],
    ['no time is told', { read: undefined }],
    ['it has used less now', { precpu_stats: DOCKER_STATS.cpu_stats, cpu_stats: DOCKER_STATS.precpu_stats }],
  ])('uses nothing of the processor where %s', async (_why, change) => {
    const { reading } = await readWith(DOCKER_INSPECT, { ...PODMAN_STATS, ...change });
    expect((await reading).cpuPercent).toBe(0);
  });

  it('is refused in another shape', async () => {
    const { reading } = await readWith({ message: 'No such container: bot' });
    await expect(reading).rejects.toThrow('another shape');
  });
});

/**
 * The output of `systemctl show --property=LoadState,ActiveState,SubState,ActiveEnterTimestampMonotonic,MemoryCurrent,CPUUsageNSec -- UNIT`
 * as recorded from systemd 252 (252.39-1~deb12u2, Debian 12) that ran as PID 1 of namespaces of its own, on the
 * hybrid hierarchy of control groups. It prints the properties in an order of its own. This one is of a loop in a shell,
 * with `CPUAccounting=yes` and `MemoryAccounting=yes`, at 11857.41 s since the start of the machine.
 */
const RUNNING = show('loaded active running', { memory: 946176, cpu: 3282123181, entered: 11775203807 });
/** The same three seconds later, at 11860.42 s; /proc told 10.2 % for such seconds. */
const LATER = show('loaded active running', { memory: 1200128, cpu: 3605855937, entered: 11775203807 });

/** @param states LoadState, ActiveState and SubState */
function show(states: string, numbers: Partial<Record<'memory' | 'cpu' | 'entered', number | string>> = {}) {
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

describe('a bot as a systemd unit', () => {
  /** A program that prints what systemctl would; it notes how it was called. */
  const makeProgram = (outputs: readonly string[]): string => {
    const folder = makeFolder();
    outputs.forEach((output, place) => writeFileSync(join(folder, `output-${place}`), output));
    const program = join(folder, 'systemctl');
    writeFileSync(
      program,
      `#!/bin/sh\ncd ${folder}\necho "$@" >> calls\nn=$(($(wc -l < calls) - 1))\n[ -e output-$n ] || n=${outputs.length - 1}\ncat output-$n\n`,
      { mode: 0o755 },
    );
    return program;
  };

  it('uses two readings for the processor', async () => {
    const program = makeProgram([RUNNING, LATER]);
    const reading = await createSystemdSource({ unit: 'bot@1.service' }, program)(signal);
    expect(reading).toMatchObject({ state: 'running', memoryBytes: 1_200_128 });
    // A third of a second of processor time in a second or, on a busy machine, more.
    expect(reading.cpuPercent).toBeGreaterThan(0);
    expect(reading.cpuPercent).toBeLessThanOrEqual(33);
    const [call] = readFileSync(join(program, '../calls'), 'utf8').split('\n');
    expect(call).toMatch(/^show --property=LoadState,.*CPUUsageNSec -- bot@1\.service$/);
  });

  it.each([
    ['running', RUNNING, 'running', 946_176, 104_796.193],
    // With `CPUAccounting=no` and `MemoryAccounting=no`.
    ['uncounted', show('loaded active running', { entered: 11773008703 }), 'running', 0, 106_991.297],
    ['stopped', show('loaded inactive dead'), 'offline', 0, 0],
    ['failed', show('loaded failed failed', { entered: 11773026788 }), 'offline', 0, 106_973.212],
    ['masked', show('masked inactive dead'), 'offline', 0, 0],
    // It ignores SIGTERM.
    [
      'stopping',
      show('loaded deactivating stop-sigterm', { memory: 638976, entered: 11773014515 }),
      'stopping',
      638_976,
      106_985.485,
    ],
    // `Type=notify` that never notifies.
    ['starting', show('loaded activating start', { memory: 253952 }), 'starting', 253_952, 0],
    // `/bin/false` with `Restart=always`, between two attempts: it has been "entered" before.
    ['restarting', show('loaded activating auto-restart', { entered: 11773028320 }), 'starting', 0, 0],
    // `Type=oneshot` with `RemainAfterExit=yes`.
    ['oneshot', show('loaded active exited', { entered: 11773015668 }), 'unknown', 0, 106_984.332],
    ['of no such unit', show('not-found inactive dead'), 'unknown', 0, 0],
  ] as const)('that is %s has state, memory and uptime', (_how, shown, state, memoryBytes, uptimeMs) => {
    const read = parseShown(shown, 11_880_000);
    expect(read).toMatchObject({ state, memoryBytes });
    expect(read.uptimeMs).toBeCloseTo(uptimeMs);
  });

  it.each(['<html>', ''])('that shows %j is unknown', (output) => {
    expect(parseShown(output, 1).state).toBe('unknown');
  });

  it('has no processor time where systemd does not count, as it is written now and as it was before', () => {
    for (const cpu of ['[not set]', '18446744073709551615'])
      expect(parseShown(show('loaded active running', { cpu }), 11_880_000).cpuNs).toBe(0);
  });

  it('is not known where systemctl is missing or fails', async () => {
    for (const [program, problem] of [
      ['/nonexistent/systemctl', 'ENOENT'],
      ['false', 'systemctl show failed (1)'],
    ] as const)
      await expect(createSystemdSource({ unit: 'x' }, program)(signal)).rejects.toThrow(problem);
  });
});
