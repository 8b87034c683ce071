/**
 * This records outputs that pay a donation, and inputs that spend such an output. It is idempotent, so the chain may be
 * read again at any time.
 */
import { build, compileOnce, given } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

export interface ChainTransaction {
  readonly txId: string;
  readonly outputs: readonly ChainOutput[];
  /** The outputs that the transaction's inputs spend. */
  readonly spends: readonly { readonly txId: string; readonly vout: number }[];
}

export interface ChainOutput {
  readonly vout: number;
  /** In hex. */
  readonly script: string;
  readonly litoshi: number;
  readonly kind: Tables['donation_outputs']['kind'];
}

/** Where a transaction was found. */
export interface Found {
  /** The height of its block; null in the mempool. */
  readonly height: number | null;
  /** When it was there at the latest, epoch milliseconds. */
  readonly at: number;
}

/** Miners may set a block's time off by up to two hours. */
export const BLOCK_TIME_SLACK_MS = 2 * 60 * 60_000;
/** Peg-outs cannot be spent before (Litecoin Core, PEGOUT_MATURITY). */
const PEGOUT_CONFIRMATIONS = 6;
/** The script of the first output of a block's MWEB transaction (HogEx): version 8, 32 bytes. */
const HOGEX_SCRIPT = /^5820[0-9a-f]{64}$/;

/** Whether a transaction is the one in each block that moves coins between the chain and MWEB. */
export function isHogEx(firstScript: string | undefined): boolean {
  return firstScript !== undefined && HOGEX_SCRIPT.test(firstScript);
}

/** Inside a transaction of the caller's. @returns how many payments it was about */
export function recordTransaction(db: Database, transaction: ChainTransaction, found: Found): number {
  let touched = 0;
  for (const output of transaction.outputs) touched += recordOutput(db, transaction.txId, output, found);
  for (const spent of transaction.spends) touched += recordSpend(db, transaction.txId, spent, found);
  return touched;
}

function recordOutput(db: Database, txId: string, output: ChainOutput, { height, at }: Found): number {
  const { script, ...paid } = output;
  const donation = db.first(PAID, { script });
  // What an address of the operator's received before the donation was made does not count.
  if (!donation || (height !== null && at < donation.created_at - BLOCK_TIME_SLACK_MS)) return 0;
  const row = { tx_id: txId, ...paid, donation_id: donation.id, height, first_seen_at: at };
  db.run(
    build
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
  if (output.kind === 'hogex') replacePegout(db, donation.id, output.litoshi);
  touch(db, donation.id);
  return 1;
}

/** The peg-out was announced in the mempool under another name; it must not count twice. */
function replacePegout(db: Database, donationId: string, litoshi: number): void {
  const announced = db.first(
    build
      .selectFrom('donation_outputs')
      .select(['tx_id', 'vout'])
      .where('donation_id', '=', donationId)
      .where('kind', '=', 'pegout')
      .where('litoshi', '=', litoshi)
      .where('is_gone', '=', 0)
      .limit(1),
  );
  if (announced) db.run(outputAt(announced.tx_id, announced.vout).set({ is_gone: 1 }));
  db.run(
    build
      .updateTable('donations')
      .set({ required_confirmations: PEGOUT_CONFIRMATIONS })
      .where('id', '=', donationId)
      .where('required_confirmations', '<', PEGOUT_CONFIRMATIONS),
  );
}

function recordSpend(
  db: Database,
  spender: string,
  { txId, vout }: ChainTransaction['spends'][number],
  { height, at }: Found,
): number {
  const spent = db.first(SPENT, { txId, vout });
  // A mempool never knows better than a block.
  if (!spent || (height === null && spent.spent_height !== null)) return 0;
  const seenAt = spent.spent_by === spender ? Math.min(spent.spent_seen_at ?? at, at) : at;
  db.run(outputAt(txId, vout).set({ spent_seen_at: seenAt, spent_by: spender, spent_height: height }));
  touch(db, spent.donation_id);
  return 1;
}

/** Something has happened to a donation that had been thought to be over. */
function touch(db: Database, donationId: string): void {
  db.run(reopened.where('id', '=', donationId));
}

const reopened = build.updateTable('donations').set({ settled: 0 }).where('settled', '=', 1);
const outputAt = (txId: string, vout: number) =>
  build.updateTable('donation_outputs').where('tx_id', '=', txId).where('vout', '=', vout);
/** Compiled once, for each output and each input of every transaction is looked for. */
const PAID = compileOnce(
  build.selectFrom('donations').select(['id', 'created_at']).where('script', '=', given('script')),
);
const SPENT = compileOnce(
  build
    .selectFrom('donation_outputs')
    .select(['donation_id', 'spent_by', 'spent_height', 'spent_seen_at'])
    .where('tx_id', '=', given('txId'))
    .where('vout', '=', given('vout')),
);

/**
 * Blocks from this height on are not part of the chain any more; what they held is in the mempool again, or gone.
 * Inside a transaction of the caller's.
 */
export function forgetBlocksFrom(db: Database, height: number): void {
  db.run(build.deleteFrom('litecoin_blocks').where('height', '>=', height));
  const touched = build
    .selectFrom('donation_outputs')
    .select('donation_id')
    .where((is) => is.or([is('height', '>=', height), is('spent_height', '>=', height)]));
  db.run(reopened.where('id', 'in', touched));
  const outputs = build.updateTable('donation_outputs');
  // The block's own transaction exists in its block only.
  db.run(outputs.set({ is_gone: 1 }).where('height', '>=', height).where('kind', '=', 'hogex'));
  db.run(outputs.set({ height: null }).where('height', '>=', height));
  db.run(outputs.set({ spent_height: null }).where('spent_height', '>=', height));
}

export interface UnconfirmedPayments {
  /** Transactions that pay a donation and are in no block. */
  readonly payments: readonly string[];
  /** Announced peg-outs; they leave the mempool for good when they are mined. */
  readonly pegouts: readonly string[];
  /** Transactions that spend a payment and are in no block. */
  readonly spenders: readonly string[];
}

export function listUnconfirmed(db: Database): UnconfirmedPayments {
  const outputs = build.selectFrom('donation_outputs').distinct();
  const present = outputs.select('tx_id').where('is_gone', '=', 0);
  const payments = present.where('height', 'is', null).where('kind', '<>', 'pegout');
  const spenders = outputs.select('spent_by').where('spent_height', 'is', null);
  return {
    payments: db.all(payments).map((output) => output.tx_id),
    pegouts: db.all(present.where('kind', '=', 'pegout')).map((output) => output.tx_id),
    spenders: db.all(spenders).flatMap((output) => output.spent_by ?? []),
  };
}

/** A transaction that was in no block has left the mempool too. Inside a transaction of the caller's. */
export function forgetTransaction(db: Database, txId: string): void {
  const outputs = build.updateTable('donation_outputs');
  db.run(outputs.set({ is_gone: 1 }).where('tx_id', '=', txId).where('height', 'is', null));
  const spent = outputs.where('spent_by', '=', txId).where('spent_height', 'is', null);
  db.run(spent.set({ spent_by: null, spent_seen_at: null }));
}
