// Needs: litecoind
/** The watch over donations against a real Litecoin Core in regtest: every way that a payment can go. */
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '#src/db/database.ts';
import { toDonationJson } from '#src/donations/donation-response.ts';
import type { Donation } from '#src/donations/donation.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { createDonationWatch, type WatchReport } from '#src/donations/watch-donations.ts';
import { setRoleStatus } from '#src/donations/write-donation.ts';
import { startLitecoinNode, type LitecoinNode } from '../../support/litecoin-node.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { makeDonation, MINUTE_MS } from '../../support/make-donation.ts';
import { noteTroubles } from '../../support/note-troubles.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { getDemoKey } from '../../../scripts/sample/demo-donations.ts';

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
  return watch({
    db,
    write: (change) => db.write(change),
    signal: new AbortController().signal,
    troubles: noteTroubles(warnings),
  });
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

function send(wallet: string, address: string, ltc: number, from = node): Promise<string> {
  return call('sendtoaddress', [address, ltc], z.string(), { wallet, from });
}

/** Spends everything that an address of the operator received, and nothing else. */
async function forward(address: string): Promise<string> {
  const unspent = z.array(z.object({ txid: z.string(), vout: z.int(), amount: z.number() }));
  const coins = await call('listunspent', [0, 9_999, [address]], unspent, { wallet: 'operator' });
  const ltc = coins.reduce((sum, { amount }) => sum + amount, 0) - 0.001;
  const outputs = { [await newAddress('payer')]: Number(ltc.toFixed(8)) };
  const raw = await call('createrawtransaction', [coins, outputs], z.string());
  const signed = z.object({ hex: z.string() });
  const { hex } = await call('signrawtransactionwithwallet', [raw], signed, { wallet: 'operator' });
  return broadcast(hex);
}

/** Not the block that was taken back a moment ago: one to a new address. */
async function mineAnew(blocks: number): Promise<void> {
  await call('generatetoaddress', [blocks, await newAddress('payer')], z.unknown());
}

/** A donation of 0.125 LTC to an address that the operator's wallet can spend from. */
async function donate(
  overrides: Parameters<typeof makeDonation>[1] = {},
): Promise<{ id: string; address: string }> {
  const address = await newAddress('operator');
  const options = {
    createdAt: now(),
    requiredConfirmations: 3,
    ...overrides,
    address,
    network: 'regtest',
  } as const;
  return { id: makeDonation(db, options), address };
}

function read(id: string): Donation {
  const donation = findDonation(db, id);
  if (!donation) throw new Error(`${id} is gone`);
  return donation;
}

/** Polls, then tells what the public sees. */
async function seen(id: string) {
  await poll();
  const { status, receivedLtc, confirmations, txId, forwardTxId, error } = toDonationJson(read(id), now());
  return { status, receivedLtc, confirmations, txId, forwardTxId, error };
}

async function bestBlock(): Promise<string> {
  return (await node.client.getBlockchainInfo()).bestblockhash;
}

function invalidate(hash: string): Promise<unknown> {
  return call('invalidateblock', [hash], z.null());
}

/** Two transactions that spend the same coin; only one of them can ever count. */
async function rivals(
  first: Record<string, number>,
  second: Record<string, number>,
): Promise<[string, string]> {
  const payer = { wallet: 'payer' };
  const [coin] = await call(
    'listunspent',
    [100],
    z.array(z.object({ txid: z.string(), vout: z.int(), amount: z.number() })),
    payer,
  );
  if (!coin) throw new Error('the payer has no coin');
  const sign = async (outputs: Record<string, number>): Promise<string> => {
    const spent = Object.values(outputs).reduce((sum, ltc) => sum + ltc, 0);
    const change = Number((coin.amount - spent - 0.001).toFixed(8));
    const back = await newAddress('payer');
    const raw = await call('createrawtransaction', [[coin], { ...outputs, [back]: change }], z.string());
    const signed = await call('signrawtransactionwithwallet', [raw], z.object({ hex: z.string() }), payer);
    return signed.hex;
  };
  return [await sign(first), await sign(second)];
}

function broadcast(hex: string): Promise<string> {
  return call('sendrawtransaction', [hex], z.string());
}

/** A block with these transactions only. */
async function mineOnly(...hexes: string[]): Promise<void> {
  await call('generateblock', [await newAddress('payer'), hexes], z.unknown());
}

function transitionsOf(id: string): string[] {
  return db
    .statement<{ to_status: string }>(
      'SELECT to_status FROM donation_transitions WHERE donation_id = ? ORDER BY seq',
    )
    .all(id)
    .map((row) => row.to_status);
}

