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

const CONFIRMATIONS = 2;

async function startNode(): Promise<PlayedNode> {
  const node = await startPlayedNode();
  onTestFinished(() => node.close());
  return node;
}

const { address, script } = getDemoKey().derive(1_000);
const makeOne = (db: Database): string =>
  makeDonation(db, { network: 'regtest', address, required_confirmations: CONFIRMATIONS });

function watchOf(db: Database, { url }: PlayedNode): () => Promise<string> {
  let clockMs = 0;
  const watch = createDonationWatch(
    { network: 'regtest', rpc: { url, login: undefined }, esploraUrl: undefined },
    () => Date.now() + clockMs,
  );
  return async () => {
    clockMs += POLL_MS;
    return (await watch({ ...makeJobContext(db), outages: noteOutages() })).source;
  };
}

const statusOf = (db: Database, id: string): unknown[] => {
  const donation = findDonation(db, id);
  return [donation?.status, donation?.confirmations];
};

it('outlives what it cannot read', async () => {
  const { url } = await startNode();
  for (const body of ['null', '{', '[null]'])
    expect((await fetch(url, { method: 'POST', body })).status, body).toBe(404);
});

it('is another one at the next start, and donations begin anew with it', async () => {
  const db = await makeDatabase();
  const first = await startNode();
  renewDemo(db, Date.now());
  const id = makeOne(db);
  const poll = watchOf(db, first);
  first.pay(script, 0.125);
  first.mine();
  await poll();
  expect(statusOf(db, id)[0]).toBe('confirming');

  const second = await startNode();
  renewDemo(db, Date.now());
  const pollAgain = watchOf(db, second);
  const next = makeOne(db);
  expect(await pollAgain()).toBe('node');
  expect(findDonation(db, id)).toBeUndefined();
  expect(statusOf(db, next)).toEqual(['pending', 0]);
});

it('leaves every stored donation in its state, and all of them looked after', async () => {
  const db = await makeDatabase();
  renewDemo(db, Date.now());
  const before = DEMO_DONATION_NAMES.map((name) => [name, findDonation(db, demoDonationId(name))?.status]);
  const poll = watchOf(db, await startNode());
  await poll();
  await poll();
  const after = DEMO_DONATION_NAMES.map((name) => [name, findDonation(db, demoDonationId(name))?.status]);
  // Somebody has looked for it now.
  expect(after).toEqual(before.map(([name, status]) => [name, name === 'unchecked' ? 'expired' : status]));
  for (const name of DEMO_DONATION_NAMES) {
    const donation = findDonation(db, demoDonationId(name));
    expect([name, donation && findMonitoring(db, donation, true, Date.now())]).toEqual([name, 'yes']);
  }
});
