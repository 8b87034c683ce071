/** The simulated node of the demo, watched by the real donation watch. */
import { expect, it, onTestFinished } from 'vitest';
import { findDonation } from '#src/donations/find-donation.ts';
import { createDonationWatch, POLL_MS } from '#src/donations/watch-donations.ts';
import { findMonitoring } from '#src/donations/monitoring.ts';
import type { Database } from '#src/db/database.ts';
import { makeJobContext } from '../../support/job-context.ts';
import { makeDonation } from '../../support/make-donation.ts';
import { startPlayedNode, type PlayedNode } from '../../../scripts/demo/played-node.ts';
import { renewDemo } from '../../../scripts/demo/renew-demo.ts';
import { DEMO_DONATION_NAMES, demoDonationId, getDemoKey } from '../../../scripts/sample/demo-donations.ts';
import { noteOutages } from '../../support/note-outages.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

async function startNode(): Promise<PlayedNode> {
  const node = await startPlayedNode();
  onTestFinished(() => node.close());
  return node;
}

const { address, script } = getDemoKey().derive(1_000);
const makeOne = (db: Database): string =>
  makeDonation(db, { network: 'regtest', address, required_confirmations: 2 });

function watchOf(db: Database, { url }: PlayedNode): () => Promise<string> {
  let clockMs = 0;
  const settings = { network: 'regtest', rpc: { url, login: undefined }, esploraUrl: undefined } as const;
  const watch = createDonationWatch(settings, () => Date.now() + clockMs);
  return async () => {
    clockMs += POLL_MS;
    return (await watch({ ...makeJobContext(db), outages: noteOutages() })).source;
  };
}

const statusesOf = (db: Database) =>
  DEMO_DONATION_NAMES.map((name) => [name, findDonation(db, demoDonationId(name))?.status]);

it('is another one at the next start, and donations begin anew with it', async () => {
  const db = await makeDatabase();
  const first = await startNode();
  renewDemo(db, Date.now());
  const id = makeOne(db);
  const poll = watchOf(db, first);
  first.pay(script, 0.125);
  first.mine();
  await poll();
  expect(findDonation(db, id)?.status).toBe('confirming');

  const second = await startNode();
  renewDemo(db, Date.now());
  const pollAgain = watchOf(db, second);
  const next = makeOne(db);
  expect(await pollAgain()).toBe('node');
  expect(findDonation(db, id)).toBeUndefined();
  expect(findDonation(db, next)).toMatchObject({ status: 'pending', confirmations: 0 });
});

it('leaves every stored donation in its state, and all of them looked after', async () => {
  const db = await makeDatabase();
  renewDemo(db, Date.now());
  const before = statusesOf(db);
  const poll = watchOf(db, await startNode());
  await poll();
  await poll();
  // It is looked for now.
  const after = before.map(([name, status]) => [name, name === 'unchecked' ? 'expired' : status]);
  expect(statusesOf(db)).toEqual(after);
  for (const name of DEMO_DONATION_NAMES) {
    const donation = findDonation(db, demoDonationId(name));
    expect([name, donation && findMonitoring(db, donation, true, Date.now())]).toEqual([name, 'yes']);
  }
});