describe('a payment', () => {
  it('goes from pending to forwarded, one step after the other', async () => {
    const { id, address } = await donate({ payerChatId: '280864204968068869' });
    expect(await seen(id)).toMatchObject({ status: 'pending', receivedLtc: 0, txId: '' });
    const txId = await send('payer', address, 0.125);
    expect(await seen(id)).toEqual({
      status: 'seen',
      receivedLtc: 0.125,
      confirmations: 0,
      txId,
      forwardTxId: '',
      error: null,
    });
    for (const confirmations of [1, 2]) {
      await node.mine(1);
      expect(await seen(id)).toMatchObject({ status: 'confirming', confirmations, txId });
    }
    expect(read(id).roleStatus).toBe('none');
    await node.mine(1);
    expect(await seen(id)).toMatchObject({ status: 'confirmed', confirmations: 3 });
    expect(read(id).roleStatus).toBe('waiting');
    db.write(() => setRoleStatus(db, id, 'done'));
    const forwardTxId = await forward(address);
    expect(await seen(id)).toMatchObject({ status: 'forwarding', txId, forwardTxId });
    await node.mine(1);
    expect(await seen(id)).toMatchObject({
      status: 'forwarded',
      confirmations: 4,
      txId,
      forwardTxId,
      error: null,
    });
    expect(read(id).roleStatus).toBe('done');
    expect(transitionsOf(id)).toEqual(['seen', 'confirming', 'confirmed', 'forwarding', 'forwarded']);
  });

  it('that never comes expires, and one that comes late is taken', async () => {
    const { id, address } = await donate();
    await poll();
    clock.offsetMs = 61 * MINUTE_MS;
    expect(await seen(id)).toMatchObject({ status: 'expired', error: null });
    await send('payer', address, 0.125);
    expect(await seen(id)).toMatchObject({ status: 'seen' });
    expect(transitionsOf(id)).toEqual(['expired', 'seen']);
  });

  it('and what spends it may come in the same block', async () => {
    const { id, address } = await donate({ requiredConfirmations: 1 });
    await poll();
    await send('payer', address, 0.125);
    const forwardTxId = await forward(address);
    await node.mine(1);
    expect(await seen(id)).toMatchObject({ status: 'forwarded', confirmations: 1, forwardTxId });
  });
});

describe('a reorganisation', () => {
  it('that gives the payment back to the mempool is followed back, and said', async () => {
    const { id, address } = await donate();
    await poll();
    await send('payer', address, 0.125);
    await node.mine(2);
    expect(await seen(id)).toMatchObject({ status: 'confirming', confirmations: 2 });
    const top = await bestBlock();
    const { previousblockhash: below } = await call(
      'getblockheader',
      [top],
      z.object({ previousblockhash: z.string() }),
    );
    await invalidate(below);
    expect(await seen(id)).toMatchObject({ status: 'seen', confirmations: 0, receivedLtc: 0.125 });
    expect(read(id).isReorganised).toBe(true);
    await mineAnew(3);
    expect(await seen(id)).toMatchObject({ status: 'confirmed', confirmations: 3, error: null });
  });

  it('that removes the payment leaves it pending at once', async () => {
    const { id, address } = await donate();
    await poll();
    const [paying, rival] = await rivals({ [address]: 0.125 }, { [await newAddress('payer')]: 0.125 });
    const txId = await broadcast(paying);
    await mineAnew(1);
    expect(await seen(id)).toMatchObject({ status: 'confirming', txId });
    await invalidate(await bestBlock());
    await mineOnly(rival);
    await mineAnew(1);
    expect(await seen(id)).toMatchObject({ status: 'pending', receivedLtc: 0, txId: '' });
    expect(read(id).isReorganised).toBe(true);
    // A payment that comes after all counts as ever.
    await send('payer', address, 0.125);
    await mineAnew(3);
    expect(await seen(id)).toMatchObject({ status: 'confirmed', receivedLtc: 0.125, error: null });
  });

  it('that undoes the forwarding is followed back', async () => {
    const { id, address } = await donate({ requiredConfirmations: 1 });
    await send('payer', address, 0.125);
    await mineAnew(1);
    await poll();
    await forward(address);
    await mineAnew(1);
    expect(await seen(id)).toMatchObject({ status: 'forwarded' });
    await invalidate(await bestBlock());
    expect(await seen(id)).toMatchObject({ status: 'forwarding', error: null });
    await mineAnew(1);
    expect(await seen(id)).toMatchObject({ status: 'forwarded' });
  });
});

describe('a payment in the mempool', () => {
  it('is gone as soon as a block spends its coins otherwise, also for a process that never saw it', async () => {
    const { id, address } = await donate();
    await poll();
    const [paying, rival] = await rivals({ [address]: 0.125 }, { [await newAddress('payer')]: 0.125 });
    await broadcast(paying);
    expect(await seen(id)).toMatchObject({ status: 'seen' });
    watch = watchOf(node);
    await mineOnly(rival);
    expect(await seen(id)).toMatchObject({ status: 'pending', receivedLtc: 0 });
  });
});

