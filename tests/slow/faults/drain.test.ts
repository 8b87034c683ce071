import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFaultyService } from '../../support/faulty-service.ts';
import { trials } from '../../support/trials.ts';

const CLIENTS = 32;
const LOAD_MS = trials(2_000, 20_000);
/** systemd would kill the service after this. */
const GONE_WITHIN_MS = 12_000;
/** A question may reach a connection in the moment in which the server closes it; HTTP allows that. */
const UNLUCKY_MAX = 2;

it('SIGTERM under load cuts no answer and loses no question', { timeout: 300_000 }, async () => {
  const service = await startFaultyService({ entries: 1_000 });
  const count = { whole: 0, cut: 0, refused: 0, lost: 0 };
  let endsAt = Infinity;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let outcome: 'whole' | 'cut' | 'refused' = 'whole';
    for (let at = client; outcome !== 'refused'; at += CLIENTS) {
      const paths = [
        `/api/check?id=${service.ids[at % service.ids.length]}`,
        `/api/scammers?sort=az&skip=${at % 900}`,
        `/scammers?skip=${at % 900}`,
        `/api/scammers?search=nick&skip=${at % 900}`,
      ];
      const askedAt = performance.now();
      outcome = await askOnce(service.origin + paths[client % paths.length], at, agent);
      count[outcome] += 1;
      if (outcome === 'refused' && askedAt < endsAt) count.lost += 1;
    }
    agent.destroy();
  });
  await setTimeout(LOAD_MS);
  expect(count).toMatchObject({ cut: 0, refused: 0 });
  endsAt = performance.now();
  expect(await service.stop()).toBeLessThan(GONE_WITHIN_MS);
  await Promise.all(clients);
  expect(count.cut).toBe(0);
  expect(count.lost).toBeLessThanOrEqual(UNLUCKY_MAX);
  expect(count.whole).toBeGreaterThan(CLIENTS);
  await service.start();
  await service.expectRecovery();
});

/** @returns refused: the connection ended before the first byte of an answer */
function askOnce(url: string, at: number, agent: Agent): Promise<'whole' | 'cut' | 'refused'> {
  return new Promise((resolve) => {
    const headers = { 'X-Forwarded-For': `10.8.${(at >> 8) & 255}.${at & 255}` };
    get(url, { agent, headers }, (answer) => {
      answer.resume().once('close', () => resolve(answer.complete ? 'whole' : 'cut'));
    }).once('error', () => resolve('refused'));
  });
}
