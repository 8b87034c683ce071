// Needs: litecoind
/** A real Litecoin Core in regtest: every way that a payment can go, and when the network is well. */
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseConfig } from '#src/config.ts';
import type { Database } from '#src/db/database.ts';
import type { Donation } from '#src/donations/donation.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { createDonationWatch, type WatchReport } from '#src/donations/watch-donations.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { createSampler } from '#src/status/take-sample.ts';
import { startLitecoinNode, type LitecoinNode } from '../../support/litecoin-node.ts';
import { makeJobContext } from '../../support/job-context.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { makeDonation, MINUTE_MS } from '../../support/make-donation.ts';
import { noteOutages } from '../../support/note-outages.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { getDemoKey } from '../../../scripts/sample/demo-donations.ts';

const WHOLE = 12_500_000;

let node: LitecoinNode;
let db: Database;
let clock: { offsetMs: number };
let watch: ReturnType<typeof createDonationWatch>;
let warnings: string[];

const now = (): number => Date.now() + clock.offsetMs;

beforeAll(async () => {
  node = await startLitecoinNode();
  for (const name of ['payer', 'operator']) await call('createwallet', [name], z.unknown());
  await call('generatetoaddress', [120, await newAddress('payer')], z.unknown());
});

beforeEach(async () => {
  db = await makeDatabase();
  clock = { offsetMs: 0 };
  warnings = [];
  watch = watchOf(node);
});

function watchOf(
  { url, cookieFile }: Pick<LitecoinNode, 'url' | 'cookieFile'>,
  network: 'main' | 'regtest' = 'regtest',
) {
  return createDonationWatch({ network, rpc: { url, login: { cookieFile } }, esploraUrl: undefined }, now);
}

function poll(): Promise<WatchReport> {
  return watch({ ...makeJobContext(db), outages: noteOutages(warnings) });
}

async function seen(id: string): Promise<Donation | undefined> {
  await poll();
  return findDonation(db, id);
}

function call<Schema extends z.ZodType>(
  method: string,
  params: readonly unknown[],
  schema: Schema,
  { wallet, from = node }: { readonly wallet?: string; readonly from?: LitecoinNode } = {},
): Promise<z.output<Schema>> {
  return from.rpc(wallet).call(method, params, schema);
}

function newAddress(wallet: string, from = node): Promise<string> {
  return call('getnewaddress', ['', 'bech32'], z.string(), { wallet, from });
}

/** Sends 0.125 LTC. */
function pay(address: string, wallet = 'payer', from = node): Promise<string> {
  return call('sendtoaddress', [address, 0.125], z.string(), { wallet, from });
}

type Coins = z.output<typeof coinsSchema>;
const coinsSchema = z.array(z.object({ txid: z.string(), vout: z.int(), amount: z.number() }));

/** Spends coins of a wallet, and gives the payer what is left. */
async function sign(wallet: string, coins: Coins, paid: Record<string, number> = {}): Promise<string> {
  const amounts = [...coins.map(({ amount }) => amount), ...Object.values(paid).map((ltc) => -ltc)];
  const left = amounts.reduce((sum, ltc) => sum + ltc, -0.001);
  const outputs = { ...paid, [await newAddress('payer')]: Number(left.toFixed(8)) };
  const raw = await call('createrawtransaction', [coins, outputs], z.string());
  return (await call('signrawtransactionwithwallet', [raw], z.object({ hex: z.string() }), { wallet })).hex;
}

function broadcast(hex: string): Promise<string> {
  return call('sendrawtransaction', [hex], z.string());
}

/** Spends everything that an address of the operator received, and nothing else. */
async function forward(address: string): Promise<string> {
  const coins = await call('listunspent', [0, 9_999, [address]], coinsSchema, { wallet: 'operator' });
  return broadcast(await sign('operator', coins));
}

