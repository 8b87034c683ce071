/** Records outputs that pay a donation, and inputs that spend them; blocks may be read again. */
import { z } from 'zod';
import { sqlBuilder, param, type Database, type Transaction } from '../db/database.ts';
import { hash, LITOSHI_MAX, place } from '../outbound/ranges.ts';

/** A node and an explorer name them alike. A coinbase has none, so that it spends nothing. */
export const inputsSchema = z.array(
  z.object({ txid: hash.or(z.literal('')).default(''), vout: place.default(0) }),
);

export interface ChainTransaction {
  readonly txId: string;
  readonly inputs: z.output<typeof inputsSchema>;
  readonly outputs: readonly ChainOutput[];
}

interface ChainOutput {
  readonly vout: number;
  /** In hex. */
  readonly script: string;
  readonly litoshi: number;
}

interface Found {
  /** Null in the mempool. */
  readonly height: number | null;
  /** Time of its block, or when the mempool showed it; epoch milliseconds. */
  readonly at: number;
  /** Time of the newest block. */
  readonly tipAt: number;
}

/** Block times may be off by two hours. */
export const BLOCK_TIME_SLACK_MS = 2 * 60 * 60_000;
/** No clock that is right is so far off the chain. */
export const CLOCK_OFF_MS = 24 * 60 * 60_000;
/** Peg-outs cannot be spent before (Litecoin Core, PEGOUT_MATURITY). */
const PEGOUT_CONFIRMATIONS = 6;
/** First output of a block's HogEx (version 8, 32 bytes), which moves coins between the chain and MWEB. */
const HOGEX_SCRIPT = /^5820[0-9a-f]{64}$/;

/** Payments count from this time on. A clock ahead of the chain began a donation at most a day ago. */
export function beginningOf(createdAt: number, tipAt: number): number {
  return (createdAt > tipAt + CLOCK_OFF_MS ? tipAt - CLOCK_OFF_MS : createdAt) - BLOCK_TIME_SLACK_MS;
}

/** The mempool has no times of its own: this is our clock's, as far as it agrees with the chain. */
export function seenInMempool(now: number, tipAt: number): Found {
  const at = Math.min(Math.max(now, tipAt - BLOCK_TIME_SLACK_MS), tipAt + BLOCK_TIME_SLACK_MS);
  return { height: null, at, tipAt };
}

/** @throws when a donation has received more than there is */
export function recordTransaction(tx: Transaction, transaction: ChainTransaction, found: Found): void {
  const { txId, inputs, outputs } = transaction;
  const isHogEx = HOGEX_SCRIPT.test(outputs[0]?.script ?? '');
  for (const output of outputs) recordOutput(tx, txId, output, isHogEx, found);
  for (const input of inputs) recordSpend(tx, txId, input, found);
}

function recordOutput(
  tx: Transaction,
  txId: string,
  { script, ...paid }: ChainOutput,
  isHogEx: boolean,
  { height, at, tipAt }: Found,
): void {
  const donation = tx.first(PAID, { script });
  if (!donation) return;
  if (!tx.first(SPENT, { txId, vout: paid.vout })) {
    // Payments to the address before the donation do not count.
    if (height !== null && at < beginningOf(donation.created_at, tipAt)) return;
    const total = tx.first(RECEIVED, { donation: donation.id })?.litoshi ?? 0;
    if (total + paid.litoshi > LITOSHI_MAX) throw new Error('a donation has received more LTC than there is');
  }
  const kind = isHogEx ? 'hogex' : 'plain';
  const row = { tx_id: txId, ...paid, kind, donation_id: donation.id, height, first_seen_at: at } as const;
  tx.run(
    sqlBuilder
      .insertInto('donation_outputs')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['tx_id', 'vout']).doUpdateSet(({ fn }) => ({
          height,
          is_gone: 0,
          first_seen_at: fn<number>('min', ['donation_outputs.first_seen_at', 'excluded.first_seen_at']),
        })),
      ),
  );
  tx.run(reopened.where('id', '=', donation.id));
  if (!isHogEx) return;
  const careful = sqlBuilder.updateTable('donations').set({ required_confirmations: PEGOUT_CONFIRMATIONS });
  tx.run(careful.where('id', '=', donation.id).where('required_confirmations', '<', PEGOUT_CONFIRMATIONS));
}

