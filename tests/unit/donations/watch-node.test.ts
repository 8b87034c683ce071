/** The node as the source: what of its answers is believed, and what a wrong clock does. The node is simulated. */
import { text } from 'node:stream/consumers';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { createDonationWatch, type WatchReport } from '#src/donations/watch-donations.ts';
import { startPlayedNode, type PlayedNode } from '../../../scripts/demo/played-node.ts';
import { getDemoKey } from '../../../scripts/sample/demo-donations.ts';
import { makeJobContext } from '../../support/job-context.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { makeDonation, MINUTE_MS } from '../../support/make-donation.ts';
import { noteOutages } from '../../support/note-outages.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
const { address, script } = getDemoKey().derive(1_000);

let db: Database;
let id: string;
let node: PlayedNode;
let clockMs: number;
let warnings: string[];
/** Words of the node, and others that take their place. */
let lie: readonly [RegExp, string] | undefined;
let poll: () => Promise<WatchReport>;

beforeEach(async () => {
  db = await makeDatabase();
  id = makeDonation(db, { network: 'regtest', address, required_confirmations: 2 });
  node = await startPlayedNode();
  onTestFinished(() => node.close());
  clockMs = 0;
  warnings = [];
  lie = undefined;
  const proxy = await startLoopbackServer((request, response) => {
    void text(request)
      .then((body) => fetch(node.url, { method: 'POST', body }))
      .then(async (answer) => {
        const said = await answer.text();
        response.setHeader('Content-Type', 'application/json').end(lie ? said.replace(...lie) : said);
      });
  });
  const rpc = { url: proxy.origin, login: undefined };
  const settings = { network: 'regtest', rpc, esploraUrl: undefined } as const;
  const watch = createDonationWatch(settings, () => Date.now() + clockMs);
  poll = () => watch({ ...makeJobContext(db), outages: noteOutages(warnings) });
  await poll();
});

it.each<[string, RegExp, string]>([
  ['more LTC than there is', /"value":0.125/, '"value":90000000'],
  ['a negative amount', /"value":0.125/, '"value":-1'],
  [
    'outputs above the supply',
    /"vout":\[\{"n":0,"value":0.125/,
    `"vout":[{"n":1,"value":84000000,"scriptPubKey":{"hex":"51"}},{"n":0,"value":0.125`,
  ],
  ['an ID that is none', /"txid":"\w+"/, '"txid":"../x"'],
  ['a negative place', /"n":0/, '"n":-1'],
  ['a height far beyond all blocks', /"blocks":\d+/, '"blocks":90000000'],
  ['a block of 2090', /"time":\d+/, '"time":3786912000'],
  ['a block of 1970', /"time":\d+/, '"time":1'],
])('an answer with %s is refused whole', async (_what, said, instead) => {
  node.pay(script, 0.125);
  if (instead.startsWith('"time"')) node.mine();
  lie = [said, instead];
  expect(await poll()).toEqual({ source: 'none', moved: 0 });
  expect(warnings).toHaveLength(1);
  expect(findDonation(db, id)).toMatchObject({ status: 'pending', receivedLitoshi: 0 });
  lie = undefined;
  await poll();
  expect(findDonation(db, id)).toMatchObject({ receivedLitoshi: 12_500_000 });
});

it.each([1_500, -1_500])('a clock that is %i days off ends nothing and misses nothing', async (days) => {
  clockMs = days * DAY_MS;
  node.pay(script, 0.125);
  node.mine();
  await poll();
  expect(findDonation(db, id)?.status).toBe(days > 0 ? 'confirming' : 'pending');
  node.mine();
  clockMs = 0;
  await poll();
  expect(findDonation(db, id)).toMatchObject({ status: 'confirmed', isLate: false });
});

it('takes a payment for a donation that was made while the clock ran ahead, and starts its time now', async () => {
  const { address: other, script: paid } = getDemoKey().derive(1_001);
  const ahead = { required_confirmations: 1, created_at: Date.now() + 1_500 * DAY_MS };
  const early = makeDonation(db, { network: 'regtest', address: other, ...ahead });
  // As where no block was read yet.
  db.statement('DELETE FROM litecoin_blocks').run();
  node.pay(paid, 0.125);
  node.mine();
  node.mine();
  await poll();
  const donation = findDonation(db, early);
  expect(donation).toMatchObject({ status: 'confirmed', isLate: false });
  expect(Math.abs(Date.now() - (donation?.createdAt ?? 0))).toBeLessThan(MINUTE_MS);
});

it('goes on where the blocks of a pruned node begin, and reads the missing ones from another node', async () => {
  const { address: other, script: paid } = getDemoKey().derive(1_001);
  node.pay(script, 0.125);
  await poll();
  const later = makeDonation(db, { network: 'regtest', address: other, required_confirmations: 1 });
  for (let blocks = 0; blocks < 3; blocks += 1) node.mine();
  node.prune(1);
  node.pay(paid, 0.125);
  node.mine();
  await poll();
  expect(findDonation(db, later)).toMatchObject({ status: 'confirmed', isUnread: false });
  const lost = { status: 'pending', receivedLitoshi: 0, isUnread: true };
  expect(findDonation(db, id)).toMatchObject(lost);
  expect(warnings).toEqual([expect.stringMatching(/pruned blocks that may pay open donations/)]);
  node.prune(100);
  await poll();
  expect(findDonation(db, id)).toMatchObject({ status: 'confirmed', confirmations: 4, isUnread: false });
  expect(findDonation(db, later)?.status).toBe('confirmed');
});

it('a spending long after a donation was forgotten is still seen', async () => {
  const payment = node.pay(script, 0.125);
  for (let blocks = 0; blocks < 100; blocks += 1) node.mine();
  await poll();
  const settled = () => db.statement('SELECT settled FROM donations').pluck().get();
  expect([findDonation(db, id)?.status, settled()]).toEqual(['confirmed', 1]);
  node.forward(payment);
  await poll();
  expect([findDonation(db, id)?.status, settled()]).toEqual(['forwarding', 0]);
  node.mine();
  await poll();
  expect(findDonation(db, id)).toMatchObject({ status: 'forwarded', confirmations: 101 });
});