/** A payment, and another transaction that spends the same coin; only one of them can ever count. */
async function rivals(address: string): Promise<[string, string]> {
  const coins = (await call('listunspent', [100], coinsSchema, { wallet: 'payer' })).slice(0, 1);
  return [await sign('payer', coins, { [address]: 0.125 }), await sign('payer', coins)];
}

/** Not the block that was taken back a moment ago: one to a new address. */
async function mineAnew(blocks: number): Promise<void> {
  await call('generatetoaddress', [blocks, await newAddress('payer')], z.unknown());
}

async function mineOnly(hex: string): Promise<void> {
  await call('generateblock', [await newAddress('payer'), [hex]], z.unknown());
}

async function takeBackBlock(): Promise<void> {
  await call('invalidateblock', [(await node.client.getBlockchainInfo()).bestblockhash], z.null());
}

/** A donation of 0.125 LTC to an address that the operator's wallet can spend from, which the node has looked for. */
async function donate(requiredConfirmations = 3): Promise<{ id: string; address: string }> {
  const address = await newAddress('operator');
  const id = makeDonation(db, {
    created_at: now(),
    required_confirmations: requiredConfirmations,
    address,
    network: 'regtest',
  });
  await poll();
  return { id, address };
}

describe('a payment', () => {
  it('goes from pending to forwarded, one step after the other', async () => {
    const { id, address } = await donate();
    expect(await seen(id)).toMatchObject({ status: 'pending', receivedLitoshi: 0, txId: null });
    const txId = await pay(address);
    expect(await seen(id)).toMatchObject({ status: 'seen', receivedLitoshi: WHOLE, confirmations: 0, txId });
    for (const [confirmations, status] of ['confirming', 'confirming', 'confirmed'].entries()) {
      await node.mine(1);
      expect(await seen(id)).toMatchObject({ status, confirmations: confirmations + 1, txId });
    }
    const forwardTxId = await forward(address);
    expect(await seen(id)).toMatchObject({ status: 'forwarding', txId, forwardTxId });
    await node.mine(1);
    expect(await seen(id)).toMatchObject({ status: 'forwarded', confirmations: 4, txId, forwardTxId });
  });

  it('and what spends it may come in the same block', async () => {
    const { id, address } = await donate(1);
    await pay(address);
    const forwardTxId = await forward(address);
    await node.mine(1);
    expect(await seen(id)).toMatchObject({ status: 'forwarded', confirmations: 1, forwardTxId });
  });

  it('is gone as soon as a block spends its coins otherwise, also for a process that never saw it', async () => {
    const { id, address } = await donate();
    const [paying, rival] = await rivals(address);
    await broadcast(paying);
    expect(await seen(id)).toMatchObject({ status: 'seen' });
    watch = watchOf(node);
    await mineOnly(rival);
    expect(await seen(id)).toMatchObject({ status: 'pending', receivedLitoshi: 0 });
  });
});

describe('a reorganisation', () => {
  it('that gives the payment back to the mempool is followed back, and said', async () => {
    const { id, address } = await donate();
    await pay(address);
    await node.mine(2);
    expect(await seen(id)).toMatchObject({ status: 'confirming', confirmations: 2 });
    for (let blocks = 0; blocks < 2; blocks += 1) await takeBackBlock();
    expect(await seen(id)).toMatchObject({ status: 'seen', receivedLitoshi: WHOLE, isReorganised: true });
    await mineAnew(3);
    expect(await seen(id)).toMatchObject({ status: 'confirmed', confirmations: 3, isReorganised: false });
  });

  it('that removes the payment leaves it pending at once', async () => {
    const { id, address } = await donate();
    const [paying, rival] = await rivals(address);
    const txId = await broadcast(paying);
    await mineAnew(1);
    expect(await seen(id)).toMatchObject({ status: 'confirming', txId });
    await takeBackBlock();
    await mineOnly(rival);
    await mineAnew(1);
    expect(await seen(id)).toMatchObject({ status: 'pending', receivedLitoshi: 0, isReorganised: true });
    // A payment that comes after all counts as ever.
    await pay(address);
    await mineAnew(3);
    expect(await seen(id)).toMatchObject({ status: 'confirmed', receivedLitoshi: WHOLE });
  });

  it('that undoes the forwarding is followed back', async () => {
    const { id, address } = await donate(1);
    await pay(address);
    await mineAnew(1);
    await forward(address);
    await mineAnew(1);
    expect(await seen(id)).toMatchObject({ status: 'forwarded' });
    await takeBackBlock();
    expect(await seen(id)).toMatchObject({ status: 'forwarding', isReorganised: false });
    await mineAnew(1);
    expect(await seen(id)).toMatchObject({ status: 'forwarded' });
  });
});

