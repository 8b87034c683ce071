// Needs: socat systemd-notify
/** A service manager hears of start and end through systemd-notify. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makePlace } from '../../support/start-service.ts';

it('tells that it is ready, that it lives, and that it ends', { timeout: 60_000 }, async () => {
  const place = makePlace();
  const socket = join(place.folder, 'notify');
  const manager = spawn('socat', ['-u', `UNIX-RECV:${socket}`, 'STDOUT'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void manager.kill('SIGKILL'));
  let heard = '';
  manager.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text));
  await vi.waitUntil(() => existsSync(socket), { timeout: 10_000 });
  const service = place.start({ settings: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '1000000' } });
  const hears = (text: string, times = 1): Promise<unknown> =>
    vi.waitUntil(() => heard.split(text).length > times, { timeout: 30_000 });
  await hears('READY=1');
  const { port } = await service.logged({ component: 'web', msg: 'listening' });
  expect(heard).toContain(`STATUS=serving on 127.0.0.1:${String(port)}`);
  await hears('WATCHDOG=1', 2);
  service.child.kill('SIGTERM');
  await hears('STOPPING=1');
  expect(await service.ended).toMatchObject({ code: 0 });
});
