/** The source in place of a node: a server on the loopback net that answers as Esplora does (its API.md). */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { evaluateDonations } from '#src/donations/evaluate-donations.ts';
import type { Donation } from '#src/donations/donation.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import { recordTransaction } from '#src/donations/record-transaction.ts';
import { createDonationWatch, POLL_MS, type WatchReport } from '#src/donations/watch-donations.ts';
import { findMonitoring, recordScan, recordUnread } from '#src/donations/monitoring.ts';
import { makeJobContext } from '../../support/job-context.ts';
import { startLoopbackServer, type LoopbackServer } from '../../support/loopback-server.ts';
import { makeDonation, MINUTE_MS, SAMPLE_ADDRESS } from '../../support/make-donation.ts';
import { noteOutages } from '../../support/note-outages.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const TIP_HASH = 'f'.repeat(64);
const PAYMENT = 'a'.repeat(64);
const FORWARDING = 'b'.repeat(64);
const WHOLE = 12_500_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Transaction = ReturnType<typeof payment>;

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
let refusedPath: string;
let warnings: string[];
let clockMs: number;
/** Time of the newest block, from that of the clock. */
let chainLagMs: number;

const now = (): number => Date.now() + clockMs;
const parsed = parseLitecoinAddress(SAMPLE_ADDRESS, 'main');
const script = parsed.ok ? parsed.script : '';

