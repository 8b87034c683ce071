/** The log tells once that a source of donations fails, once that it fails in another way, and that it works again. */
import pino from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { parseConfig } from '#src/config.ts';
import { POLL_MS } from '#src/donations/watch-donations.ts';
import { createJobs } from '#src/worker/jobs.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { makeDonation } from '../../support/make-donation.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const TIP_HASH = 'f'.repeat(64);

afterEach(() => {
  vi.useRealTimers();
});

it('says what is wrong with the source once, however often it is asked, and when it is well again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const db = await makeDatabase();
  makeDonation(db);
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  let garbage: string | undefined = '{"a":';
  const explorer = await startLoopbackServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/api/blocks/tip/hash' && garbage === undefined)
      return response.writeHead(200, { 'Content-Type': 'text/plain' }).end(TIP_HASH);
    const block = { id: TIP_HASH, height: 100, timestamp: Math.floor(Date.now() / 1000) };
    const body = JSON.stringify(path.startsWith('/api/block/') ? block : []);
    return response.writeHead(200, { 'Content-Type': 'application/json' }).end(garbage ?? body);
  });
  const settings = { LITECOIN_ESPLORA_URL: `${explorer.origin}/api`, DATABASE_PATH: db.path };
  const job = createJobs(parseConfig(settings)).find(({ name }) => name === 'donations');
  const { signal } = new AbortController();
  const poll = async (): Promise<unknown> => {
    vi.advanceTimersByTime(2 * POLL_MS);
    lines.length = 0;
    await job?.run({ db, write: (change) => db.write(change), signal, log });
    return lines.map(({ level, source, msg }) => ({ level, source, msg }));
  };
  const failed = { level: 40, source: 'explorer', msg: 'source of donations failed' };
  const isWell = { level: 30, source: 'explorer', msg: 'source of donations is well again' };
  // The second time it is left alone for a while, which is nothing new.
  expect([await poll(), await poll()]).toEqual([[failed], []]);
  garbage = undefined;
  await expect.poll(poll, { timeout: 30_000 }).toEqual([isWell]);
  expect(await poll()).toEqual([]);
  garbage = '[]';
  expect([await poll(), await poll()]).toEqual([[failed], []]);
});
