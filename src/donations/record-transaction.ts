/**
 * What transactions mean for donations: outputs that pay one, and inputs that spend such an output. The same however
 * often it is told, so that the chain may be read again at any time.
 */
import type { Database } from '../db/database.ts';

export interface ChainTransaction {
  readonly txId: string;
  readonly outputs: readonly ChainOutput[];
  /** Of the transaction's inputs, the outputs that they spend. */
  readonly spends: readonly { readonly txId: string; readonly vout: number }[];
}

export interface ChainOutput {
  readonly vout: number;
  /** In hex. */
  readonly script: string;
  readonly litoshi: number;
  readonly kind: 'plain' | 'pegout' | 'hogex';
}

/** Where a transaction was found. */
export interface Found {
  /** Of its block; null in the mempool. */
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
  const donation = db
    .statement<{ id: string; created_at: number }>('SELECT id, created_at FROM donations WHERE script = ?')
    .get(output.script);
  // What an address of the operator's received before the donation was made does not count.
  if (!donation || (height !== null && at < donation.created_at - BLOCK_TIME_SLACK_MS)) return 0;
  db.statement(
    `INSERT INTO donation_outputs (tx_id, vout, donation_id, litoshi, height, first_seen_at, kind)
     VALUES (@txId, @vout, @id, @litoshi, @height, @at, @kind)
     ON CONFLICT (tx_id, vout) DO UPDATE SET
       height = excluded.height, is_gone = 0, first_seen_at = min(first_seen_at, excluded.first_seen_at)`,
  ).run({ txId, ...output, script: undefined, id: donation.id, height, at });
  if (output.kind === 'hogex') replacePegout(db, donation.id, output.litoshi);
  touch(db, donation.id);
  return 1;
}

/** The peg-out was announced in the mempool under another name; it must not count twice. */
function replacePegout(db: Database, donationId: string, litoshi: number): void {
  db.statement(
    `UPDATE donation_outputs SET is_gone = 1 WHERE (tx_id, vout) IN (
       SELECT tx_id, vout FROM donation_outputs
       WHERE donation_id = ? AND kind = 'pegout' AND litoshi = ? AND is_gone = 0 LIMIT 1)`,
  ).run(donationId, litoshi);
  db.statement(
    'UPDATE donations SET required_confirmations = max(required_confirmations, ?) WHERE id = ?',
  ).run(PEGOUT_CONFIRMATIONS, donationId);
}

function recordSpend(
  db: Database,
  spender: string,
  { txId, vout }: ChainTransaction['spends'][number],
  { height, at }: Found,
): number {
  const spent = db
    .statement<{ donation_id: string; spent_height: number | null }>(
      'SELECT donation_id, spent_height FROM donation_outputs WHERE tx_id = ? AND vout = ?',
    )
    .get(txId, vout);
  // A mempool never knows better than a block.
  if (!spent || (height === null && spent.spent_height !== null)) return 0;
  db.statement(
    `UPDATE donation_outputs SET
       spent_seen_at = iif(spent_by = @spender, min(spent_seen_at, @at), @at), spent_by = @spender, spent_height = @height
     WHERE tx_id = @txId AND vout = @vout`,
  ).run({ spender, height, at, txId, vout });
  touch(db, spent.donation_id);
  return 1;
}

/** Something has happened to a donation that had been thought to be over. */
function touch(db: Database, donationId: string): void {
  db.statement('UPDATE donations SET settled = 0 WHERE id = ? AND settled = 1').run(donationId);
}

/**
 * Blocks from this height on are not part of the chain any more; what they held is in the mempool again, or gone.
 * Inside a transaction of the caller's.
 */
export function forgetBlocksFrom(db: Database, height: number): void {
  db.statement('DELETE FROM litecoin_blocks WHERE height >= ?').run(height);
  db.statement(
    `UPDATE donations SET settled = 0 WHERE settled = 1 AND id IN
       (SELECT donation_id FROM donation_outputs WHERE height >= @height OR spent_height >= @height)`,
  ).run({ height });
  // The block's own transaction exists in its block only.
  db.statement("UPDATE donation_outputs SET is_gone = 1 WHERE height >= ? AND kind = 'hogex'").run(height);
  db.statement('UPDATE donation_outputs SET height = NULL WHERE height >= ?').run(height);
  db.statement('UPDATE donation_outputs SET spent_height = NULL WHERE spent_height >= ?').run(height);
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
  const read = (sql: string): string[] =>
    db
      .statement<{ tx_id: string }>(sql)
      .all()
      .map((row) => row.tx_id);
  return {
    payments: read(
      "SELECT DISTINCT tx_id FROM donation_outputs WHERE height IS NULL AND is_gone = 0 AND kind <> 'pegout'",
    ),
    pegouts: read("SELECT DISTINCT tx_id FROM donation_outputs WHERE is_gone = 0 AND kind = 'pegout'"),
    spenders: read(
      'SELECT DISTINCT spent_by AS tx_id FROM donation_outputs WHERE spent_height IS NULL AND spent_by IS NOT NULL',
    ),
  };
}

/** A transaction that was in no block has left the mempool too. Inside a transaction of the caller's. */
export function forgetTransaction(db: Database, txId: string): void {
  db.statement('UPDATE donation_outputs SET is_gone = 1 WHERE tx_id = ? AND height IS NULL').run(txId);
  db.statement(
    `UPDATE donation_outputs SET spent_by = NULL, spent_seen_at = NULL
     WHERE spent_by = ? AND spent_height IS NULL`,
  ).run(txId);
}
