/**
 * Litecoin Core 0.21 or later as the source: no wallet, index or ZMQ, and pruning is allowed. A poll reads the tip
 * and the mempool's list, and the new transactions and block in one more request, independent of the number of
 * donations. Blocks are read in order from the last stored one, so that none is missed after a pause
 * (chain-reader.ts).
 */
import { z } from 'zod';
import { RpcError, type JsonRpc } from '../outbound/json-rpc.ts';
import { createChainReader } from './chain-reader.ts';
import type { Network } from './litecoin-network.ts';
import {
  blockSchema,
  infoSchema,
  toChainTransaction,
  transactionSchema,
  type Block,
  type NodeTransaction,
} from './node-answers.ts';
import type { PollContext } from './poll-context.ts';
import { dropTransaction, listUnconfirmed, recordTransaction } from './record-transaction.ts';
import { createDoubleSpends } from './double-spends.ts';

const BATCH_MAX = 250;
/**
 * A payment is dropped when this many polls in a row found it in no block and no mempool: one poll may miss it while
 * a node restarts.
 */
const DROPPED_AFTER_MISSES = 2;

/**
 * @returns reads the chain into the database; its result has the height of the tip, and isCurrent is false while the
 * node synchronizes. It throws when the node fails; earlier records stay.
 */
export function createNodePoll(rpc: JsonRpc, network: Network) {
  /** Already read. */
  let known = new Set<string>();
  /** Polls in a row that missed a mempool transaction, by its ID. */
  const misses = new Map<string, number>();
  const doubleSpends = createDoubleSpends();

  return async (context: PollContext): Promise<{ readonly tip: number; readonly isCurrent: boolean }> => {
    const options = { signal: context.signal };
    // In this order, a transaction that is mined meanwhile is in one of the two answers.
    const [mempool, info] = await rpc.callAll(
      [
        { method: 'getrawmempool', params: [], schema: z.array(z.string()) },
        { method: 'getblockchaininfo', params: [], schema: infoSchema },
      ],
      options,
    );
    if (mempool instanceof RpcError) throw mempool;
    if (info instanceof RpcError) throw info;
    if (info.chain !== network)
      throw new Error(`the node is on the chain ${info.chain}, but LITECOIN_NETWORK is ${network}`);
    const chain = createChainReader(rpc, context, doubleSpends);
    let cursor = await chain.begin(info.blocks, () => known.clear());
    const fresh = mempool.filter((txId) => !known.has(txId));
    const isNext = info.blocks === cursor.height + 1;
    const { block, transactions } = await readFresh(fresh, isNext ? info.bestblockhash : undefined);
    if (block?.previousblockhash === cursor.hash) {
      cursor = chain.connect(block);
    } else if (info.bestblockhash !== cursor.hash) {
      cursor = await chain.follow(cursor);
    }
    context.write(() => {
      for (const transaction of transactions) {
        const seen = toChainTransaction(transaction, 'mempool');
        const found = { height: null, at: context.now() };
        if (recordTransaction(context.db, seen, found) > 0) doubleSpends.add(seen);
      }
      dropMissing(context, new Set(mempool));
    });
    known = new Set(mempool).intersection(new Set([...known, ...transactions.map(({ txid }) => txid)]));
    return { tip: cursor.height, isCurrent: !info.initialblockdownload };

    async function readFresh(txIds: readonly string[], blockHash: string | undefined) {
      const calls = [
        ...(blockHash === undefined
          ? []
          : [{ method: 'getblock', params: [blockHash, 2], schema: blockSchema }]),
        ...txIds.map((txId) => ({
          method: 'getrawtransaction',
          params: [txId, true],
          schema: transactionSchema,
        })),
      ];
      const read: { block?: Block; transactions: NodeTransaction[] } = { transactions: [] };
      for (let from = 0; from < calls.length; from += BATCH_MAX) {
        const answers = await rpc.callAll(calls.slice(from, from + BATCH_MAX), options);
        for (const answer of answers) {
          // The transaction was replaced or mined meanwhile.
          if (answer instanceof RpcError) continue;
          if ('tx' in answer) read.block = answer;
          else read.transactions.push(answer);
        }
      }
      return read;
    }
  };

  function dropMissing({ db }: PollContext, mempool: ReadonlySet<string>): void {
    const { payments, pegouts, spenders } = listUnconfirmed(db);
    for (const txId of pegouts) if (!mempool.has(txId)) dropTransaction(db, txId);
    const missing = new Set([...payments, ...spenders].filter((txId) => !mempool.has(txId)));
    for (const txId of misses.keys()) if (!missing.has(txId)) misses.delete(txId);
    for (const txId of missing) {
      const count = (misses.get(txId) ?? 0) + 1;
      misses.set(txId, count);
      if (count < DROPPED_AFTER_MISSES) continue;
      dropTransaction(db, txId);
      misses.delete(txId);
    }
  }
}
