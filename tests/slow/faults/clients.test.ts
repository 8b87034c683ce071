// Needs: prlimit
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startFaultyService, type FaultyService } from '../../support/faulty-service.ts';
import { trials } from '../../support/trials.ts';

const CLIENTS = 200;
const SPARE_DESCRIPTORS = 20;
const LASTS_MS = trials(3_000, 30_000);
const TIMEOUT = { timeout: 240_000 };

function dialMany({ origin }: FaultyService, text: string): Socket[] {
  const { hostname, port } = new URL(origin);
  const sockets = Array.from({ length: CLIENTS }, (_, at) => {
    const socket = connect(Number(port), hostname).on('error', () => {});
    // From an address of its own, as a proxy would say.
    socket.write(text.replaceAll('\r\n\r\n', `\r\nX-Forwarded-For: 10.11.0.${at}\r\n\r\n`));
    return socket.pause();
  });
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  return sockets;
}

it(`${CLIENTS} clients that read a byte a second keep no answer from others`, TIMEOUT, async () => {
  const service = await startFaultyService();
  const sockets = dialMany(service, 'GET /scammers?limit=60 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
  const reading = setInterval(() => sockets.forEach((socket) => void socket.read(1)), 1_000);
  for (const begin = performance.now(); performance.now() - begin < LASTS_MS; await setTimeout(50)) {
    const { status, text } = await service.ask(`/api/check?id=${service.ids[3]}`);
    expect({ status, isRight: text.includes(`"${service.ids[3]}"`) }).toEqual({ status: 200, isRight: true });
  }
  clearInterval(reading);
  await service.expectRecovery();
});

it(
  `${CLIENTS} connections do not end a web process with ${SPARE_DESCRIPTORS} descriptors left`,
  TIMEOUT,
  async () => {
    const service = await startFaultyService();
    const web = service.pidOf('web');
    const open = readdirSync(`/proc/${web}/fd`).length;
    const limit = `--nofile=${open + SPARE_DESCRIPTORS}:`;
    expect(spawnSync('prlimit', ['--pid', String(web), limit]).status).toBe(0);
    const sockets = dialMany(service, 'GET /api/scammers HTTP/1.1\r\nHost: a\r\n\r\n');
    await setTimeout(LASTS_MS);
    for (const socket of sockets) socket.destroy();
    await service.expectRecovery();
  },
);
