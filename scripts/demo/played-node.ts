/**
 * Stands for Litecoin Core where none is: blocks, a mempool and payments out of nothing, told over JSON-RPC as the node
 * tells them, as far as this service asks. Nothing is checked: no signature, no work, no balance.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface PlayedNode {
  readonly url: string;
  /** It waits in the mempool. @param script in hex @returns the transaction's ID */
  pay(script: string, ltc: number): string;
  /** Spends what a transaction paid. @returns the ID of the one that spends it */
  forward(txId: string): string;
  /** One block with all that waits. @returns its height */
  mine(): number;
  close(): void;
}

export interface PlayedNodeOptions {
  /** How far the node believes that its peers are ahead of it. */
  readonly peersAheadSeconds?: number;
}

interface Transaction {
  readonly txid: string;
  readonly vin: readonly { readonly txid: string; readonly vout: number }[];
  readonly vout: readonly {
    readonly n: number;
    readonly value: number;
    readonly scriptPubKey: { readonly hex: string };
  }[];
}

interface Block {
  readonly hash: string;
  /** Epoch seconds. */
  readonly time: number;
  readonly tx: readonly Transaction[];
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The node's own code and words for what it does not have. */
const NOT_FOUND = { code: -5, message: 'Block or transaction not found' };
const NO_METHOD = { code: -32601, message: 'Method not found' };
/** Blocks that are there at first, and how long one took. */
const BLOCKS_BEFORE = 12;
const BLOCK_SECONDS = 150;
/** A script that anybody may spend. */
const ANYBODY = '51';

export async function startPlayedNode({
  peersAheadSeconds = 0,
}: PlayedNodeOptions = {}): Promise<PlayedNode> {
  const blocks: Block[] = [];
  let mempool: Transaction[] = [];
  const addBlock = (time: number, tx: readonly Transaction[]): number =>
    blocks.push({ hash: makeId(), time, tx }) - 1;
  const secondsNow = (): number => Math.floor(Date.now() / 1_000);
  for (let ago = BLOCKS_BEFORE; ago > 0; ago -= 1) addBlock(secondsNow() - ago * BLOCK_SECONDS, []);
  const wait = (spent: string, script: string, value: number): string => {
    const txid = makeId();
    const scriptPubKey = { hex: script };
    mempool.push({ txid, vin: [{ txid: spent, vout: 0 }], vout: [{ n: 0, value, scriptPubKey }] });
    return txid;
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
  /** By method; undefined: the node does not have it. */
  const methods: Readonly<Record<string, (first: unknown) => unknown>> = {
    getblockchaininfo: () => ({
      chain: 'regtest',
      blocks: blocks.length - 1,
      headers: blocks.length - 1,
      bestblockhash: blocks.at(-1)?.hash,
      initialblockdownload: false,
      mediantime: blocks.at(-1)?.time,
    }),
    getnetworkinfo: () => ({ timeoffset: peersAheadSeconds }),
    getrawmempool: () => mempool.map(({ txid }) => txid),
    getrawtransaction: (txId) => mempool.find(({ txid }) => txid === txId),
    getblockhash: (height) => blocks[Number(height)]?.hash,
    getblockheader: describe,
    getblock: describe,
  };
  const answer = ({ id, method, params }: Call): object => {
    const call = methods[method];
    const result = call?.(params[0]);
    return result === undefined ? { id, result: null, error: call ? NOT_FOUND : NO_METHOD } : { id, result };
  };
  const server = createServer((request, response) => {
    void json(request).then(
      (asked) =>
        response
          .setHeader('Content-Type', 'application/json')
          .end(JSON.stringify(Array.isArray(asked) ? (asked as Call[]).map(answer) : answer(asked as Call))),
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pay: (script, ltc) => wait(makeId(), script, ltc),
    forward: (txId) => wait(txId, ANYBODY, 0),
    mine() {
      const height = addBlock(secondsNow(), mempool);
      mempool = [];
      return height;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function makeId(): string {
  return randomBytes(32).toString('hex');
}
