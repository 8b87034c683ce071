/**
 * Litecoin Core 0.21 or later as the source: no wallet, index or ZMQ, and pruning is allowed. A poll reads the tip
 * and the mempool's list, then the new blocks (chain-reader.ts), and the new transactions in one request, independent
 * of the number of donations.
 */
import { z } from 'zod';
import { blockchainInfoSchema, RpcError, type LitecoinCore } from '../outbound/litecoin-core.ts';
import { readBlocks } from './chain-reader.ts';
import { unreadDonations } from './evaluate-donations.ts';
import type { Network } from './litecoin-network.ts';
import { headerSchema, poolSchema, transactionSchema } from './node-answers.ts';
import { assertNotAhead, hash } from '../outbound/ranges.ts';
import type { ChainState, PollContext } from './poll-context.ts';
import {
  dropTransaction,
  listUnconfirmed,
  recordTransaction,
  seenInMempool,
  type ChainTransaction,
} from './record-transaction.ts';
import { recordScan } from './monitoring.ts';

const BATCH_MAX = 250;

/**
 * @returns reads the chain into the database and returns its state. It throws when the node fails or still
 * synchronizes; earlier records stay.
 */
export function createNodePoll(node: LitecoinCore, network: Network) {
  /** Already read. */
  let known = new Set<string>();
  let tip: { readonly hash: string; readonly at: number } | undefined;

  /** Without those that were replaced or mined meanwhile. */
  const readTransactions = async (txIds: readonly string[], signal: AbortSignal) => {
    const calls = txIds.map((txId) => ({
      method: 'getrawtransaction',
      params: [txId, true],
      schema: transactionSchema,
    }));
    const read: ChainTransaction[] = [];
    for (let from = 0; from < calls.length; from += BATCH_MAX)
      for (const answer of await node.callAll(calls.slice(from, from + BATCH_MAX), signal))
        if (!(answer instanceof RpcError) && answer.blockhash === undefined) read.push(answer);
    return read;
  };

  return async (context: PollContext): Promise<ChainState> => {
    const { db, write, now, signal } = context;
    const startedAt = now();
    // In this order, a transaction that is mined meanwhile is in one of the two answers.
    const [listed, pool, info] = await node.callAll(
      [
        { method: 'getrawmempool', params: [], schema: z.array(hash) },
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
    if (info.initialblockdownload) throw new Error('the node is still catching up with the network');
    if (tip?.hash !== info.bestblockhash) {
      const { time } = await node.call('getblockheader', [info.bestblockhash], headerSchema, signal);
      assertNotAhead(time, now());
      tip = { hash: info.bestblockhash, at: time };
    }
    const tipAt = tip.at;
    const height = await readBlocks(node, context, { ...info, at: tipAt });
    const mempool = new Set(listed);
    const transactions = await readTransactions([...mempool.difference(known)], signal);
    write((tx) => {
      const found = seenInMempool(now(), tipAt);
      for (const transaction of transactions) recordTransaction(tx, transaction, found);
      // A double spend or a replacement.
      for (const txId of pool.loaded ? listUnconfirmed(tx) : [])
        if (!mempool.has(txId)) dropTransaction(tx, txId);
      recordScan(tx, startedAt);
    });
    known = mempool.intersection(known.union(new Set(transactions.map(({ txId }) => txId))));
    const unread = db.first(unreadDonations.select('id').limit(1));
    const problem =
      unread && new Error('the node has pruned blocks that may pay open donations (see doctor)');
    return { tip: height, tipAt, scannedAt: startedAt, asked: 'all', problem };
  };
}
