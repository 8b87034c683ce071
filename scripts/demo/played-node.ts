/**
 * This is a simulated Litecoin Core: it makes blocks, a mempool and payments out of nothing and answers the JSON-RPC
 * calls of this service. It checks nothing: no signature, no work, no balance.
 */
import { randomBytes } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { startStandIn } from './stand-in.ts';

export type PlayedNode = Awaited<ReturnType<typeof startPlayedNode>>;

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The error of Litecoin Core for an unknown block or transaction. */
const NOT_FOUND = { code: -5, message: 'Block or transaction not found' };
const NO_METHOD = { code: -32601, message: 'Method not found' };
/** The chain starts with this many blocks, one every 150 s. */
const BLOCKS_BEFORE = 12;
const BLOCK_SECONDS = 150;
/** A script without an address: OP_TRUE. */
const ANYBODY = '51';

/** @param peersAheadSeconds the clocks of the node's peers against its own, as it reports them */
export async function startPlayedNode({ peersAheadSeconds = 0 } = {}) {
  const secondsNow = (): number => Math.floor(Date.now() / 1_000);
  const blocks = Array.from({ length: BLOCKS_BEFORE }, (_, at) =>
    makeBlock(secondsNow() - (BLOCKS_BEFORE - at) * BLOCK_SECONDS, []),
  );
  let oldest = 0;
  let mempool: Transaction[] = [];
  const enter = (spent: string, script: string, value: number): string => {
    const transaction = makeTransaction(spent, script, value);
    mempool.push(transaction);
    return transaction.txid;
  };
  const describe = (hash: unknown): object | undefined => {
    const height = blocks.findIndex((block) => block.hash === hash);
    const block = blocks[height];
    return (
      block && {
        ...block,
        height,
        confirmations: blocks.length - height,
        previousblockhash: blocks[height - 1]?.hash,
        nextblockhash: blocks[height + 1]?.hash,
      }
    );
  };
  /** An undefined answer means an unknown block, transaction or method. */
  const methods: Readonly<Record<string, (first: unknown) => unknown>> = {
    getblockchaininfo: () => ({
      chain: 'regtest',
      blocks: blocks.length - 1,
      headers: blocks.length - 1,
      bestblockhash: blocks.at(-1)?.hash,
      initialblockdownload: false,
      mediantime: blocks.at(-1)?.time,
      pruneheight: oldest,
    }),
    getnetworkinfo: () => ({ timeoffset: peersAheadSeconds }),
    getrawmempool: () => mempool.map(({ txid }) => txid),
    getmempoolinfo: () => ({ loaded: true }),
    getrawtransaction: (txId) => mempool.find(({ txid }) => txid === txId),
    getblockhash: (height) => blocks[Number(height)]?.hash,
    getblockheader: describe,
    getblock: (hash) =>
      blocks.slice(oldest).some((block) => block.hash === hash) ? describe(hash) : undefined,
  };
  const answer = ({ id, method, params }: Call): object => {
    const call = methods[method];
    const result = call?.(params[0]);
    return result === undefined ? { id, result: null, error: call ? NOT_FOUND : NO_METHOD } : { id, result };
  };
  const { url, close } = await startStandIn(async (request) => {
    const asked = await json(request);
    return Array.isArray(asked) ? (asked as Call[]).map(answer) : answer(asked as Call);
  });
  return {
    url,
    close,
    /** Adds a payment to the mempool. @param script in hex @returns the transaction's ID */
    pay: (script: string, ltc: number) => enter(makeId(), script, ltc),
    /** Adds a transaction that spends a payment to the mempool. @param txId of the payment */
    forward: (txId: string) => void enter(txId, ANYBODY, 0),
    /** Makes one block of the mempool. */
    mine() {
      blocks.push(makeBlock(secondsNow(), mempool));
      mempool = [];
    },
    /** Forgets all blocks but the newest ones. @param kept number of blocks; all brings them back */
    prune: (kept: number) => void (oldest = Math.max(0, blocks.length - kept)),
  };
}

function makeTransaction(spent: string, script: string, value: number) {
  const scriptPubKey = { hex: script };
  return { txid: makeId(), vin: [{ txid: spent, vout: 0 }], vout: [{ n: 0, value, scriptPubKey }] };
}

type Transaction = ReturnType<typeof makeTransaction>;

/** @param time epoch seconds */
function makeBlock(time: number, tx: readonly Transaction[]) {
  return { hash: makeId(), time, tx };
}

function makeId(): string {
  return randomBytes(32).toString('hex');
}
