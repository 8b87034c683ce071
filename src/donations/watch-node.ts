/**
 * Litecoin Core as the source (0.21 and later; no wallet, no index, no ZMQ, and it may be pruned). Each poll asks for
 * the tip and the mempool's list, then, in one more request, for what is new in them; how many payments are open makes
 * no difference. Blocks are read one after the other from the last one that was read, so that nothing is missed however
 * long the node or this process was away; and what an older chain held is taken back first when the chain was
 * reorganised.
 */
import { z } from 'zod';
import { RpcError } from '../outbound/json-rpc.ts';
import type { JsonRpc } from '../outbound/json-rpc.ts';
import { createChainReader } from './chain-reader.ts';
import type { Network } from './litecoin-network.ts';
import { blockSchema, infoSchema, toChainTransaction, transactionSchema } from './node-answers.ts';
import type { Block, NodeTransaction } from './node-answers.ts';
import type { PollContext } from './poll-context.ts';
import { forgetTransaction, listUnconfirmed, recordTransaction } from './record-transaction.ts';
import { createRivalSpends } from './rival-spends.ts';

export interface PollResult {
  /** Height of the newest block that was read. */
  readonly tip: number;
  readonly blocks: number;
  /** Mempool transactions that this pass read for the first time. */
  readonly transactions: number;
  /** False while the node itself is behind the network, and knows nothing of what happens there. */
  readonly isCurrent: boolean;
}

export interface NodeWatch {
  /** @throws when the node cannot be asked or answers nonsense; what was read until then stays */
  poll(context: PollContext): Promise<PollResult>;
}

/** Calls in one request. */
const BATCH_MAX = 250;
/**
 * A payment that is in no block and no mempool is gone when so many looks in a row have missed it: one may fall between
 * two states of a node that has just been started again.
 */
const GONE_AFTER_LOOKS = 2;

export function createNodeWatch(rpc: JsonRpc, network: Network): NodeWatch {
  /** IDs of mempool transactions that were read already. */
  let known = new Set<string>();
  /** By transaction that was in the mempool, how many looks in a row have missed it. */
  const misses = new Map<string, number>();
  const rivals = createRivalSpends();

  return {
    async poll(context) {
      const options = { signal: context.signal };
      // In this order: a transaction that leaves the mempool for a block is then in one of the two answers.
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
      const chain = createChainReader(rpc, context, rivals);
      let cursor = await chain.begin(info.blocks, () => known.clear());
      const fresh = mempool.filter((txId) => !known.has(txId));
      const isNext = info.blocks === cursor.height + 1;
      const { block, transactions } = await readFresh(fresh, isNext ? info.bestblockhash : undefined);
      let blocks = 0;
      if (block?.previousblockhash === cursor.hash) {
        cursor = chain.connect(block);
        blocks = 1;
      } else if (info.bestblockhash !== cursor.hash) {
        ({ cursor, blocks } = await chain.follow(cursor));
      }
      context.write(() => {
        for (const transaction of transactions) {
          const seen = toChainTransaction(transaction, 'mempool');
          const found = { height: null, at: context.now() };
          if (recordTransaction(context.db, seen, found) > 0) rivals.note(seen);
        }
        forgetMissing(context, new Set(mempool));
      });
      known = new Set(mempool).intersection(new Set([...known, ...transactions.map(({ txid }) => txid)]));
      return {
        tip: cursor.height,
        blocks,
        transactions: transactions.length,
        isCurrent: !info.initialblockdownload,
      };

      async function readFresh(txIds: readonly string[], blockHash: string | undefined) {
        const calls = txIds.map((txId) => ({
          method: 'getrawtransaction',
          params: [txId, true],
          schema: transactionSchema,
        }));
        const read: { block: Block | undefined; transactions: NodeTransaction[] } = {
          block: undefined,
          transactions: [],
        };
        for (
          let from = 0;
          from < calls.length || (from === 0 && blockHash !== undefined);
          from += BATCH_MAX
        ) {
          const batch = calls.slice(from, from + BATCH_MAX);
          const blockCall =
            from === 0 && blockHash !== undefined
              ? [{ method: 'getblock', params: [blockHash, 2], schema: blockSchema }]
              : [];
          const answers = await rpc.callAll([...blockCall, ...batch], options);
          for (const answer of answers) {
            // What was replaced or mined a moment ago is found elsewhere.
            if (answer instanceof RpcError) continue;
            if ('tx' in answer) read.block = answer;
            else read.transactions.push(answer);
          }
        }
        return read;
      }
    },
  };

  /** Inside a transaction. */
  function forgetMissing({ db }: PollContext, mempool: ReadonlySet<string>): void {
    const { payments, pegouts, spenders } = listUnconfirmed(db);
    for (const txId of pegouts) if (!mempool.has(txId)) forgetTransaction(db, txId);
    const missing = new Set([...payments, ...spenders].filter((txId) => !mempool.has(txId)));
    for (const txId of misses.keys()) if (!missing.has(txId)) misses.delete(txId);
    for (const txId of missing) {
      const looks = (misses.get(txId) ?? 0) + 1;
      misses.set(txId, looks);
      if (looks < GONE_AFTER_LOOKS) continue;
      forgetTransaction(db, txId);
      misses.delete(txId);
    }
  }
}
