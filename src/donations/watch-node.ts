/**
 * Litecoin Core as the source (0.21 and later; no wallet, no index, no ZMQ, and it may be pruned). Each poll asks for
 * the tip and the mempool's list, then, in one more request, for what is new in them; how many payments are open makes
 * no difference. Blocks are read one after the other from the last one that was read, so that nothing is missed however
 * long the node or this process was away; and what an older chain held is taken back first when the chain was
 * reorganised.
 */
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { RpcError } from '../outbound/json-rpc.ts';
import type { JsonRpc } from '../outbound/json-rpc.ts';
import { litoshiSchema } from '../outbound/litecoin-core.ts';
import type { Network } from './litecoin-network.ts';
import {
  forgetBlocksFrom,
  forgetTransaction,
  isHogEx,
  listUnconfirmed,
  recordTransaction,
} from './record-transaction.ts';
import type { ChainOutput, ChainTransaction } from './record-transaction.ts';
import { createRivalSpends } from './rival-spends.ts';
import type { RivalSpends } from './rival-spends.ts';
import { endRescanRequest, findRescanRequest } from './write-donation.ts';

export interface PollContext {
  readonly db: Database;
  /** One transaction; refuses when this process may not write any more. */
  readonly write: <T>(change: () => T) => T;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export interface PollResult {
  /** Height of the newest block that was read. */
  readonly tip: number;
  readonly blocks: number;
  /** Of the mempool, looked at for the first time. */
  readonly transactions: number;
  /** False while the node itself is behind the network, and knows nothing of what happens there. */
  readonly isCurrent: boolean;
}

export interface NodeWatch {
  /** @throws when the node cannot be asked or answers nonsense; what was read until then stays */
  poll(context: PollContext): Promise<PollResult>;
}

interface Cursor {
  readonly height: number;
  readonly hash: string;
}

/** Of the newest blocks, as many are remembered: no reorganisation is expected to reach deeper. */
const BLOCKS_KEPT = 200;
/** Before the first donation that a scan is for: as far as a block's time may be off. */
const SCAN_SLACK_MS = 2 * 60 * 60_000;
/** Calls in one request. */
const BATCH_MAX = 250;
/**
 * A payment that is in no block and no mempool is gone when so many looks in a row have missed it: one may fall between
 * two states of a node that has just been started again.
 */
const GONE_AFTER_LOOKS = 2;
/** The node's answer for what it does not have. */
const NOT_FOUND = -5;

const infoSchema = z.object({
  chain: z.string(),
  blocks: z.int(),
  bestblockhash: z.string(),
  initialblockdownload: z.boolean(),
});

const transactionSchema = z.object({
  txid: z.string(),
  vin: z.array(z.object({ txid: z.string().optional(), vout: z.int().optional() })),
  vout: z.array(
    z.object({
      n: z.int().optional(),
      value: litoshiSchema.optional(),
      scriptPubKey: z.object({ hex: z.string() }).optional(),
    }),
  ),
  /** MWEB kernels; those of a block are not here but in its own transaction. */
  vkern: z
    .array(
      z.object({
        pegout: z
          .array(z.object({ value: litoshiSchema, scriptPubKey: z.object({ hex: z.string() }) }))
          .optional(),
      }),
    )
    .optional(),
});
type NodeTransaction = z.output<typeof transactionSchema>;

const blockSchema = z.object({
  hash: z.string(),
  height: z.int(),
  /** Epoch seconds. */
  time: z.int(),
  previousblockhash: z.string().optional(),
  nextblockhash: z.string().optional(),
  tx: z.array(transactionSchema),
});
type Block = z.output<typeof blockSchema>;

const headerSchema = z.object({
  /** -1 for a block that is not part of the chain. */
  confirmations: z.int(),
  nextblockhash: z.string().optional(),
  time: z.int(),
});

export function createNodeWatch(rpc: JsonRpc, network: Network): NodeWatch {
  /** What of the mempool was looked at already. */
  let known = new Set<string>();
  /** By transaction that was in the mempool, how many looks in a row have missed it. */
  const misses = new Map<string, number>();
  const rivals = createRivalSpends();

  return {
    async poll(context) {
      const options = { signal: context.signal, backOff: 'told' } as const;
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

/** Where the last poll stopped, and the way from there to the tip. */
function createChainReader(rpc: JsonRpc, context: PollContext, rivals: RivalSpends) {
  const { db, write, signal } = context;
  const options = { signal, backOff: 'told' } as const;

  const findCursor = (): Cursor | undefined =>
    db.statement<Cursor>('SELECT height, hash FROM litecoin_blocks ORDER BY height DESC LIMIT 1').get();

  const getHash = (height: number): Promise<string> =>
    rpc.call('getblockhash', [height], z.string(), options);

  const getHeader = (hash: string) => rpc.call('getblockheader', [hash], headerSchema, options);

  /** The last block before a moment, by its time: those are nearly in order. */
  const findHeightBefore = async (moment: number, tip: number): Promise<number> => {
    let low = 0;
    let high = tip;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const { time } = await getHeader(await getHash(middle));
      if (time * 1000 < moment) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  const beginAt = async (height: number): Promise<Cursor> => {
    const hash = await getHash(height);
    write(() => {
      db.statement('DELETE FROM litecoin_blocks').run();
      db.statement('INSERT INTO litecoin_blocks (height, hash) VALUES (?, ?)').run(height, hash);
    });
    return { height, hash };
  };

  const oldestOpen = (): number | undefined =>
    db.statement<{ at: number | null }>('SELECT min(created_at) AS at FROM donations WHERE settled = 0').get()
      ?.at ?? undefined;

  const connect = (block: Block): Cursor => {
    write(() => {
      const found = { height: block.height, at: Math.min(block.time * 1000, context.now()) };
      for (const transaction of block.tx) {
        const mined = toChainTransaction(transaction, 'block');
        if (recordTransaction(db, mined, found) > 0) rivals.note(mined);
        for (const loser of rivals.findLosers(mined)) forgetTransaction(db, loser);
      }
      db.statement('INSERT OR REPLACE INTO litecoin_blocks (height, hash) VALUES (?, ?)').run(
        block.height,
        block.hash,
      );
      db.statement('DELETE FROM litecoin_blocks WHERE height <= ?').run(block.height - BLOCKS_KEPT);
    });
    return { height: block.height, hash: block.hash };
  };

  /** Goes back to the last block that is still part of the chain. */
  const backToChain = async (from: Cursor): Promise<{ cursor: Cursor; next: string | undefined }> => {
    let cursor: Cursor | undefined = from;
    while (cursor) {
      const { hash, height }: Cursor = cursor;
      const header = await getHeader(hash).catch((error: unknown) => {
        if (error instanceof RpcError && error.code === NOT_FOUND) return undefined;
        throw error;
      });
      if (header && header.confirmations >= 0) return { cursor, next: header.nextblockhash };
      write(() => forgetBlocksFrom(db, height));
      cursor = findCursor();
    }
    // None of the blocks that were read is part of this chain.
    const { blocks } = await rpc.call('getblockchaininfo', [], infoSchema, options);
    const start = await findHeightBefore((oldestOpen() ?? context.now()) - SCAN_SLACK_MS, blocks);
    write(() => forgetBlocksFrom(db, start + 1));
    return { cursor: await beginAt(start), next: start < blocks ? await getHash(start + 1) : undefined };
  };

  return {
    connect,
    /** @param forget called when the mempool has to be looked at as a whole again */
    async begin(tip: number, forget: () => void): Promise<Cursor> {
      const wanted = db.snapshot(() => ({ cursor: findCursor(), rescanFrom: findRescanRequest(db) }));
      const { rescanFrom } = wanted;
      if (wanted.cursor && rescanFrom === undefined) return wanted.cursor;
      forget();
      const moment = rescanFrom ?? oldestOpen();
      const height = moment === undefined ? tip : await findHeightBefore(moment - SCAN_SLACK_MS, tip);
      const cursor = await beginAt(Math.min(height, wanted.cursor?.height ?? height));
      if (rescanFrom !== undefined) write(() => endRescanRequest(db, rescanFrom));
      return cursor;
    },
    async follow(from: Cursor): Promise<{ cursor: Cursor; blocks: number }> {
      let { cursor, next } = await backToChain(from);
      let blocks = 0;
      while (next !== undefined) {
        signal.throwIfAborted();
        const block = await rpc.call('getblock', [next, 2], blockSchema, options);
        // The chain was reorganised meanwhile: the next poll starts from here.
        if (block.previousblockhash !== cursor.hash) break;
        cursor = connect(block);
        blocks += 1;
        next = block.nextblockhash;
      }
      return { cursor, blocks };
    },
  };
}

function toChainTransaction(
  { txid, vin, vout, vkern = [] }: NodeTransaction,
  where: 'mempool' | 'block',
): ChainTransaction {
  const kind = isHogEx(vout[0]?.scriptPubKey?.hex) ? 'hogex' : 'plain';
  // Outputs inside MWEB have neither script nor value.
  const outputs: ChainOutput[] = vout.flatMap(({ n, value, scriptPubKey }) =>
    n === undefined || value === undefined || !scriptPubKey
      ? []
      : [{ vout: n, litoshi: value, script: scriptPubKey.hex, kind }],
  );
  const pegouts = where === 'block' ? [] : vkern.flatMap(({ pegout }) => pegout ?? []);
  return {
    txId: txid,
    outputs: [
      ...outputs,
      ...pegouts.map(({ value, scriptPubKey }, place): ChainOutput => ({
        // They have no number among the outputs; these never meet a real one.
        vout: -1 - place,
        litoshi: value,
        script: scriptPubKey.hex,
        kind: 'pegout',
      })),
    ],
    spends: vin.flatMap(({ txid: spent, vout: place }) =>
      spent === undefined || place === undefined ? [] : [{ txId: spent, vout: place }],
    ),
  };
}