describe('after a pause', () => {
  it('of many blocks nothing is missing: another process catches up from the chain', async () => {
    const { id, address } = await donate();
    await pay(address);
    await node.mine(5);
    const forwardTxId = await forward(address);
    await node.mine(30);
    watch = watchOf(node);
    clock.offsetMs = 61 * MINUTE_MS;
    const forwarded = { status: 'forwarded', confirmations: 35, forwardTxId, isLate: false };
    expect(await seen(id)).toMatchObject(forwarded);
    // As in a database that an explorer has filled: the chain is read from before the donation on.
    for (const table of ['litecoin_blocks', 'donation_outputs']) db.statement(`DELETE FROM ${table}`).run();
    expect(await seen(id)).toMatchObject(forwarded);
  });

  it('goes on when the blocks that were read are of a chain that the node does not know', async () => {
    const { id, address } = await donate();
    db.statement("UPDATE litecoin_blocks SET hash = replace(hash, substr(hash, 1, 8), 'ffffffff')").run();
    await pay(address);
    await node.mine(2);
    expect(await seen(id)).toMatchObject({ status: 'confirming', confirmations: 2 });
  });
});

describe('a node', () => {
  it('that was killed and came back without its mempool sees the payment again when it is sent again', async () => {
    const own = await startLitecoinNode();
    await call('createwallet', ['payer'], z.unknown(), { from: own });
    await call('generatetoaddress', [101, await newAddress('payer', own)], z.unknown(), { from: own });
    watch = watchOf(own);
    const { id, address } = await donate();
    // Has the node write its blocks to disk.
    await call('gettxoutsetinfo', [], z.unknown(), { from: own });
    const txId = await pay(address, 'payer', own);
    const paid = z.object({ hex: z.string() });
    const { hex } = await call('gettransaction', [txId], paid, { wallet: 'payer', from: own });
    expect(await seen(id)).toMatchObject({ status: 'seen' });
    await own.kill();
    expect(await seen(id)).toMatchObject({ status: 'seen' });
    expect(warnings.at(-1)).toMatch(/^donations: .*connection failed/);
    await own.start();
    // It has forgotten its mempool, until somebody sends the payment again.
    expect(await seen(id)).toMatchObject({ status: 'pending', receivedLitoshi: 0 });
    await call('sendrawtransaction', [hex], z.string(), { from: own });
    expect(await seen(id)).toMatchObject({ status: 'seen', receivedLitoshi: WHOLE });
  });

  it('that is still catching up, or of another network, is not believed, and lets no time run out', async () => {
    const { id } = await donate();
    clock.offsetMs = 61 * MINUTE_MS;
    for (watch of [watchOf(await startLitecoinNode()), watchOf(node, 'main')]) {
      expect(await poll()).toEqual({ source: 'none', moved: 0 });
      expect(findDonation(db, id)).toMatchObject({ status: 'pending' });
    }
    expect(warnings).toEqual([
      'donations: the node is still catching up with the network',
      'donations: the node is on the chain regtest, but LITECOIN_NETWORK is main',
    ]);
    watch = watchOf(node);
    // Only this machine's clock says that its time is over, and then the chain does, too.
    expect(await seen(id)).toMatchObject({ status: 'pending' });
    await call('setmocktime', [Math.ceil(now() / 1_000)], z.null());
    await node.mine(1);
    await call('setmocktime', [0], z.null());
    expect(await seen(id)).toMatchObject({ status: 'expired' });
  });
});

