/**
 * Litecoin Core 0.21 or later as the source: no wallet, index or ZMQ, and pruning is allowed. A poll reads the tip
 * and the mempool's list, then the new blocks (chain-reader.ts), and the new transactions in one request, independent
 * of the number of donations.
 */
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { blockchainInfoSchema, RpcError, type LitecoinCore } from '../outbound/litecoin-core.ts';
import { readBlocks } from './chain-reader.ts';
import type { Network } from './litecoin-network.ts';
import { poolSchema, toChainTransaction, transactionSchema, type NodeTransaction } from './node-answers.ts';
import type { PollContext } from './poll-context.ts';
import { dropTransaction, listUnconfirmed, recordTransaction } from './record-transaction.ts';

const BATCH_MAX = 250;

/**
 * @returns reads the chain into the database; its result has the height of the tip, and isCurrent is false while the
 * node synchronizes. It throws when the node fails; earlier records stay.
 */
export function createNodePoll(node: LitecoinCore, network: Network) {
  /** Already read. */
  let known = new Set<string>();

  /** Without those that were replaced or mined meanwhile. */
  const readTransactions = async (
    txIds: readonly string[],
    signal: AbortSignal,
  ): Promise<NodeTransaction[]> => {
    const calls = txIds.map((txId) => ({
      method: 'getrawtransaction',
      params: [txId, true],
      schema: transactionSchema,
    }));
    const read: NodeTransaction[] = [];
    for (let from = 0; from < calls.length; from += BATCH_MAX)
      for (const answer of await node.callAll(calls.slice(from, from + BATCH_MAX), signal))
        if (!(answer instanceof RpcError) && answer.blockhash === undefined) read.push(answer);
    return read;
  };

  return async (context: PollContext) => {
    const { db, write, now, signal } = context;
    // In this order, a transaction that is mined meanwhile is in one of the two answers.
    const [listed, pool, info] = await node.callAll(
      [
        { method: 'getrawmempool', params: [], schema: z.array(z.string()) },
        { method: 'getmempoolinfo', params: [], schema: poolSchema },
        { method: 'getblockchaininfo', params: [], schema: blockchainInfoSchema },
      ],
      signal,
    );
    if (listed instanceof RpcError) throw listed;
    if (pool instanceof RpcError) throw pool;
    if (info instanceof RpcError) throw info;
    if (info.chain !== network)
      throw new Error(`the node is on the chain ${info.chain}, but LITECOIN_NETWORK is ${network}`);
    const tip = await readBlocks(node, context, info);
    const mempool = new Set(listed);
    const transactions = await readTransactions([...mempool.difference(known)], signal);
    write(() => {
      const found = { height: null, at: now() };
      for (const transaction of transactions)
        recordTransaction(db, toChainTransaction(transaction, 'mempool'), found);
      if (pool.loaded) dropMissing(db, mempool);
    });
    known = mempool.intersection(known.union(new Set(transactions.map(({ txid }) => txid))));
    return { tip, isCurrent: !info.initialblockdownload };
  };
}

/** Drops what is in no block and has left the mempool: a double spend, a replacement, or a mined peg-out. */
function dropMissing(db: Database, mempool: ReadonlySet<string>): void {
  for (const txId of listUnconfirmed(db)) if (!mempool.has(txId)) dropTransaction(db, txId);
}