function recordSpend(
  tx: Transaction,
  spender: string,
  { txid: txId, vout }: ChainTransaction['inputs'][number],
  { height, at }: Found,
): void {
  const spent = tx.first(SPENT, { txId, vout });
  // A block overrules the mempool.
  if (!spent || (height === null && spent.spent_height !== null)) return;
  const seenAt = spent.spent_by === spender ? Math.min(spent.spent_seen_at ?? at, at) : at;
  tx.run(outputAt(txId, vout).set({ spent_seen_at: seenAt, spent_by: spender, spent_height: height }));
  tx.run(reopened.where('id', '=', spent.donation_id));
}

const reopened = sqlBuilder.updateTable('donations').set({ settled: 0 }).where('settled', '=', 1);
const outputAt = (txId: string, vout: number) =>
  sqlBuilder.updateTable('donation_outputs').where('tx_id', '=', txId).where('vout', '=', vout);
/** Runs for each output and input of every transaction. */
const PAID = sqlBuilder
  .selectFrom('donations')
  .select(['id', 'created_at'])
  .where('script', '=', param('script'))
  .compile();
const SPENT = sqlBuilder
  .selectFrom('donation_outputs')
  .select(['donation_id', 'spent_by', 'spent_height', 'spent_seen_at'])
  .where('tx_id', '=', param('txId'))
  .where('vout', '=', param('vout'))
  .compile();

const RECEIVED = sqlBuilder
  .selectFrom('donation_outputs')
  .select(({ fn }) => fn.sum<number>('litoshi').as('litoshi'))
  .where('donation_id', '=', param('donation'))
  .compile();

/** From this height on: transactions return to the mempool or disappear. */
export function disconnectBlocksFrom(tx: Transaction, height: number): void {
  tx.run(sqlBuilder.deleteFrom('litecoin_blocks').where('height', '>=', height));
  const touched = sqlBuilder
    .selectFrom('donation_outputs')
    .select('donation_id')
    .where((is) => is.or([is('height', '>=', height), is('spent_height', '>=', height)]));
  tx.run(reopened.where('id', 'in', touched));
  const outputs = sqlBuilder.updateTable('donation_outputs');
  // A HogEx exists only in its block.
  tx.run(outputs.set({ is_gone: 1 }).where('height', '>=', height).where('kind', '=', 'hogex'));
  tx.run(outputs.set({ height: null }).where('height', '>=', height));
  tx.run(outputs.set({ spent_height: null }).where('spent_height', '>=', height));
}

/** Unconfirmed payments and spenders. */
export function listUnconfirmed(db: Database): string[] {
  const outputs = sqlBuilder.selectFrom('donation_outputs').distinct();
  const payments = outputs.select('tx_id').where('is_gone', '=', 0).where('height', 'is', null);
  const spenders = outputs.select('spent_by').where('spent_height', 'is', null);
  return [
    ...db.all(payments).map((output) => output.tx_id),
    ...db.all(spenders).flatMap((output) => output.spent_by ?? []),
  ];
}

/** For a transaction in no block that has left the mempool. */
export function dropTransaction(tx: Transaction, txId: string): void {
  const outputs = sqlBuilder.updateTable('donation_outputs');
  tx.run(outputs.set({ is_gone: 1 }).where('tx_id', '=', txId).where('height', 'is', null));
  const spent = outputs.where('spent_by', '=', txId).where('spent_height', 'is', null);
  tx.run(spent.set({ spent_by: null, spent_seen_at: null }));
}