it('a thousand open donations cost two requests a poll, and three more for a block', async () => {
  const addresses = Array.from({ length: 1_000 }, (_, index) => getDemoKey().derive(index).address);
  db.write(() => {
    for (const address of addresses) makeDonation(db, { address, network: 'regtest' });
  });
  // Passes everything on and counts it.
  const proxy = await startLoopbackServer((request, response) => {
    const headers = { Authorization: request.headers.authorization ?? '' };
    void text(request)
      .then((body) => fetch(node.url, { method: 'POST', body, headers }))
      .then(async (answer) => {
        response.setHeader('Content-Type', 'application/json').end(await answer.text());
      });
  });
  watch = watchOf({ ...node, url: proxy.origin });
  await poll();
  const cost = async (moved: number): Promise<number> => {
    proxy.requests.length = 0;
    expect(await poll()).toEqual({ source: 'node', moved });
    return proxy.requests.length;
  };
  expect(await cost(0)).toBe(1);
  for (const address of addresses.slice(0, 5)) await pay(address);
  expect(await cost(5)).toBe(2);
  await node.mine(1);
  expect(await cost(5)).toBe(1 + 3);
});

it('coins that leave MWEB count once, from their block on, and need six confirmations', async () => {
  const own = await startLitecoinNode(['-vbparams=mweb:0:9999999999']);
  const from = own;
  for (const name of ['payer', 'hidden']) await call('createwallet', [name], z.unknown(), { from });
  const miner = await newAddress('payer', own);
  await call('generatetoaddress', [431, miner], z.unknown(), { from });
  const inside = await call('getnewaddress', ['', 'mweb'], z.string(), { wallet: 'hidden', from });
  await call('sendtoaddress', [inside, 10], z.string(), { wallet: 'payer', from });
  await call('generatetoaddress', [10, miner], z.unknown(), { from });

  watch = watchOf(own);
  const { id, address } = await donate();
  await pay(address, 'hidden', own);
  expect(await seen(id)).toMatchObject({ status: 'pending' });
  for (const [blocks, status, confirmations] of [
    [1, 'confirming', 1],
    [4, 'confirming', 5],
    [1, 'confirmed', 6],
  ] as const) {
    await call('generatetoaddress', [blocks, miner], z.unknown(), { from });
    expect(await seen(id)).toMatchObject({ status, receivedLitoshi: WHOLE, confirmations });
  }
});

it('the Litecoin network is well only with a node that has caught up, on the right network, with a recent block', async () => {
  const node = await startLitecoinNode();
  const reasons: string[] = [];
  const ask = async (network: string, now: () => number = Date.now) => {
    const settings = parseConfig({
      LITECOIN_RPC_URL: node.url,
      LITECOIN_RPC_COOKIE_FILE: node.cookieFile,
      LITECOIN_NETWORK: network,
    });
    const outages = noteOutages(reasons);
    const takeSample = createSampler({ settings, outbound: createOutbound(), outages, now });
    return (await takeSample(() => {})).checks[1];
  };
  // Nothing but the first block of 2011: the node is still waiting for the chain.
  expect(await ask('regtest')).toMatchObject({ id: 'litecoin', ok: false });
  await node.mine(12);
  expect(await ask('regtest')).toMatchObject({ ok: true });
  expect(await ask('main')).toMatchObject({ ok: false });
  expect(await ask('regtest', () => Date.now() + 48 * 60 * MINUTE_MS)).toMatchObject({ ok: false });
  expect(reasons).toEqual([
    'litecoin: it is still catching up with the network',
    'litecoin: it is on the chain regtest, but LITECOIN_NETWORK is main',
    'litecoin: it knows no recent block',
  ]);
});
