/**
 * A block explorer with the Esplora API instead of a node. It answers by address, so that a poll reads a bounded
 * number of donations: those first whose payment is awaited, and of these the longest unread. The records equal those
 * of a node, so that an operator may change the source at any time.
 */
import { z } from 'zod';
import { sqlBuilder, type Database, type Transaction } from '../db/database.ts';
import type { Esplora } from '../outbound/esplora.ts';
import { ignoreNotFound } from '../outbound/outbound-error.ts';
import { assertNotAhead, hash, height, isWithinSupply, litoshi, time } from '../outbound/ranges.ts';
import { openDonations } from './evaluate-donations.ts';
import type { Donation } from './donation.ts';
import type { ChainState, PollContext } from './poll-context.ts';
import {
  beginningOf,
  dropTransaction,
  inputsSchema,
  recordTransaction,
  seenInMempool,
} from './record-transaction.ts';
import { DAY_MS } from '../text/calendar.ts';
import { recordScan, askIntervalMs } from './monitoring.ts';

/** Requests per poll, to spare public explorers. The donation that reaches the limit is read completely. */
const CALLS_MAX = 20;
/** A smaller page is complete: Esplora shows 50 unconfirmed and 25 confirmed, mempool.space's fork 50 together. */
const FIRST_PAGE = 50;
const CONFIRMED_PAGE = 25;
/** Per address and poll. */
const OLDER_PAGES_MAX = 10;
/** Recorded transactions of a donation that one poll reads by ID. */
const CHECKS_MAX = 5;
/** Left for donations that wait for an hour or a day, however many are asked about in each poll. */
const CALLS_RESERVED = 4;
/** A poll ends after this number of donations that could not be read. */
const FAILURES_MAX = 3;
/** A settled donation is asked about once a day for so long; a node sees its spending at any time. */
const REMEMBERED_MS = 90 * DAY_MS;

const transactionSchema = z
  .object({
    txid: hash,
    vin: inputsSchema,
    vout: z.array(z.object({ scriptpubkey: z.string(), value: litoshi.default(0) })),
    status: z.union([
      z.object({ confirmed: z.literal(false) }),
      z.object({ confirmed: z.literal(true), block_height: height, block_time: time }),
    ]),
  })
  .transform(({ txid, vin, vout, status }) => ({
    txId: txid,
    inputs: vin,
    outputs: vout.map(({ scriptpubkey: script, value }, place) => ({ vout: place, script, litoshi: value })),
    /** Undefined in the mempool. */
    block: status.confirmed ? { height: status.block_height, at: status.block_time } : undefined,
  }))
  .refine(({ outputs }) => isWithinSupply(outputs));
const pageSchema = z.array(transactionSchema);

const ASKED = [
  'id',
  'address',
  'status',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'asked_at as askedAt',
] as const;
/** A forwarding that is deep in the chain is the end. */
const settledSince = sqlBuilder
  .selectFrom('donations')
  .select(ASKED)
  .where('settled', '=', 1)
  .where('status', '<>', 'forwarded');
type Asked = Pick<Donation, 'id' | 'address' | 'status' | 'createdAt' | 'expiresAt' | 'askedAt'>;

type Ask = <Schema extends z.ZodType>(path: string, schema: Schema) => Promise<z.output<Schema>>;

/**
 * @returns reads a bounded number of donations and returns the state of the chain; undefined when no donation had to be
 * asked for. It throws when the explorer fails; earlier records stay.
 */
