/** The source in place of a node: a server on the loopback net that answers as Esplora does (its API.md). */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { evaluateDonations } from '#src/donations/evaluate-donations.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import { recordTransaction } from '#src/donations/record-transaction.ts';
import { createDonationWatch, POLL_MS, type WatchReport } from '#src/donations/watch-donations.ts';
import { recordScan } from '#src/donations/watched.ts';
import { startLoopbackServer, type LoopbackServer } from '../../support/loopback-server.ts';
import { makeDonation, MINUTE_MS, SAMPLE_ADDRESS } from '../../support/make-donation.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const TIP_HASH = 'f'.repeat(64);
const PAYMENT = 'a'.repeat(64);
const FORWARDING = 'b'.repeat(64);

interface Transaction {
  readonly txid: string;
  readonly status: { readonly confirmed: boolean; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

interface Spending {
  readonly vin: readonly { readonly txid: string; readonly vout: number }[];
  readonly vout: readonly { readonly scriptpubkey: string; readonly value: number }[];
}

let db: Database;
let id: string;
let explorer: LoopbackServer;
let watch: ReturnType<typeof createDonationWatch>;
let tip: number;
/** Newest first, the unconfirmed ones before all others, as Esplora lists them. */
let transactions: Transaction[];
/** As mempool.space's fork does it: one page of 50, the unconfirmed ones first. */
let isFork: boolean;
let answersGarbage: boolean;
let warnings: string[];
let clockMs: number;

const now = (): number => Date.now() + clockMs;
const parsed = parseLitecoinAddress(SAMPLE_ADDRESS, 'main');
const script = parsed.ok ? parsed.script : '';

beforeEach(async () => {
  db = await makeDatabase();
  id = makeDonation(db, { requiredConfirmations: 2, payerChatId: '123456789012345678' });
  tip = 100;
  transactions = [];
  isFork = false;
  answersGarbage = false;
  warnings = [];
  explorer = await startLoopbackServer((request, response) => {
    const path = request.url ?? '';
    if (answersGarbage) return response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"a":');
    if (path === '/api/blocks/tip/hash')
      return response.writeHead(200, { 'Content-Type': 'text/plain' }).end(TIP_HASH);
    const body = path.startsWith('/api/block/')
      ? { id: TIP_HASH, height: tip, timestamp: Math.floor(Date.now() / 1000) }
      : answerTransactions(path.replace('/api', ''));
    if (!body) return response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Transaction not found');
    return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  clockMs = 0;
  watch = watchExplorer();
});

function answerTransactions(path: string): object | undefined {
  if (path.startsWith('/tx/')) return transactions.find(({ txid }) => path === `/tx/${txid}`);
  const confirmed = transactions.filter(({ status }) => status.confirmed);
  const [, last] = /^\/address\/\w+\/txs\/chain\/(\w+)$/.exec(path) ?? [];
  if (last !== undefined) {
    const at = confirmed.findIndex(({ txid }) => txid === last);
    return at === -1 ? [] : confirmed.slice(at + 1, at + 26);
  }
  if (path === `/address/${SAMPLE_ADDRESS}/txs/chain`) return confirmed.slice(0, 25);
  if (path !== `/address/${SAMPLE_ADDRESS}/txs`) return [];
  if (isFork) return transactions.slice(0, 50);
  const unconfirmed = transactions.filter(({ status }) => !status.confirmed);
  return [...unconfirmed.slice(0, 50), ...confirmed.slice(0, 25)];
}

function watchExplorer() {
  return createDonationWatch({ network: 'main', rpc: undefined, esploraUrl: `${explorer.origin}/api` }, now);
}

/** The explorer is asked every second time only: so much later. */
function poll(): Promise<WatchReport> {
  clockMs += 2 * POLL_MS;
  return watch({
    db,
    write: (change) => db.write(change),
    signal: new AbortController().signal,
    warn: (source, error) => warnings.push(`${source}: ${(error as Error).message}`),
  });
}

function statusAt(height?: number): Transaction['status'] {
  return height === undefined
    ? { confirmed: false }
    : {
        confirmed: true,
        block_height: height,
        block_hash: 'e'.repeat(64),
        block_time: Math.floor(Date.now() / 1000),
      };
}

function payment(litoshi: number, height?: number, txid = PAYMENT): Transaction {
  return {
    txid,
    vin: [{ txid: 'c'.repeat(64), vout: 1, prevout: { scriptpubkey: '0014', value: 1 } }],
    vout: [
      { scriptpubkey: '0014ffff', scriptpubkey_address: 'ltc1other', value: 77 },
      { scriptpubkey: script, scriptpubkey_address: SAMPLE_ADDRESS, value: litoshi },
    ],
    fee: 1_000,
    status: statusAt(height),
  };
}

/** Payments of one litoshi each. */
function dust(count: number, height?: number): Transaction[] {
  const kind = height === undefined ? 'd' : `e${height}`;
  return Array.from({ length: count }, (_, index) => payment(1, height, `${kind}${index}`.padStart(64, '0')));
}

function forwarding(height?: number): Transaction {
  return {
    txid: FORWARDING,
    vin: [{ txid: PAYMENT, vout: 1 }],
    vout: [{ scriptpubkey: '0014eeee', value: 12_499_000 }],
    status: statusAt(height),
  };
}

/** Donations that nobody pays. */
function makeOthers(count: number): void {
  db.write(() => {
    for (let index = 0; index < count; index += 1) {
      db.statement(
        `INSERT INTO donations (id, network, address, script, status, status_since, minimum_litoshi, rate_grosze,
           premium_month_grosze, premium_lifetime_grosze, required_confirmations, created_at, expires_at)
         VALUES (?, 'main', ?, ?, 'pending', 0, 1, 1, 1, 1, 1, ?, ?)`,
      ).run(
        `ltc_${String(index).padStart(16, '0')}`,
        `address${index}`,
        `script${index}`,
        Date.now(),
        Date.now() + 1e6,
      );
    }
  });
}

function askedAddresses(): string[] {
  return explorer.requests.flatMap((line) => /\/address\/(\w+)\/txs$/.exec(line)?.[1] ?? []);
}

async function seen(): Promise<object> {
  await poll();
  const donation = findDonation(db, id);
  if (!donation) throw new Error('gone');
  const { status, receivedLitoshi, confirmations, txId, forwardTxId, roleStatus } = donation;
  return { status, receivedLitoshi, confirmations, txId, forwardTxId, roleStatus };
}

describe('the explorer', () => {
  it('tells a payment from the mempool to its forwarding', async () => {
    expect(await seen()).toMatchObject({ status: 'pending' });
    transactions = [payment(12_500_000)];
    expect(await seen()).toMatchObject({ status: 'seen', receivedLitoshi: 12_500_000, txId: PAYMENT });
    transactions = [payment(12_500_000, 101)];
    tip = 101;
    expect(await seen()).toMatchObject({ status: 'confirming', confirmations: 1 });
    tip = 102;
    expect(await seen()).toMatchObject({ status: 'confirmed', confirmations: 2 });
    // Newest first, as Esplora lists them.
    transactions = [forwarding(), payment(12_500_000, 101)];
    expect(await seen()).toMatchObject({ status: 'forwarding', forwardTxId: FORWARDING });
    transactions = [forwarding(103), payment(12_500_000, 101)];
    tip = 103;
    expect(await seen()).toMatchObject({ status: 'forwarded', forwardTxId: FORWARDING });
  });

  it('changes nothing when it answers nonsense', async () => {
    transactions = [payment(10_000_000, 100)];
    expect(await seen()).toMatchObject({ status: 'underpaid', receivedLitoshi: 10_000_000 });
    answersGarbage = true;
    expect(await poll()).toMatchObject({ source: 'none', moved: 0 });
    expect(warnings).toEqual([expect.stringMatching(/^explorer: /)]);
  });

  it('is asked every second poll only, and what it said stands in between', async () => {
    transactions = [payment(12_500_000, 100)];
    expect(await seen()).toMatchObject({ status: 'confirming', confirmations: 1 });
    clockMs -= POLL_MS;
    explorer.requests.length = 0;
    expect(await seen()).toMatchObject({ status: 'confirming', confirmations: 1 });
    expect(explorer.requests).toEqual([]);
  });

  it('has to be asked for a donation after its time before that expires', async () => {
    expect(await seen()).toMatchObject({ status: 'pending' });
    clockMs += 61 * MINUTE_MS;
    answersGarbage = true;
    expect(await seen()).toMatchObject({ status: 'pending' });
    answersGarbage = false;
    watch = watchExplorer();
    expect(await seen()).toMatchObject({ status: 'expired' });
  });

  it('is asked for so many donations a poll, those first that waited longest', async () => {
    makeOthers(30);
    await poll();
    expect(askedAddresses()).toHaveLength(20);
    await poll();
    expect(new Set(askedAddresses()).size).toBe(31);
  });
});

describe('a donation that a node has followed', () => {
  const PAID = payment(12_500_000, 90);
  const FORWARDED = forwarding(95);

  /** Records these transactions as the watch of a node does. */
  function recordByNode(seen: readonly Transaction[]): void {
    db.write(() => {
      db.statement("INSERT INTO litecoin_blocks (height, hash) VALUES (100, 'f')").run();
      for (const { txid, vin, vout, status } of seen as (Transaction & Spending)[]) {
        const outputs = vout.map(({ scriptpubkey, value }, place) => ({
          vout: place,
          script: scriptpubkey,
          litoshi: value,
          kind: 'plain' as const,
        }));
        const spends = vin.map(({ txid: txId, vout: place }) => ({ txId, vout: place }));
        const height = (status['block_height'] as number | undefined) ?? null;
        recordTransaction(db, { txId: txid, outputs, spends }, { height, at: now() });
      }
      recordScan(db, now());
      evaluateDonations(db, { tip, scannedAt: now(), now: now() });
    });
  }

  it.each<[string, Transaction[], minutes?: number]>([
    ['pending', []],
    ['underpaid', [payment(1, 90)]],
    ['seen', [payment(12_500_000)]],
    ['confirming', [payment(12_500_000, 100)]],
    ['confirmed', [PAID]],
    ['forwarding', [forwarding(), PAID]],
    ['forwarded', [FORWARDED, PAID]],
    ['expired', [], 61],
  ])('stays %s under the explorer, at its address', async (status, recorded, minutes = 0) => {
    transactions = recorded;
    clockMs = minutes * MINUTE_MS;
    recordByNode(recorded.toReversed());
    const before = findDonation(db, id);
    expect(before).toMatchObject({ status, address: SAMPLE_ADDRESS });
    await poll();
    expect(findDonation(db, id)).toEqual(before);
    expect(warnings).toEqual([]);
  });

  it('goes on from there', async () => {
    recordByNode([payment(12_500_000)]);
    transactions = [PAID];
    expect(await seen()).toMatchObject({ status: 'confirmed' });
    transactions = [FORWARDED, PAID];
    expect(await seen()).toMatchObject({ status: 'forwarded', forwardTxId: FORWARDING });
  });
});

describe('dust that pushes a payment off the first page of the explorer', () => {
  async function pay(): Promise<void> {
    transactions = [payment(12_500_000, 99)];
    expect(await seen()).toMatchObject({ status: 'confirmed', receivedLitoshi: 12_500_000 });
  }

  it.each([
    ['25 confirmed', false, () => dust(25, 100)],
    ['60 confirmed', false, () => dust(60, 100)],
    ['50 unconfirmed, at a fork that then names nothing else,', true, () => dust(50)],
    ['30 unconfirmed and 20 confirmed, at such a fork,', true, () => [...dust(30), ...dust(20, 100)]],
  ])('%s payments leave it confirmed', async (_, fork, add) => {
    isFork = fork;
    await pay();
    transactions.unshift(...add());
    for (let polls = 0; polls < 3; polls += 1)
      expect(await seen()).toMatchObject({ status: 'confirmed', txId: PAYMENT, roleStatus: 'waiting' });
    expect(warnings).toEqual([]);
  });

  it('leaves an unconfirmed payment seen, and follows it into a block', async () => {
    transactions = [payment(12_500_000)];
    expect(await seen()).toMatchObject({ status: 'seen' });
    transactions.unshift(...dust(50));
    expect(await seen()).toMatchObject({ status: 'seen', txId: PAYMENT });
    tip = 101;
    transactions = [...dust(30, 101), payment(12_500_000, 101)];
    expect(await seen()).toMatchObject({ status: 'confirming', txId: PAYMENT });
  });

  it('leaves its forwarding where it was', async () => {
    await pay();
    transactions.unshift(forwarding(100));
    expect(await seen()).toMatchObject({ status: 'forwarded' });
    tip = 101;
    transactions.unshift(...dust(30, 101));
    expect(await seen()).toMatchObject({ status: 'forwarded', forwardTxId: FORWARDING });
  });

  it('does not hide that a block or a payment was taken back', async () => {
    await pay();
    transactions.unshift(...dust(30, 100));
    expect(await seen()).toMatchObject({ status: 'confirmed' });
    // The payment is the last of 51 unconfirmed ones: the explorer names it only when it is asked for it.
    transactions = [...dust(50), payment(12_500_000), ...dust(30, 100)];
    expect(await seen()).toMatchObject({ status: 'seen', confirmations: 0, txId: PAYMENT });
    transactions = dust(30, 100);
    expect(await seen()).toMatchObject({ status: 'underpaid' });
  });

  it.each([false, true])('does not hide a payment of the same block (fork: %s)', async (fork) => {
    isFork = fork;
    transactions = [...dust(60, 99), payment(12_500_000, 99)];
    expect(await seen()).toMatchObject({ status: 'confirmed', txId: PAYMENT });
    // A fork of the explorer names no confirmed payment at all beside 50 unconfirmed ones.
    transactions = [...dust(50), ...dust(200, 100), payment(1_000, 100, FORWARDING), ...transactions];
    expect(await seen()).toMatchObject({ status: 'confirmed', receivedLitoshi: 12_500_000 + 1_000 + 310 });
  });

  it('costs a bounded number of questions a poll, and every donation gets its turn', async () => {
    makeOthers(30);
    // More than is read in one poll, and then another two thousand instead.
    for (const height of [99, 100, 98, 97]) {
      transactions = [...dust(60), ...dust(2_000, height)];
      const before = explorer.requests.length;
      await poll();
      expect(explorer.requests.length - before).toBeLessThanOrEqual(40);
    }
    expect(new Set(askedAddresses()).size).toBe(31);
    expect(warnings).toEqual([]);
  });
});
