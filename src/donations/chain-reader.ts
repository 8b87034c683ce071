/**
 * Blocks one after the other, from the last one that was read to the tip. What an older chain held is taken back first
 * when the chain was reorganised.
 */
import { z } from 'zod';
import { build } from '../db/database.ts';
import { RpcError } from '../outbound/json-rpc.ts';
import type { JsonRpc } from '../outbound/json-rpc.ts';
import { openDonations } from './evaluate-donations.ts';
import { blockSchema, headerSchema, infoSchema, toChainTransaction } from './node-answers.ts';
import type { Block } from './node-answers.ts';
import type { PollContext } from './poll-context.ts';
import { forgetBlocksFrom, forgetTransaction, recordTransaction } from './record-transaction.ts';
import type { RivalSpends } from './rival-spends.ts';

interface Cursor {
  readonly height: number;
  readonly hash: string;
}

/** Newest blocks that are stored: no reorganisation is expected to reach deeper. */
const BLOCKS_KEPT = 200;
/** Before the first donation that a scan is for: as far as a block's time may be off. */
const SCAN_SLACK_MS = 2 * 60 * 60_000;
/** The node's answer for what it does not have. */
const NOT_FOUND = -5;

/** Where the last poll stopped, and the way from there to the tip. */
export function createChainReader(rpc: JsonRpc, context: PollContext, rivals: RivalSpends) {
  const { db, write, signal } = context;
  const options = { signal };

  const findCursor = (): Cursor | undefined =>
    db.first(build.selectFrom('litecoin_blocks').selectAll().orderBy('height', 'desc').limit(1));

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
      db.run(build.deleteFrom('litecoin_blocks'));
      db.run(build.insertInto('litecoin_blocks').values({ height, hash }));
    });
    return { height, hash };
  };

  const oldestOpen = (): number | undefined =>
    db.first(openDonations.select('created_at').orderBy('created_at').limit(1))?.created_at;

  const connect = (block: Block): Cursor => {
    const { height, hash } = block;
    write(() => {
      const found = { height, at: Math.min(block.time * 1000, context.now()) };
      for (const transaction of block.tx) {
        const mined = toChainTransaction(transaction, 'block');
        if (recordTransaction(db, mined, found) > 0) rivals.note(mined);
        for (const loser of rivals.findLosers(mined)) forgetTransaction(db, loser);
      }
      db.run(build.replaceInto('litecoin_blocks').values({ height, hash }));
      db.run(build.deleteFrom('litecoin_blocks').where('height', '<=', height - BLOCKS_KEPT));
    });
    return { height, hash };
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
      const known = findCursor();
      if (known) return known;
      forget();
      const moment = oldestOpen();
      return beginAt(moment === undefined ? tip : await findHeightBefore(moment - SCAN_SLACK_MS, tip));
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
