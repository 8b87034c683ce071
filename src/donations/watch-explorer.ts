/**
 * A block explorer with the Esplora API instead of a node. It answers by address, so that a poll reads a bounded
 * number of donations, longest unread first. The records equal those of a node, so that an operator may change the
 * source at any time.
 */
import { z } from 'zod';
import { build } from '../db/database.ts';
import type { Esplora } from '../outbound/esplora.ts';
import { ignoreNotFound } from '../outbound/outbound-error.ts';
import { openDonations } from './evaluate-donations.ts';
import {
  BLOCK_TIME_SLACK_MS,
  dropTransaction,
  isHogEx,
  recordTransaction,
  type ChainTransaction,
} from './record-transaction.ts';
import type { PollContext } from './poll-context.ts';

/**
 * Requests per poll, out of consideration for public explorers. The donation that reaches the limit is read
 * completely.
 */
const CALLS_MAX = 20;
/**
 * Esplora's first page of an address has 50 unconfirmed and 25 confirmed transactions, mempool.space's fork has 50
 * together. A page below both numbers is complete.
 */
const FIRST_PAGE = 50;
const CONFIRMED_PAGE = 25;
/** Per address and poll. */
const OLDER_PAGES_MAX = 10;
/** Recorded transactions of a donation that one poll reads by ID. */
const CHECKS_MAX = 5;

const transactionSchema = z.object({
  txid: z.string().regex(/^[0-9a-f]{64}$/),
  vin: z.array(z.object({ txid: z.string().optional(), vout: z.int().optional() })),
  vout: z.array(z.object({ scriptpubkey: z.string(), value: z.int().optional() })),
  status: z.object({
    confirmed: z.boolean(),
    block_height: z.int().nullish(),
    /** Epoch seconds. */
    block_time: z.int().nullish(),
  }),
});
const pageSchema = z.array(transactionSchema);
type ExplorerTransaction = z.output<typeof transactionSchema>;

interface Asked {
  readonly id: string;
  readonly address: string;
  readonly created_at: number;
}

type Ask = <Schema extends z.ZodType>(path: string, schema: Schema) => Promise<z.output<Schema>>;

/**
 * @returns height of the explorer's newest block
 * @throws when the explorer fails; earlier records stay
 */
export async function pollExplorer(esplora: Esplora, context: PollContext): Promise<number> {
  const { db, now, signal } = context;
  const { height: tip } = await esplora.getTip(signal);
  const expiredAfter = now() - EXPIRED_ASKED_MS;
  const donations = db.all(
    openDonations
      .select(['id', 'address', 'created_at'])
      .where((is) => is.or([is('status', '<>', 'expired'), is('expires_at', '>', expiredAfter)]))
      .orderBy('asked_at')
      .orderBy('id')
      .limit(CALLS_MAX),
  );
  let calls = 0;
  const ask: Ask = (path, schema) => {
    signal.throwIfAborted();
    calls += 1;
    return esplora.get(path, schema, signal);
  };
  for (const donation of donations) {
    if (calls >= CALLS_MAX) break;
    await readDonation(ask, context, donation);
  }
  return tip;
}

async function readDonation(ask: Ask, context: PollContext, donation: Asked): Promise<void> {
  const { db, write, now } = context;
  const scannedAt = now();
  const recorded = readRecorded(context, donation.id);
  const first = await ask(`/address/${donation.address}/txs`, pageSchema);
  const confirmed = first.filter(({ status }) => status.confirmed);
  const isWhole = first.length < FIRST_PAGE && confirmed.length < CONFIRMED_PAGE;
  const transactions = isWhole
    ? first
    : [...first, ...(await readOlder(ask, donation, recorded, confirmed.at(-1)))];
  const named = new Set(transactions.map(({ txid }) => txid));
  const unnamed = [...recorded.keys()].filter((txId) => !named.has(txId));
  const gone: string[] = [];
  for (const txId of isWhole ? unnamed : unnamed.slice(0, CHECKS_MAX)) {
    const transaction = isWhole
      ? undefined
      : await ask(`/tx/${txId}`, transactionSchema).catch(ignoreNotFound);
    if (transaction) transactions.push(transaction);
    else gone.push(txId);
  }
  write(() => {
    db.run(build.updateTable('donations').set({ asked_at: scannedAt }).where('id', '=', donation.id));
    for (const txId of gone) drop(context, txId);
    // Oldest first: an output comes before its spend.
    for (const transaction of transactions.toReversed()) recordFound(context, transaction);
    for (const transaction of transactions) recordFound(context, transaction);
  });
}

/** Transactions of a donation's payments and spends, and whether each is in a block; the largest payment first. */
function readRecorded({ db }: PollContext, id: string): ReadonlyMap<string, boolean> {
  const rows = db.all(
    build
      .selectFrom('donation_outputs')
      .select(['tx_id', 'height', 'spent_by', 'spent_height'])
      .where('donation_id', '=', id)
      .where('is_gone', '=', 0)
      .orderBy('litoshi', 'desc'),
  );
  const recorded = new Map<string, boolean>();
  for (const { tx_id: paying, height, spent_by: spending, spent_height: spentHeight } of rows) {
    recorded.set(paying, height !== null);
    if (spending !== null) recorded.set(spending, spentHeight !== null);
  }
  return recorded;
}

/**
 * Reads confirmed transactions beyond the first page, newest first, back to a recorded one.
 * @param last the oldest confirmed transaction of the first page
 */
async function readOlder(
  ask: Ask,
  { address, created_at: createdAt }: Asked,
  recorded: ReadonlyMap<string, boolean>,
  last: ExplorerTransaction | undefined,
): Promise<ExplorerTransaction[]> {
  const isKnown = ({ txid, status }: ExplorerTransaction): boolean =>
    recorded.get(txid) === true || (status.block_time ?? Infinity) * 1000 < createdAt - BLOCK_TIME_SLACK_MS;
  const older: ExplorerTransaction[] = [];
  for (let pages = 0; pages < OLDER_PAGES_MAX && !(last && isKnown(last)); pages += 1) {
    const path = `/address/${address}/txs/chain${last ? `/${last.txid}` : ''}`;
    const page = await ask(path, pageSchema);
    older.push(...page);
    if (page.length < CONFIRMED_PAGE) break;
    last = page.at(-1);
  }
  return older;
}

/** An expired donation is read for a day longer; a node sees late payments at any time. */
const EXPIRED_ASKED_MS = 24 * 60 * 60_000;

function recordFound({ db, now }: PollContext, { txid, vin, vout, status }: ExplorerTransaction): void {
  const kind = isHogEx(vout[0]?.scriptpubkey) ? 'hogex' : 'plain';
  const transaction: ChainTransaction = {
    txId: txid,
    outputs: vout.map(({ scriptpubkey, value = 0 }, place) => ({
      vout: place,
      script: scriptpubkey,
      litoshi: value,
      kind,
    })),
    spends: vin.flatMap(({ txid: spent, vout: place }) =>
      spent === undefined || place === undefined ? [] : [{ txId: spent, vout: place }],
    ),
  };
  const height = status.confirmed ? (status.block_height ?? null) : null;
  const at = height === null ? now() : Math.min((status.block_time ?? Infinity) * 1000, now());
  recordTransaction(db, transaction, { height, at });
}

function drop({ db }: PollContext, txId: string): void {
  const outputs = build.updateTable('donation_outputs');
  db.run(outputs.set({ height: null }).where('tx_id', '=', txId));
  db.run(outputs.set({ spent_height: null }).where('spent_by', '=', txId));
  dropTransaction(db, txId);
}
