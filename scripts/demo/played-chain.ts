import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import { demoAddress } from '../sample/demo-donations.ts';
import type { DemoChain } from './demo-chain.ts';
import { startPlayedNode } from './played-node.ts';

/** Addresses before it are those of stored donations. */
const FIRST_ADDRESS = 1_000;

/** Where no litecoind is installed: a network that the demo plays itself. */
export async function startPlayedChain(): Promise<DemoChain> {
  const node = await startPlayedNode();
  let next = FIRST_ADDRESS;
  const paid: string[] = [];
  return {
    settings: { LITECOIN_RPC_URL: node.url },
    newAddress: () => Promise.resolve(demoAddress(next++)),
    pay(address, ltc) {
      const to = parseLitecoinAddress(address, 'regtest');
      if (!to.ok) return Promise.reject(new Error(`the address ${to.problem}`));
      paid.push(node.pay(to.script, ltc));
      return Promise.resolve();
    },
    forward() {
      for (const txId of paid.splice(0)) node.forward(txId);
      return Promise.resolve();
    },
    mine() {
      node.mine();
      return Promise.resolve();
    },
    end() {
      node.close();
      return Promise.resolve();
    },
  };
}
