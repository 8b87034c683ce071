import { expect, it, vi } from 'vitest';
import { parseConfig } from '#src/config.ts';
import { POLL_MS } from '#src/donations/watch-donations.ts';
import { createJobs } from '#src/worker/jobs.ts';
import { collectLog } from '../../support/collect-log.ts';
import { makeJobContext } from '../../support/job-context.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { makeDonation } from '../../support/make-donation.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('says once that the source of donations fails, however often it is asked', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const db = await makeDatabase();
  makeDonation(db);
  const { log, lines } = collectLog();
  const { origin } = await startLoopbackServer((_request, response) => response.writeHead(500).end());
  const settings = { LITECOIN_ESPLORA_URL: origin, DATABASE_PATH: db.path };
  const job = createJobs(parseConfig(settings)).find(({ name }) => name === 'donations');
  for (let polls = 0; polls < 3; polls += 1) {
    vi.advanceTimersByTime(2 * POLL_MS);
    await job?.run(makeJobContext(db, log));
  }
  expect(lines).toMatchObject([{ msg: 'not well', part: 'donations' }]);
});
