/** Processes that fall over again and again, are told to end at a bad moment, or get no descriptors or memory. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { seconds, toScenario, until } from './fault.ts';
import type { Fault } from './fault.ts';

const CRASHES = 4;
const CONNECTIONS = 200;
const SPARE_DESCRIPTORS = 20;
const HOLD_MS = { full: 20_000, quick: 3_000 };
const GONE_WITHIN_MS = 10_000;
/** More than the pages of a heap that is at work, less than what a start needs. */
const SPARE_BYTES = 30_000_000;
const READY_WITHIN_MS = 30_000;

const crashes: Fault = {
  name: `the worker falls over ${CRASHES} times`,
  async happen({ service }) {
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const crashed = service.pidOf('worker');
      process.kill(crashed, 'SIGKILL');
      // The first pause is none at all: that it was gone cannot be seen, only that another one is there.
      const isAnother = (): boolean => ![undefined, crashed].includes(service.findPid('worker'));
      await until(isAnother, READY_WITHIN_MS, 'no other worker');
    }
    const pauses: string[] = [];
    // The supervisor's last line may still be on its way.
    const hasAll = (): boolean => {
      pauses.push(...service.takeLog().flatMap((line) => /"pauseMs":(\d+)/.exec(line)?.[1] ?? []));
      return pauses.length >= CRASHES;
    };
    await until(hasAll, READY_WITHIN_MS, 'it is not said to be started again');
    assert.equal(new Set(pauses).size, CRASHES, `pauses of ${pauses.join(', ')} ms`);
    return `started again after ${pauses.join(', ')} ms`;
  },
};

const signals: Fault = {
  name: 'SIGTERM while it starts, and twice while it runs',
  maySilence: true,
  async happen({ service }) {
    await service.end();
    const starting = service.start().catch(() => {});
    await setTimeout(300);
    const earlyMs = await service.end();
    await starting;
    await service.start();
    process.kill(service.pid(), 'SIGTERM');
    const lateMs = await service.end();
    assert(Math.max(earlyMs, lateMs) <= GONE_WITHIN_MS, `gone after ${seconds(earlyMs)}, ${seconds(lateMs)}`);
    await service.start();
    return `gone after ${seconds(earlyMs)} and ${seconds(lateMs)}`;
  },
};

const descriptors: Fault = {
  name: `${CONNECTIONS} connections, and ${SPARE_DESCRIPTORS} descriptors left (prlimit --nofile)`,
  needs: ['prlimit'],
  maySilence: true,
  async happen({ service, isQuick }) {
    const pid = service.pidOf('web');
    const open = readdirSync(`/proc/${pid}/fd`).length;
    limit(pid, `--nofile=${open + SPARE_DESCRIPTORS}:`);
    const sockets = Array.from({ length: CONNECTIONS }, () => dial(service.origin));
    await setTimeout(isQuick ? HOLD_MS.quick : HOLD_MS.full);
    for (const socket of sockets) socket.destroy();
    assert.equal(service.pidOf('web'), pid, 'the web process ended');
    return 'the web process lives on';
  },
};

const memory: Fault = {
  name: 'no more memory for the web process (prlimit --as)',
  needs: ['prlimit'],
  maySilence: true,
  async happen({ service, ask, isQuick }) {
    const pid = service.pidOf('web');
    const bytes =
      Number(/^VmSize:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
    limit(pid, `--as=${bytes + SPARE_BYTES}:`);
    const lastsMs = isQuick ? HOLD_MS.quick : HOLD_MS.full;
    let at = 0;
    for (const begun = performance.now(); performance.now() - begun < lastsMs; at += 16) {
      const paths = Array.from({ length: 16 }, (_, place) => `/scammers?limit=60&skip=${(at + place) % 900}`);
      await Promise.all(paths.map((path) => ask(path, lastsMs).catch(() => {})));
    }
    await until(() => service.isWhole(), READY_WITHIN_MS, 'no web process');
    const isSame = service.pidOf('web') === pid;
    if (isSame) limit(pid, '--as=unlimited:');
    return isSame ? 'it lives on' : 'it ended and was started again';
  },
};

export const processes = toScenario('processes', 'F19–F22', [crashes, signals, descriptors, memory]);

function dial(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  return connect(Number(port), hostname).on('error', () => {});
}

export function limit(pid: number, option: string): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), option], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}