beforeEach(async () => {
  db = await makeDatabase();
  id = makeDonation(db, { required_confirmations: 2, payerChatId: '123456789012345678' });
  tip = 100;
  transactions = [];
  isFork = false;
  answersGarbage = false;
  refusedPath = '';
  warnings = [];
  explorer = await startLoopbackServer((request, response) => {
    const path = request.url?.replace('/api', '') ?? '';
    const isTip = path === '/blocks/tip/hash' && !answersGarbage;
    response.setHeader('Content-Type', isTip ? 'text/plain' : 'application/json');
    if (isTip) return response.end(TIP_HASH);
    const block = { id: TIP_HASH, height: tip, timestamp: Math.floor((now() - chainLagMs) / 1000) };
    const body = path.startsWith('/block/') ? block : answerTransactions(path);
    return response.writeHead(body ? 200 : 404).end(answersGarbage ? '{"a":' : JSON.stringify(body ?? null));
  });
  clockMs = 0;
  chainLagMs = 0;
  watch = createDonationWatch({ network: 'main', rpc: undefined, esploraUrl: `${explorer.origin}/api` }, now);
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
  const [, paid] = /^\/address\/(confirmed\w+)\/txs$/.exec(path) ?? [];
  if (paid !== undefined)
    return [{ ...payment(1, 99, txIdOf(paid)), vout: [{ scriptpubkey: `script of ${paid}`, value: 1 }] }];
  if (path !== `/address/${SAMPLE_ADDRESS}/txs`) return path === refusedPath ? undefined : [];
  if (isFork) return transactions.slice(0, 50);
  const unconfirmed = transactions.filter(({ status }) => !status.confirmed);
  return [...unconfirmed.slice(0, 50), ...confirmed.slice(0, 25)];
}

/** The explorer is asked every second time only: so much later. */
function poll(): Promise<WatchReport> {
  clockMs += 2 * POLL_MS;
  return watch({ ...makeJobContext(db), outages: noteOutages(warnings) });
}

function statusAt(height: number | undefined, minedAt = Date.now()) {
  const block = { block_height: height, block_time: Math.floor(minedAt / 1000) };
  return { confirmed: height !== undefined, ...(height !== undefined && block) };
}

function payment(litoshi: number, height?: number, txid = PAYMENT) {
  return {
    txid,
    vin: [{ txid: 'c'.repeat(64), vout: 1 }],
    vout: [
      { scriptpubkey: '0014ffff', value: 77 },
      { scriptpubkey: script, value: litoshi },
    ],
    status: statusAt(height),
  };
}

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

/** Donations that nobody pays, or whose payment the source has seen. */
function makeOthers(count: number, status = 'pending'): void {
  const insert = db.statement(
    `INSERT INTO donations (id, network, address, script, status, status_since, minimum_litoshi, rate_grosze,
       premium_month_grosze, premium_lifetime_grosze, required_confirmations, created_at, expires_at)
     VALUES (?, 'main', ?, ?, ?, 0, 1, 1, 1, 1, 1, ?, ?)`,
  );
  const output = db.statement(
    `INSERT INTO donation_outputs (tx_id, vout, donation_id, litoshi, height, first_seen_at, kind)
     VALUES (?, 0, ?, 1, 99, ?, 'plain')`,
  );
  for (let index = 0; index < count; index += 1) {
    const name = `${status}${index}`;
    insert.run(`ltc_${name}`, name, `script of ${name}`, status, Date.now(), Date.now() + 1e6);
    if (status === 'confirmed') output.run(txIdOf(name), `ltc_${name}`, Date.now());
  }
}

function txIdOf(name: string): string {
  return Buffer.from(name).toString('hex').padStart(64, '0');
}

function askedAddresses(): Map<string, number> {
  const asked = explorer.requests.flatMap((line) => /\/address\/(\w+)\/txs$/.exec(line)?.[1] ?? []);
  return new Map([...Map.groupBy(asked, (each) => each)].map(([address, times]) => [address, times.length]));
}

async function seen(): Promise<object | undefined> {
  await poll();
  return findDonation(db, id);
}

describe('the explorer', () => {
  it('tells a payment from the mempool to its forwarding', async () => {
    expect(await seen()).toMatchObject({ status: 'pending' });
    transactions = [payment(WHOLE)];
    expect(await seen()).toMatchObject({ status: 'seen', receivedLitoshi: WHOLE, txId: PAYMENT });
    transactions = [payment(WHOLE, 101)];
    tip = 101;
    expect(await seen()).toMatchObject({ status: 'confirming', confirmations: 1 });
    tip = 102;
    expect(await seen()).toMatchObject({ status: 'confirmed', confirmations: 2 });
    // Newest first, as Esplora lists them.
    transactions = [forwarding(), payment(WHOLE, 101)];
    expect(await seen()).toMatchObject({ status: 'confirmed' });
    clockMs += HOUR_MS;
    expect(await seen()).toMatchObject({ status: 'forwarding', forwardTxId: FORWARDING });
    transactions = [forwarding(103), payment(WHOLE, 101)];
    tip = 103;
    clockMs += HOUR_MS;
    expect(await seen()).toMatchObject({ status: 'forwarded', forwardTxId: FORWARDING });
  });

  it('changes nothing when it answers nonsense, and lets no time run out', async () => {
    transactions = [payment(10_000_000, 100)];
    expect(await seen()).toMatchObject({ status: 'underpaid', receivedLitoshi: 10_000_000 });
    transactions = [];
    answersGarbage = true;
    clockMs += 61 * MINUTE_MS;
    expect(await poll()).toEqual({ source: 'none', moved: 0 });
    expect(findDonation(db, id)).toMatchObject({ status: 'underpaid' });
    expect(warnings).toEqual([expect.stringMatching(/^donations: /)]);
    answersGarbage = false;
    expect(await seen()).toMatchObject({ status: 'expired', receivedLitoshi: 0 });
  });

  it('ends what a pruned node could not read', async () => {
    db.write((tx) => recordUnread(tx, now()));
    expect(findMonitoring(db, findDonation(db, id) as Donation, true, now())).toBe('unread');
    clockMs += 3 * HOUR_MS;
    expect(await seen()).toMatchObject({ status: 'expired', isUnread: false });
  });

  it('is asked every second poll only, and for an open donation', async () => {
    await poll();
    clockMs -= POLL_MS;
    explorer.requests.length = 0;
    await poll();
    db.statement('UPDATE donations SET settled = 1').run();
    expect(await poll()).toEqual({ source: 'none', moved: 0 });
    expect(explorer.requests).toEqual([]);
  });

  it('is asked first about a donation whose payment is awaited, and once an hour about a paid one', async () => {
    makeOthers(100, 'confirmed');
    for (let polls = 0; polls < 3; polls += 1) await poll();
    expect(askedAddresses().get(SAMPLE_ADDRESS)).toBe(3);
    expect(askedAddresses().size).toBe(1 + 3 * 19);
    expect(findMonitoring(db, findDonation(db, id) as Donation, true, now())).toBe('yes');
    const waiting = findDonation(db, 'ltc_confirmed99') as Donation;
    expect(findMonitoring(db, waiting, true, now())).toBe('yes');
    expect(findMonitoring(db, waiting, true, now() + 2 * MINUTE_MS)).not.toBe('yes');
    for (let polls = 0; polls < 4; polls += 1) await poll();
    expect([...askedAddresses().values()].filter((times) => times > 1)).toEqual([7]);
    expect(askedAddresses().size).toBe(101);
  });

  it('is asked fairly about 150 donations at once, and their pages do not say that nobody watches', async () => {
    makeOthers(149);
    makeOthers(1, 'confirmed');
    for (let polls = 0; polls < 9; polls += 1) await poll();
    expect(askedAddresses().size).toBe(151);
    expect(askedAddresses().get('confirmed0')).toBe(1);
    for (const each of db.statement<{ id: string }>('SELECT id FROM donations').all())
      expect(findMonitoring(db, findDonation(db, each.id) as Donation, true, now())).toBe('yes');
  });

  it('is asked about the others when it refuses one, and says so', async () => {
    makeOthers(2);
    refusedPath = '/address/pending0/txs';
    for (let polls = 0; polls < 2; polls += 1) expect(await poll()).toMatchObject({ source: 'explorer' });
    expect(warnings).toEqual(Array(2).fill(expect.stringMatching(/^donations: .* answered 404$/)));
    const addresses = [SAMPLE_ADDRESS, 'pending0', 'pending1'];
    expect(askedAddresses()).toEqual(new Map(addresses.map((address) => [address, 2])));
  });

  it('forgets a payment that lies deep, and learns of its forwarding within a day', async () => {
    const settled = () => db.statement('SELECT settled FROM donations').pluck().get();
    transactions = [payment(WHOLE, 100)];
    tip = 199;
    expect(await seen()).toMatchObject({ status: 'confirmed' });
    expect(settled()).toBe(1);
    transactions = [forwarding(201), payment(WHOLE, 100)];
    tip = 201;
    expect(await poll()).toEqual({ source: 'none', moved: 0 });
    clockMs += DAY_MS;
    expect(await seen()).toMatchObject({ status: 'forwarded', forwardTxId: FORWARDING });
    expect(settled()).toBe(0);
  });

  it('is asked once a day about a donation that has expired, and takes a payment after weeks', async () => {
    clockMs = 2 * HOUR_MS;
    expect(await seen()).toMatchObject({ status: 'expired' });
    clockMs += DAY_MS;
    for (let polls = 0; polls < 5; polls += 1) await poll();
    expect(askedAddresses().get(SAMPLE_ADDRESS)).toBe(2);
    // Settled, too, which takes a month.
    for (const days of [20, 40]) {
      clockMs = days * DAY_MS;
      expect(await seen()).toMatchObject({ status: 'expired' });
    }
    transactions = [payment(WHOLE, 99)];
    clockMs += DAY_MS;
    expect(await seen()).toMatchObject({ status: 'confirmed', isLate: false });
  });

  it('is not asked for what an address received long before the donation', async () => {
    const old = dust(60, 90).map((each) => ({ ...each, status: statusAt(90, Date.now() - 1e9) }));
    transactions = [payment(WHOLE, 99), ...old];
    await poll();
    expect(explorer.requests.filter((line) => line.includes('/txs'))).toHaveLength(1);
  });
});

describe('a clock that is wrong', () => {
  // That a donation ends once the chain is past its time is in evaluate-donations.
  it.each([
    [1_500, 'seen'],
    [-1_500, 'pending'],
  ])('%i days off for one start ends nothing and misses no payment', async (days, status) => {
    await poll();
    clockMs += days * DAY_MS;
    chainLagMs = days * DAY_MS;
    transactions = [payment(WHOLE)];
    await poll();
    expect(findDonation(db, id)).toMatchObject({ status });
    if (days < 0)
      expect(warnings).toEqual([expect.stringMatching(/more than a day ahead of this machine's/)]);
    expect(db.statement('SELECT settled FROM donations').pluck().get()).toBe(0);
    clockMs = 2 * HOUR_MS;
    chainLagMs = 0;
    transactions = [payment(WHOLE, 91)];
    expect(await seen()).toMatchObject({ status: 'confirmed', confirmations: 10, isLate: false });
  });

  it('loses no payment to a donation that it made in the future', async () => {
    const ahead = 1_500 * DAY_MS;
    const later = `created_at = created_at + ${ahead}, expires_at = expires_at + ${ahead}`;
    db.connection.exec(`UPDATE donations SET ${later}`);
    transactions = [payment(WHOLE, 99)];
    expect(await seen()).toMatchObject({ status: 'confirmed', isLate: false });
    expect(findDonation(db, id)?.createdAt).toBeLessThan(now() + DAY_MS);
  });
});

describe('an answer of the explorer that cannot be right', () => {
  const SUPPLY = 84_000_000 * 1e8;
  const twice = (value: number): Transaction => {
    const one = payment(value, 99);
    return { ...one, vout: [...one.vout, ...one.vout] };
  };

  it.each<[string, () => void]>([
    ['half a litoshi', () => (transactions = [payment(0.5, 99)])],
    ['two outputs above the supply', () => (transactions = [twice(SUPPLY / 2 + 1)])],
    ['too much in two', () => (transactions = [payment(SUPPLY, 99), payment(1, 99, 'e'.repeat(64))])],
    ['a negative height', () => (transactions = [payment(WHOLE, -1)])],
    ['a block of 2090', () => (transactions = [{ ...payment(WHOLE), status: statusAt(99, Date.UTC(2090)) }])],
    ['a block without a time', () => (transactions = [{ ...payment(WHOLE), status: { confirmed: true } }])],
    ['a tip of 2090', () => (chainLagMs = Date.now() - Date.UTC(2090))],
    ['a tip far beyond all blocks', () => (tip = 90_000_000)],
  ])('is refused whole: %s', async (_what, change) => {
    change();
    expect(await seen()).toMatchObject({ status: 'pending' });
    expect(db.statement('SELECT count(*) FROM donation_outputs').pluck().get()).toBe(0);
    expect(warnings).toHaveLength(1);
  });
});

describe('a donation that a node has followed', () => {
  const PAID = payment(WHOLE, 90);
  const FORWARDED = forwarding(95);

  /** Records these transactions as the watch of a node does. */
  function recordByNode(known: readonly Transaction[]): void {
    db.write((tx) => {
      tx.statement("INSERT INTO litecoin_blocks (height, hash) VALUES (100, 'f')").run();
      for (const { txid, vin, vout, status } of known) {
        const outputs = vout.map(({ scriptpubkey: script, value: litoshi }, at) => ({
          vout: at,
          script,
          litoshi,
        }));
        const found = { height: status.block_height ?? null, at: now(), tipAt: now() };
        recordTransaction(tx, { txId: txid, inputs: vin, outputs }, found);
      }
      recordScan(tx, now());
      evaluateDonations(tx, { tip, tipAt: now(), scannedAt: now(), asked: 'all' }, now());
    });
  }

  it.each<[string, Transaction[], minutes?: number]>([
    ['underpaid', [payment(1, 90)]],
    ['seen', [payment(WHOLE)]],
    ['forwarded', [FORWARDED, PAID]],
    ['expired', [], 61],
  ])('stays %s under the explorer, at its address', async (status, recorded, minutes = 0) => {
    transactions = recorded;
    clockMs = minutes * MINUTE_MS;
    recordByNode(recorded.toReversed());
    const before = findDonation(db, id);
    expect(before).toMatchObject({ status, address: SAMPLE_ADDRESS });
    await poll();
    expect(findDonation(db, id)).toEqual({ ...before, askedAt: expect.any(Number) as number });
    expect(warnings).toEqual([]);
  });

  it('goes on from there', async () => {
    recordByNode([payment(WHOLE)]);
    transactions = [FORWARDED, PAID];
    expect(await seen()).toMatchObject({ status: 'forwarded', forwardTxId: FORWARDING });
  });
});

describe('dust that pushes a payment off the first page of the explorer', () => {
  const pay = async (): Promise<void> => {
    transactions = [payment(WHOLE, 99)];
    expect(await seen()).toMatchObject({ status: 'confirmed', receivedLitoshi: WHOLE });
  };

  it.each([
    ['25 confirmed', false, () => dust(25, 100)],
    ['50 unconfirmed, at a fork that then names nothing else,', true, () => dust(50)],
    ['30 unconfirmed and 20 confirmed, at such a fork,', true, () => [...dust(30), ...dust(20, 100)]],
    ['300 confirmed', false, () => dust(300, 100)],
  ])('%s payments leave it confirmed', async (_, fork, add) => {
    isFork = fork;
    await pay();
    transactions.unshift(...add());
    for (let polls = 0; polls < 3; polls += 1)
      expect(await seen()).toMatchObject({ status: 'confirmed', txId: PAYMENT, roleStatus: 'waiting' });
    expect(warnings).toEqual([]);
  });

  it('leaves an unconfirmed payment seen, and follows it into a block', async () => {
    transactions = [payment(WHOLE)];
    expect(await seen()).toMatchObject({ status: 'seen' });
    transactions.unshift(...dust(50));
    expect(await seen()).toMatchObject({ status: 'seen', txId: PAYMENT });
    tip = 101;
    transactions = [...dust(30, 101), payment(WHOLE, 101)];
    expect(await seen()).toMatchObject({ status: 'confirming', txId: PAYMENT });
  });

  it('does not hide that a block or a payment was taken back', async () => {
    await pay();
    // The payment is the last of 51 unconfirmed ones: the explorer names it only when it is asked for it.
    transactions = [...dust(50), payment(WHOLE), ...dust(30, 100)];
    clockMs += HOUR_MS;
    expect(await seen()).toMatchObject({ status: 'seen', confirmations: 0, txId: PAYMENT });
    transactions = dust(30, 100);
    expect(await seen()).toMatchObject({ status: 'underpaid' });
  });

  it.each([false, true])('does not hide a payment of the same block (fork: %s)', async (fork) => {
    isFork = fork;
    // A fork of the explorer names no confirmed payment at all beside 50 unconfirmed ones.
    transactions = [...dust(50), ...dust(200, 100), payment(WHOLE, 99)];
    expect(await seen()).toMatchObject({ status: 'confirmed', receivedLitoshi: WHOLE + 250 });
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
    expect(askedAddresses().size).toBe(31);
    expect(warnings).toEqual([]);
  });
});
