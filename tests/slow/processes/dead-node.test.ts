/** The worker beside a Litecoin node that does not answer. */
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startProcess } from '../../support/start-process.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { makeDonation } from '../../support/make-donation.ts';

it('a dead node gets one line, without a stack, however often it is asked', async () => {
  const db = await makeDatabase();
  makeDonation(db);
  const worker = startProcess(join(import.meta.dirname, '../../../src/worker/main.ts'), {
    cwd: dirname(db.path),
    settings: { DATABASE_PATH: db.path, LOG_LEVEL: 'debug', LITECOIN_RPC_URL: 'http://127.0.0.1:1' },
  });
  const line = await worker.logged({ msg: 'source of donations failed' });
  expect(line).toMatchObject({ source: 'node', reason: expect.any(String) as string });
  expect(line.err).toBeUndefined();
  await worker.loggedAgain({ msg: 'job ended', job: 'donations' }, 2);
  await setTimeout(100);
  expect(worker.lines.filter(({ msg }) => msg === 'source of donations failed')).toHaveLength(1);
});