describe('after a pause', () => {
  it('of many blocks nothing is missing: another process catches up from the chain', async () => {
    const { id, address } = await donate();
    await poll();
    await send('payer', address, 0.125);
    await node.mine(5);
    const forwardTxId = await forward(address);
    await node.mine(30);
    watch = watchOf(node);
    expect(await seen(id)).toMatchObject({
      status: 'forwarded',
      confirmations: 35,
      forwardTxId,
      error: null,
    });
    expect(transitionsOf(id)).toEqual(['forwarded']);
  });

  it('goes on when the blocks that were read are of a chain that the node does not know', async () => {
    const { id, address } = await donate();
    await poll();
    db.statement("UPDATE litecoin_blocks SET hash = replace(hash, substr(hash, 1, 8), 'ffffffff')").run();
    await send('payer', address, 0.125);
    await node.mine(2);
    expect(await seen(id)).toMatchObject({ status: 'confirming', confirmations: 2 });
  });
});

describe('a node', () => {
  it('that was killed and came back without its mempool sees the payment again when it is sent again', async () => {
    const own = await startLitecoinNode();
    await call('createwallet', ['payer'], z.unknown(), { from: own });
    await call('generatetoaddress', [101, await newAddress('payer', own)], z.unknown(), { from: own });
    const { id, address } = await donate();
    watch = watchOf(own);
    await poll();
    // Has the node write its blocks to disk.
    await call('gettxoutsetinfo', [], z.unknown(), { from: own });
    const txId = await send('payer', address, 0.125, own);
    const paid = z.object({ hex: z.string() });
    const { hex } = await call('gettransaction', [txId], paid, { wallet: 'payer', from: own });
    expect(await seen(id)).toMatchObject({ status: 'seen' });
    await own.kill();
    expect(await seen(id)).toMatchObject({ status: 'seen' });
    expect(warnings.at(-1)).toMatch(/^donations: .*connection failed/);
    await own.start();
    // It has forgotten its mempool, until somebody sends the payment again.
    expect(await seen(id)).toMatchObject({ status: 'pending', receivedLtc: 0 });
    await call('sendrawtransaction', [hex], z.string(), { from: own });
    expect(await seen(id)).toMatchObject({ status: 'seen', receivedLtc: 0.125 });
    await own.mine(1);
    expect(await seen(id)).toMatchObject({ status: 'confirming', confirmations: 1 });
  });

  it('that is still catching up with the network knows of no time that is over', async () => {
    const empty = await startLitecoinNode();
    const { id } = await donate();
    watch = watchOf(empty);
    clock.offsetMs = 61 * MINUTE_MS;
    expect(await poll()).toEqual({ source: 'none', moved: 0 });
    expect(warnings).toEqual(['donations: the node is still catching up with the network']);
    expect(read(id).status).toBe('pending');
  });

  it('of another network is not believed', async () => {
    watch = watchOf(node, 'main');
    await poll();
    expect(warnings).toEqual(['donations: the node is on the chain regtest, but LITECOIN_NETWORK is main']);
  });
});

it('a thousand open donations cost two requests a poll, and two more for a block', async () => {
  const addresses = Array.from({ length: 1_000 }, (_, index) => getDemoKey().derive(index).address);
  db.write(() => {
    for (const address of addresses) makeDonation(db, { address, network: 'regtest' });
  });
  // Passes everything on and counts it.
  const proxy = await startLoopbackServer((request, response) => {
    void text(request)
      .then((body) => {
        const authorization = request.headers.authorization ?? '';
        const headers = { 'Content-Type': 'application/json', Authorization: authorization };
        return fetch(node.url, { method: 'POST', body, headers });
      })
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
  for (const address of addresses.slice(0, 5)) await send('payer', address, 0.125);
  expect(await cost(5)).toBe(2);
  await node.mine(1);
  expect(await cost(5)).toBe(1 + 2);
});

it('coins that leave MWEB count once, from their block on, and need six confirmations', async () => {
  const own = await startLitecoinNode(['-vbparams=mweb:0:9999999999']);
  const from = own;
  for (const name of ['payer', 'hidden']) await call('createwallet', [name], z.unknown(), { from });
  const miner = await newAddress('payer', own);
  await call('generatetoaddress', [431, miner], z.unknown(), { from });
  const inside = await call('getnewaddress', ['', 'mweb'], z.string(), { wallet: 'hidden', from });
  await send('payer', inside, 10, own);
  await call('generatetoaddress', [10, miner], z.unknown(), { from });

  const { id, address } = await donate();
  watch = watchOf(own);
  await poll();
  await send('hidden', address, 0.125, own);
  expect(await seen(id)).toMatchObject({ status: 'pending' });
  for (const [blocks, status, confirmations] of [
    [1, 'confirming', 1],
    [4, 'confirming', 5],
    [1, 'confirmed', 6],
  ] as const) {
    await call('generatetoaddress', [blocks, miner], z.unknown(), { from });
    expect(await seen(id)).toMatchObject({ status, receivedLtc: 0.125, confirmations, error: null });
  }
});