export function createExplorerPoll(esplora: Esplora) {
  /** Donations that could not be read the last time. */
  const failures = new Map<string, { readonly at: number; readonly error: unknown }>();

  return async (context: PollContext): Promise<ChainState | undefined> => {
    const { db, write, now, signal } = context;
    const scannedAt = now();
    const waitedFrom = ({ id, askedAt }: Asked): number => {
      const at = Math.max(askedAt, failures.get(id)?.at ?? 0);
      // A clock that was ahead wrote it.
      return at > scannedAt ? 0 : at;
    };
    const open = db.all(openDonations.select(ASKED));
    const settled = db.all(settledSince.where('created_at', '>', scannedAt - REMEMBERED_MS));
    const waiting = [
      ...open.map((each) => ({ ...each, intervalMs: askIntervalMs(each, scannedAt) })),
      ...settled.map((each) => ({ ...each, intervalMs: DAY_MS })),
    ];
    const isRare = ({ intervalMs }: { readonly intervalMs: number }): number => Number(intervalMs > 0);
    const due = waiting
      .filter((each) => scannedAt - waitedFrom(each) >= each.intervalMs)
      .sort((one, other) => isRare(one) - isRare(other) || waitedFrom(one) - waitedFrom(other));
    // The pages of the others want to know that the explorer still answers.
    if (due.length === 0 && waiting.every(({ intervalMs }) => intervalMs === DAY_MS)) return undefined;
    const { height: tip, timestamp: tipAt } = await esplora.getTip(signal);
    assertNotAhead(tipAt, now());
    let calls = 0;
    const ask: Ask = (path, schema) => {
      signal.throwIfAborted();
      calls += 1;
      return esplora.get(path, schema, signal);
    };
    const reserved = Math.min(CALLS_RESERVED, due.filter(isRare).length);
    const asked: string[] = [];
    const failed: unknown[] = [];
    for (const donation of due) {
      if (calls >= CALLS_MAX - (isRare(donation) ? 0 : reserved)) continue;
      if (failed.length >= FAILURES_MAX) break;
      try {
        await readDonation(ask, context, donation, { scannedAt, tipAt });
        failures.delete(donation.id);
        asked.push(donation.id);
      } catch (error) {
        signal.throwIfAborted();
        failures.set(donation.id, { at: scannedAt, error });
        failed.push(error);
      }
    }
    if (failed.length > 0 && asked.length === 0) throw failed[0];
    write((tx) => recordScan(tx, now(), 'explorer'));
    const ids = new Set(waiting.map(({ id }) => id));
    for (const id of failures.keys()) if (!ids.has(id)) failures.delete(id);
    return { tip, tipAt, scannedAt, asked, problem: failures.values().next().value?.error };
  };
}

async function readDonation(
  ask: Ask,
  { db, write, now }: PollContext,
  donation: Asked,
  { scannedAt, tipAt }: Pick<ChainState, 'scannedAt' | 'tipAt'>,
): Promise<void> {
  const transactions = await readTransactions(ask, donation, tipAt);
  const named = new Set(transactions.map(({ txId }) => txId));
  const unnamed = listRecorded(db, donation.id).difference(named);
  const gone: string[] = [];
  for (const txId of [...unnamed].slice(0, CHECKS_MAX)) {
    const transaction = await ask(`/tx/${txId}`, transactionSchema).catch(ignoreNotFound);
    if (transaction) transactions.push(transaction);
    else gone.push(txId);
  }
  for (const { block } of transactions) if (block) assertNotAhead(block.at, now());
  const unconfirmed = seenInMempool(now(), tipAt);
  write((tx) => {
    tx.run(sqlBuilder.updateTable('donations').set({ asked_at: scannedAt }).where('id', '=', donation.id));
    for (const txId of gone) drop(tx, txId);
    // Twice, because an output has to be recorded before its spend.
    for (const { block, ...transaction } of [...transactions, ...transactions])
      recordTransaction(tx, transaction, block ? { ...block, tipAt } : unconfirmed);
  });
}

/** Newest first, back to the donation's beginning. */
async function readTransactions(ask: Ask, { address, createdAt }: Asked, tipAt: number) {
  const beginning = beginningOf(createdAt, tipAt);
  const transactions = await ask(`/address/${address}/txs`, pageSchema);
  const confirmed = transactions.filter(({ block }) => block);
  let isWhole = transactions.length < FIRST_PAGE && confirmed.length < CONFIRMED_PAGE;
  let last = confirmed.at(-1);
  for (let pages = 0; !isWhole && pages < OLDER_PAGES_MAX; pages += 1) {
    if (last?.block && last.block.at < beginning) break;
    const page = await ask(`/address/${address}/txs/chain${last ? `/${last.txId}` : ''}`, pageSchema);
    transactions.push(...page);
    isWhole = page.length < CONFIRMED_PAGE;
    last = page.at(-1);
  }
  return transactions;
}

/** IDs of a donation's payments and spends, those of the largest payment first. */
function listRecorded(db: Database, donationId: string): Set<string> {
  const outputs = sqlBuilder
    .selectFrom('donation_outputs')
    .select(['tx_id', 'spent_by'])
    .where('donation_id', '=', donationId)
    .where('is_gone', '=', 0)
    .orderBy('litoshi', 'desc');
  return new Set(db.all(outputs).flatMap(({ tx_id, spent_by }) => (spent_by ? [tx_id, spent_by] : [tx_id])));
}

function drop(tx: Transaction, txId: string): void {
  const outputs = sqlBuilder.updateTable('donation_outputs');
  tx.run(outputs.set({ height: null }).where('tx_id', '=', txId));
  tx.run(outputs.set({ spent_height: null }).where('spent_by', '=', txId));
  dropTransaction(tx, txId);
}
