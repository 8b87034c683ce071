/**
 * A block explorer with the Esplora API as the second source. It has to be asked address by address, so each poll asks
 * only for so many payments, those first that were not asked for longest. What it tells is recorded as the node's word
 * would be; when the node is back, it goes on from where it stopped, and both agree.
 */
import { z } from 'zod';
import type { Esplora } from '../outbound/esplora.ts';
import { forgetTransaction, isHogEx, recordTransaction } from './record-transaction.ts';
import type { ChainTransaction } from './record-transaction.ts';
import type { PollContext } from './poll-context.ts';

export interface ExplorerPoll {
  readonly tip: number;
  /** Payments that were asked for. */
  readonly asked: number;
}

/** One request each: public explorers want to be asked sparingly. */
const ASKED_MAX = 20;

const transactionSchema = z.object({
  txid: z.string(),
  vin: z.array(z.object({ txid: z.string().optional(), vout: z.int().optional() })),
  vout: z.array(z.object({ scriptpubkey: z.string(), value: z.int().optional() })),
  status: z.object({
    confirmed: z.boolean(),
    block_height: z.int().nullish(),
    /** Epoch seconds. */
    block_time: z.int().nullish(),
  }),
});
type ExplorerTransaction = z.output<typeof transactionSchema>;

interface Asked {
  readonly id: string;
  readonly address: string;
}

/** @throws when the explorer cannot be asked or answers nonsense; what was read until then stays */
export async function pollExplorer(esplora: Esplora, context: PollContext): Promise<ExplorerPoll> {
  const { db, write, now, signal } = context;
  const { height: tip } = await esplora.getTip({ signal });
  const donations = db
    .statement<Asked>(
      `SELECT id, address FROM donations WHERE settled = 0 AND (status <> 'expired' OR expires_at > ?)
       ORDER BY asked_at, id LIMIT ?`,
    )
    .all(now() - EXPIRED_ASKED_MS, ASKED_MAX);
  for (const { id, address } of donations) {
    signal.throwIfAborted();
    const lookedAt = now();
    const transactions = await esplora.get(`/address/${address}/txs`, z.array(transactionSchema), { signal });
    write(() => {
      db.statement('UPDATE donations SET asked_at = ? WHERE id = ?').run(lookedAt, id);
      forgetOthers(context, id, new Set(transactions.map(({ txid }) => txid)));
      // Oldest first: what is spent is known before what spends it.
      for (const transaction of transactions.toReversed()) record(context, transaction);
      for (const transaction of transactions) record(context, transaction);
    });
  }
  return { tip, asked: donations.length };
}

/** Payments that expired are asked for a day longer; the node, once it is back, sees them at any time. */
const EXPIRED_ASKED_MS = 24 * 60 * 60_000;

function record({ db, now }: PollContext, { txid, vin, vout, status }: ExplorerTransaction): void {
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

/** The explorer names everything that concerns an address: what it does not name any more is gone. */
function forgetOthers({ db }: PollContext, id: string, named: ReadonlySet<string>): void {
  const recorded = db
    .statement<{ tx_id: string; spent_by: string | null }>(
      'SELECT tx_id, spent_by FROM donation_outputs WHERE donation_id = ? AND is_gone = 0',
    )
    .all(id);
  for (const { tx_id: paying, spent_by: spending } of recorded) {
    for (const txId of [paying, spending]) {
      if (txId === null || named.has(txId)) continue;
      db.statement('UPDATE donation_outputs SET height = NULL WHERE tx_id = ?').run(txId);
      db.statement('UPDATE donation_outputs SET spent_height = NULL WHERE spent_by = ?').run(txId);
      forgetTransaction(db, txId);
    }
  }
}
