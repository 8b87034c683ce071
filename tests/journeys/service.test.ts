import { expect, it } from 'vitest';
import {
  childrenOf,
  countLines,
  isAlive,
  makePlace,
  untilListening,
  untilStarted,
} from '../support/start-service.ts';

const ENDED_EARLY = 'process ended; it is started again';

it('serves empty lists, starts again what is killed, and ends on signals with nothing left', async () => {
  const place = makePlace();
  const settings = { OPERATOR_NAME: 'Fundacja', PLATFORM_NAME: 'Gwarnik', SECURITY_CONTACT: 'a@b.example' };
  const service = place.start({ settings, detached: true });
  const origin = await untilStarted(service);
  for (const list of ['scammers', 'servers', 'legit']) {
    const response = await fetch(`${origin}/api/${list}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: [], total: 0, hasMore: false });
  }
  const home = await fetch(`${origin}/`);
  expect(home.status).toBe(200);
  expect(home.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await service.logged({ component: 'start', msg: 'Czujka serves' })).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    address: origin.replace('http://', ''),
    entries: { scammers: 0, servers: 0, legit: 0 },
  });
  const notes = service.lines.filter(({ msg }) => msg.startsWith('settings are missing'));
  const missing = 'OPERATOR_CONTACT APPEALS_CONTACT APPEALS_ANSWER_DAYS REPORTS_CONTACT REPORTS_ANSWER_DAYS';
  expect(notes).toMatchObject([{ missing: missing.split(' ') }]);
  // No service manager asks.
  expect(service.lines.filter(({ msg }) => msg.includes('systemd'))).toEqual([]);

  const first = childrenOf(service);
  process.kill(first.worker, 'SIGKILL');
  const end = await service.logged({ process: 'worker', msg: ENDED_EARLY });
  expect(end).toMatchObject({ signal: 'SIGKILL' });
  expect((await fetch(`${origin}/api/scammers`)).status).toBe(200);
  await service.loggedAgain({ component: 'worker', msg: 'started' }, 1);
  const second = childrenOf(service);
  expect(second.web).toBe(first.web);

  process.kill(first.web, 'SIGKILL');
  const again = await untilListening(service, 1);
  expect((await fetch(`${again}/api/scammers`)).status).toBe(200);
  const last = childrenOf(service);
  expect(last.worker).toBe(second.worker);

  // A terminal signals the whole group, and a service manager the first process.
  process.kill(-service.pid, 'SIGINT');
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect(Object.values(last).filter(isAlive)).toEqual([]);
  // The first processes were killed.
  for (const component of ['web', 'worker'])
    for (const msg of ['ending', 'ended']) expect(countLines(service, component, msg)).toBe(1);
  expect(countLines(service, 'start', ENDED_EARLY)).toBe(2);
});
