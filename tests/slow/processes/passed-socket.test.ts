// Needs: systemd-socket-activate
/** The service on a listening socket that systemd opened and that outlives it. */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { findPort } from '../../support/find-port.ts';
import { makePlace, untilListening } from '../../support/start-service.ts';

const CLIENTS = 8;
const LOAD_MS = 1_000;
const SETTINGS = ['DATABASE_PATH', 'HOST', 'PATH', 'PORT', 'NODE_COMPILE_CACHE', 'TRUST_PROXY'];
/** Runs a command again when it has ended, each time as the process that the socket is for. */
const REPEAT = 'while sh -c \'LISTEN_PID=$$ exec "$0" "$@"\' "$@"; do :; done';

it('a restart loses no request: new connections wait in the socket', async () => {
  const port = await findPort();
  const service = makePlace().start({
    // Not the address of the socket: a service that ignores the socket would not be reached.
    settings: { PORT: '0', HOST: '127.0.0.2', TRUST_PROXY: 'loopback' },
    launcher: [
      ...['systemd-socket-activate', '-l', `127.0.0.1:${port}`, ...SETTINGS.flatMap((name) => ['-E', name])],
      ...['sh', '-c', REPEAT, 'sh'],
    ],
    detached: true,
  });
  // The first request makes systemd-socket-activate start the service, and waits for it.
  await vi.waitFor(async () => expect(await ask(port, 0)).toBe(200), { timeout: 30_000 });
  let isOver = false;
  const answers: unknown[] = [];
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let at = client; !isOver; at += CLIENTS) answers.push(await ask(port, at));
  });
  await setTimeout(LOAD_MS);
  const [supervisor = ''] = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').split(
    ' ',
  );
  process.kill(Number(supervisor), 'SIGTERM');
  await service.logged({ component: 'web', msg: 'ended' });
  const before = answers.length;
  expect(await untilListening(service, 1)).toBe(`http://127.0.0.1:${port}`);
  await setTimeout(LOAD_MS);
  isOver = true;
  await Promise.all(clients);
  expect(before).toBeGreaterThan(CLIENTS);
  expect(answers.length).toBeGreaterThan(before + CLIENTS);
  expect(answers.filter((answer) => answer !== 200)).toEqual([]);
});

/** @returns the status of an answer over a connection of its own, or the error code */
function ask(port: number, at: number): Promise<unknown> {
  return new Promise((resolve) => {
    const headers = { 'X-Forwarded-For': `10.9.${(at >> 8) & 255}.${at & 255}` };
    get({ port, host: '127.0.0.1', path: '/api/scammers', headers, agent: new Agent() }, (answer) => {
      answer.resume().once('close', () => resolve(answer.complete ? answer.statusCode : 'cut'));
    }).once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
}
