/**
 * A block explorer with the Esplora API instead of a node. It answers by address, so that a poll reads a bounded
 * number of donations, longest unread first. The records equal those of a node, so that an operator may change the
 * source at any time.
 */
import { z } from 'zod';
import { build, type Database } from '../db/database.ts';
import type { Esplora } from '../outbound/esplora.ts';
import { ignoreNotFound } from '../outbound/outbound-error.ts';
import { openDonations } from './evaluate-donations.ts';
import type { PollContext } from './poll-context.ts';
import {
  BLOCK_TIME_SLACK_MS,
  dropTransaction,
  inputsSchema,
  recordTransaction,
} from './record-transaction.ts';

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
/** An expired donation is read for a day longer; a node sees late payments at any time. */
const EXPIRED_ASKED_MS = 24 * 60 * 60_000;

const transactionSchema = z
  .object({
    txid: z.string().regex(/^[0-9a-f]{64}$/),
    vin: inputsSchema,
    vout: z.array(z.object({ scriptpubkey: z.string(), value: z.int().default(0) })),
    status: z.object({
      confirmed: z.boolean(),
      block_height: z.int().nullish(),
      /** Epoch seconds. */
      block_time: z.int().nullish(),
    }),
  })
  .transform(({ txid, vin, vout, status }) => ({
    txId: txid,
    inputs: vin,
    outputs: vout.map(({ scriptpubkey, value }, place) => ({
      vout: place,
      script: scriptpubkey,
      litoshi: value,
    })),
    /** Null in the mempool. */
    height: status.confirmed ? (status.block_height ?? null) : null,
    minedAt: (status.block_time ?? Infinity) * 1000,
  }));
const pageSchema = z.array(transactionSchema);

interface Asked {
  readonly id: string;
  readonly address: string;
  readonly created_at: number;
}

type Ask = <Schema extends z.ZodType>(path: string, schema: Schema) => Promise<z.output<Schema>>;

/**
 * @returns height of the explorer's newest block; undefined when no donation had to be asked for
 * @throws when the explorer fails; earlier records stay
 */
export async function pollExplorer(esplora: Esplora, context: PollContext): Promise<number | undefined> {
  const { db, now, signal } = context;
  const expiredAfter = now() - EXPIRED_ASKED_MS;
  const donations = db.all(
    openDonations
      .select(['id', 'address', 'created_at'])
      .where((is) => is.or([is('status', '<>', 'expired'), is('expires_at', '>', expiredAfter)]))
      .orderBy('asked_at')
      .orderBy('id')
      .limit(CALLS_MAX),
  );
  if (donations.length === 0) return undefined;
  const { height: tip } = await esplora.getTip(signal);
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

async function readDonation(ask: Ask, { db, write, now }: PollContext, donation: Asked): Promise<void> {
  const scannedAt = now();
  const transactions = await readTransactions(ask, donation);
  const named = new Set(transactions.map(({ txId }) => txId));
  const unnamed = listRecorded(db, donation.id).difference(named);
  const gone: string[] = [];
  for (const txId of [...unnamed].slice(0, CHECKS_MAX)) {
    const transaction = await ask(`/tx/${txId}`, transactionSchema).catch(ignoreNotFound);
    if (transaction) transactions.push(transaction);
    else gone.push(txId);
  }
  write(() => {
    db.run(build.updateTable('donations').set({ asked_at: scannedAt }).where('id', '=', donation.id));
    for (const txId of gone) drop(db, txId);
    // Twice, because an output has to be recorded before its spend.
    for (const { height, minedAt, ...transaction } of [...transactions, ...transactions]) {
      const at = height === null ? now() : Math.min(minedAt, now());
      recordTransaction(db, transaction, { height, at });
    }
  });
}

/** Newest first, back to the donation's beginning. */
async function readTransactions(ask: Ask, { address, created_at: createdAt }: Asked) {
  const transactions = await ask(`/address/${address}/txs`, pageSchema);
  const confirmed = transactions.filter(({ height }) => height !== null);
  let isWhole = transactions.length < FIRST_PAGE && confirmed.length < CONFIRMED_PAGE;
  let last = confirmed.at(-1);
  for (let pages = 0; !isWhole && pages < OLDER_PAGES_MAX; pages += 1) {
    if (last && last.minedAt < createdAt - BLOCK_TIME_SLACK_MS) break;
    const page = await ask(`/address/${address}/txs/chain${last ? `/${last.txId}` : ''}`, pageSchema);
    transactions.push(...page);
    isWhole = page.length < CONFIRMED_PAGE;
    last = page.at(-1);
  }
  return transactions;
}

/** IDs of a donation's payments and spends, those of the largest payment first. */
function listRecorded(db: Database, donationId: string): Set<string> {
  const outputs = build
    .selectFrom('donation_outputs')
    .select(['tx_id', 'spent_by'])
    .where('donation_id', '=', donationId)
    .where('is_gone', '=', 0)
    .orderBy('litoshi', 'desc');
  return new Set(db.all(outputs).flatMap(({ tx_id, spent_by }) => (spent_by ? [tx_id, spent_by] : [tx_id])));
}

function drop(db: Database, txId: string): void {
  const outputs = build.updateTable('donation_outputs');
  db.run(outputs.set({ height: null }).where('tx_id', '=', txId));
  db.run(outputs.set({ spent_height: null }).where('spent_by', '=', txId));
  dropTransaction(db, txId);
}
