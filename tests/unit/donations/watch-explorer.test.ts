/** The second source: a server on the loopback net that answers as Esplora does (its API.md; ecosystem facts, 3.5). */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import { createDonationWatch, POLL_MS } from '#src/donations/watch-donations.ts';
import type { DonationWatch, WatchReport } from '#src/donations/watch-donations.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import type { LoopbackServer } from '../../support/loopback-server.ts';
import { makeDonation, MINUTE_MS, SAMPLE_ADDRESS } from '../../support/make-donation.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const TIP_HASH = 'f'.repeat(64);
const PAYMENT = 'a'.repeat(64);
const FORWARDING = 'b'.repeat(64);

let db: Database;
let id: string;
let explorer: LoopbackServer;
let watch: DonationWatch;
let tip: number;
let transactions: object[];
let answersGarbage: boolean;
let warnings: string[];
let clockMs: number;

const now = (): number => Date.now() + clockMs;
const parsed = parseLitecoinAddress(SAMPLE_ADDRESS, 'main');
const script = parsed.ok ? parsed.script : '';

beforeEach(async () => {
  db = await makeDatabase();
  id = makeDonation(db, { requiredConfirmations: 2 });
  tip = 100;
  transactions = [];
  answersGarbage = false;
  warnings = [];
  explorer = await startLoopbackServer((request, response) => {
    const path = request.url ?? '';
    if (answersGarbage) return response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"a":');
    if (path === '/api/blocks/tip/hash')
      return response.writeHead(200, { 'Content-Type': 'text/plain' }).end(TIP_HASH);
    const body = path.startsWith('/api/block/')
      ? { id: TIP_HASH, height: tip, timestamp: Math.floor(Date.now() / 1000) }
      : path === `/api/address/${SAMPLE_ADDRESS}/txs`
        ? transactions
        : [];
    return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  clockMs = 0;
  watch = watchExplorer();
});

function watchExplorer(): DonationWatch {
  return createDonationWatch({ network: 'main', rpc: undefined, esploraUrl: `${explorer.origin}/api` }, now);
}

/** The explorer is asked every second time only: so much later. */
function poll(): Promise<WatchReport> {
  clockMs += 2 * POLL_MS;
  return watch.run({
    db,
    write: (change) => db.write(change),
    signal: new AbortController().signal,
    warn: (source, error) => warnings.push(`${source}: ${(error as Error).message}`),
  });
}

function statusAt(height?: number): object {
  return height === undefined
    ? { confirmed: false }
    : {
        confirmed: true,
        block_height: height,
        block_hash: 'e'.repeat(64),
        block_time: Math.floor(Date.now() / 1000),
      };
}

function payment(litoshi: number, height?: number): object {
  return {
    txid: PAYMENT,
    vin: [{ txid: 'c'.repeat(64), vout: 1, prevout: { scriptpubkey: '0014', value: 1 } }],
    vout: [
      { scriptpubkey: '0014ffff', scriptpubkey_address: 'ltc1other', value: 77 },
      { scriptpubkey: script, scriptpubkey_address: SAMPLE_ADDRESS, value: litoshi },
    ],
    fee: 1_000,
    status: statusAt(height),
  };
}

function forwarding(height?: number): object {
  return {
    txid: FORWARDING,
    vin: [{ txid: PAYMENT, vout: 1 }],
    vout: [{ scriptpubkey: '0014eeee', value: 12_499_000 }],
    status: statusAt(height),
  };
}

async function seen(): Promise<object> {
  await poll();
  const donation = findDonation(db, id);
  if (!donation) throw new Error('gone');
  const { status, receivedLitoshi, confirmations, txId, forwardTxId } = donation;
  return { status, receivedLitoshi, confirmations, txId, forwardTxId };
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

  it('is followed back when it takes a block or a payment back', async () => {
    transactions = [payment(12_500_000, 100)];
    expect(await seen()).toMatchObject({ status: 'confirming' });
    transactions = [payment(12_500_000)];
    expect(await seen()).toMatchObject({ status: 'seen', confirmations: 0 });
    transactions = [];
    expect(await seen()).toMatchObject({ status: 'pending', receivedLitoshi: 0, txId: null });
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
    db.write(() => {
      for (let index = 0; index < 30; index += 1) {
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
    const asked = (): string[] => explorer.requests.filter((line) => line.includes('/address/'));
    await poll();
    expect(asked()).toHaveLength(20);
    await poll();
    expect(new Set(asked()).size).toBe(31);
  });

  it('stands in for a node that fails', async () => {
    const rpc = { url: 'http://127.0.0.1:1', login: undefined };
    watch = createDonationWatch({ network: 'main', rpc, esploraUrl: `${explorer.origin}/api` }, now);
    transactions = [payment(12_500_000)];
    expect(await poll()).toMatchObject({ source: 'explorer', moved: 1 });
    expect(warnings).toEqual([expect.stringMatching(/^node: .*connection failed/)]);
  });
});
