/**
 * Reads blocks in order, from the last stored one to the tip. After a reorganisation, it first disconnects the blocks
 * that left the chain.
 */
import { z } from 'zod';
import { build } from '../db/database.ts';
import { RpcError, type JsonRpc } from '../outbound/json-rpc.ts';
import { openDonations } from './evaluate-donations.ts';
import { blockSchema, headerSchema, infoSchema, toChainTransaction, type Block } from './node-answers.ts';
import type { PollContext } from './poll-context.ts';
import { disconnectBlocksFrom, dropTransaction, recordTransaction } from './record-transaction.ts';
import type { DoubleSpends } from './double-spends.ts';

interface Cursor {
  readonly height: number;
  readonly hash: string;
}

/** No reorganisation is expected to be deeper. */
const BLOCKS_KEPT = 200;
/** Block times may be off by two hours. */
const SCAN_SLACK_MS = 2 * 60 * 60_000;
const NOT_FOUND = -5;

export function createChainReader(rpc: JsonRpc, context: PollContext, doubleSpends: DoubleSpends) {
  const { db, write, signal } = context;
  const options = { signal };

  const findCursor = (): Cursor | undefined =>
    db.first(build.selectFrom('litecoin_blocks').selectAll().orderBy('height', 'desc').limit(1));

  const getHash = (height: number): Promise<string> =>
    rpc.call('getblockhash', [height], z.string(), options);

  const getHeader = (hash: string) => rpc.call('getblockheader', [hash], headerSchema, options);

  /** Binary search by block time, which grows nearly always. */
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
        if (recordTransaction(db, mined, found) > 0) doubleSpends.add(mined);
        for (const conflict of doubleSpends.findConflicts(mined)) dropTransaction(db, conflict);
      }
      db.run(build.replaceInto('litecoin_blocks').values({ height, hash }));
      db.run(build.deleteFrom('litecoin_blocks').where('height', '<=', height - BLOCKS_KEPT));
    });
    return { height, hash };
  };

  /** Finds the last stored block that is still in the chain. */
  const findForkPoint = async (from: Cursor): Promise<{ cursor: Cursor; next: string | undefined }> => {
    let cursor: Cursor | undefined = from;
    while (cursor) {
      const { hash, height }: Cursor = cursor;
      const header = await getHeader(hash).catch((error: unknown) => {
        if (error instanceof RpcError && error.code === NOT_FOUND) return undefined;
        throw error;
      });
      if (header && header.confirmations >= 0) return { cursor, next: header.nextblockhash };
      write(() => disconnectBlocksFrom(db, height));
      cursor = findCursor();
    }
    const { blocks } = await rpc.call('getblockchaininfo', [], infoSchema, options);
    const start = await findHeightBefore((oldestOpen() ?? context.now()) - SCAN_SLACK_MS, blocks);
    write(() => disconnectBlocksFrom(db, start + 1));
    return { cursor: await beginAt(start), next: start < blocks ? await getHash(start + 1) : undefined };
  };

  return {
    connect,
    /** @param forget is called when the whole mempool has to be read again */
    async begin(tip: number, forget: () => void): Promise<Cursor> {
      const known = findCursor();
      if (known) return known;
      forget();
      const moment = oldestOpen();
      return beginAt(moment === undefined ? tip : await findHeightBefore(moment - SCAN_SLACK_MS, tip));
    },
    async follow(from: Cursor): Promise<Cursor> {
      let { cursor, next } = await findForkPoint(from);
      while (next !== undefined) {
        signal.throwIfAborted();
        const block = await rpc.call('getblock', [next, 2], blockSchema, options);
        // The chain was reorganised: the next poll continues.
        if (block.previousblockhash !== cursor.hash) break;
        cursor = connect(block);
        next = block.nextblockhash;
      }
      return cursor;
    },
  };
}
