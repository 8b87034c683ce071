import { afterEach, expect, it, vi } from 'vitest';
import { parseConfig } from '#src/config.ts';
import { POLL_MS } from '#src/donations/watch-donations.ts';
import { createJobs } from '#src/worker/jobs.ts';
import { collectLog } from '../../support/collect-log.ts';
import { makeJobContext } from '../../support/job-context.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { makeDonation } from '../../support/make-donation.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const TIP_HASH = 'f'.repeat(64);

afterEach(() => {
  vi.useRealTimers();
});

it('says once that the source of donations fails, however often it is asked, and that it is well again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const db = await makeDatabase();
  makeDonation(db);
  const { log, lines } = collectLog();
  let isDown = true;
  const explorer = await startLoopbackServer(({ url = '' }, response) => {
    const isTip = url.endsWith('/blocks/tip/hash');
    const body = url.includes('/block/') ? { height: 100, timestamp: 1_700_000_000 } : [];
    response
      .writeHead(isDown ? 500 : 200, { 'Content-Type': isTip ? 'text/plain' : 'application/json' })
      .end(isTip ? TIP_HASH : JSON.stringify(body));
  });
  const settings = { LITECOIN_ESPLORA_URL: `${explorer.origin}/api`, DATABASE_PATH: db.path };
  const job = createJobs(parseConfig(settings)).find(({ name }) => name === 'donations');
  const said: unknown[] = [];
  for (const down of [true, true, false, false, true]) {
    isDown = down;
    vi.advanceTimersByTime(2 * POLL_MS);
    await job?.run(makeJobContext(db, log));
    said.push(lines.splice(0).map(({ msg, part }) => `${String(part)} ${String(msg)}`));
  }
  expect(said).toEqual([['donations not well'], [], ['donations well again'], [], ['donations not well']]);
});
