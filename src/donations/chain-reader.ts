/** Reads blocks from the last stored one to the tip, and first disconnects those that a reorganisation removed. */
import type { z } from 'zod';
import { sqlBuilder } from '../db/database.ts';
import { type blockchainInfoSchema, RpcError, type LitecoinCore } from '../outbound/litecoin-core.ts';
import { hash as hashSchema } from '../outbound/ranges.ts';
import { openDonations, unreadDonations } from './evaluate-donations.ts';
import { recordUnread } from './monitoring.ts';
import { blockSchema, headerSchema } from './node-answers.ts';
import type { PollContext } from './poll-context.ts';
import { beginningOf, disconnectBlocksFrom, recordTransaction } from './record-transaction.ts';

/** No reorganisation is expected to be deeper. */
const BLOCKS_STORED = 200;
const NOT_FOUND = -5;

/** @param tip of the node @returns height of the last stored block */
export async function readBlocks(
  node: LitecoinCore,
  { db, write, signal }: PollContext,
  tip: z.output<typeof blockchainInfoSchema> & { readonly at: number },
): Promise<number> {
  const getHash = (height: number): Promise<string> =>
    node.call('getblockhash', [height], hashSchema, signal);

  /** Undefined for a block that is not in the chain. */
  const findHeader = async (hash: string) => {
    try {
      const header = await node.call('getblockheader', [hash], headerSchema, signal);
      return header.confirmations < 0 ? undefined : header;
    } catch (error) {
      if (error instanceof RpcError && error.code === NOT_FOUND) return undefined;
      throw error;
    }
  };

  /** Binary search by block time, which grows nearly always. */
  const findHeightBefore = async (moment: number): Promise<number> => {
    let low = 0;
    let high = tip.blocks;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const header = await findHeader(await getHash(middle));
      if (header && header.time < moment) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  /** Continues after this block, or where the node's blocks begin. */
  const continueAfter = async (wanted: number): Promise<void> => {
    const height = Math.max(wanted, tip.pruneheight - 1);
    const hash = await getHash(height);
    const header = await node.call('getblockheader', [hash], headerSchema, signal);
    write((tx) => {
      disconnectBlocksFrom(tx, height + 1);
      tx.run(sqlBuilder.replaceInto('litecoin_blocks').values({ height, hash }));
      recordUnread(tx, height > wanted ? header.time : undefined);
    });
  };

  /** Begins before the oldest open donation, or at the tip without one. */
  const begin = async (): Promise<void> => {
    const oldest = db.first(openDonations.select('created_at').orderBy('created_at').limit(1));
    await continueAfter(oldest ? await findHeightBefore(beginningOf(oldest.created_at, tip.at)) : tip.blocks);
  };

  const connect = async (blockHash: string): Promise<void> => {
    const block = await node.call('getblock', [blockHash, 2], blockSchema, signal);
    const { height, hash, time } = block;
    write((tx) => {
      const found = { height, at: time, tipAt: tip.at };
      for (const transaction of block.tx) recordTransaction(tx, transaction, found);
      tx.run(sqlBuilder.replaceInto('litecoin_blocks').values({ height, hash }));
      tx.run(sqlBuilder.deleteFrom('litecoin_blocks').where('height', '<=', height - BLOCKS_STORED));
    });
  };

  const newest = sqlBuilder.selectFrom('litecoin_blocks').selectAll().orderBy('height', 'desc').limit(1);
  // Another node than the one that had pruned them has the missing blocks.
  if (tip.pruneheight === 0 && db.first(unreadDonations.select('id').limit(1))) await begin();
  for (;;) {
    const cursor = db.first(newest);
    if (cursor?.hash === tip.bestblockhash) return cursor.height;
    const header = cursor && (await findHeader(cursor.hash));
    if (!cursor) await begin();
    else if (!header) write((tx) => disconnectBlocksFrom(tx, cursor.height));
    else if (cursor.height < tip.pruneheight - 1) await continueAfter(cursor.height);
    else if (header.nextblockhash !== undefined) await connect(header.nextblockhash);
    else return cursor.height;
  }
}
