// Needs: litecoind
/** The client of Litecoin Core, and the check of the network that uses it, over one real node. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseConfig } from '#src/config.ts';
import { createLitecoinCore, litoshiSchema } from '#src/outbound/litecoin-core.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { createSampler } from '#src/status/take-sample.ts';
import { startLitecoinNode, type LitecoinNode } from '../../support/litecoin-node.ts';

const DAY_MS = 86_400_000;
const outbound = createOutbound();
afterAll(() => outbound.close());

let node: LitecoinNode;
beforeAll(async () => {
  node = await startLitecoinNode();
});

describe('the client of Litecoin Core', () => {
  it('logs in by cookie, calls wallets, reads amounts exactly, and passes refusals on', async () => {
    const { call } = node.rpc();
    await call('createwallet', ['dary i wpłaty'], z.unknown());
    const wallet = node.rpc('dary i wpłaty');
    const address = await wallet.call('getnewaddress', ['', 'bech32'], z.string());
    expect(address).toMatch(/^rltc1q/);
    await wallet.call('generatetoaddress', [101, address], z.array(z.string()));
    expect(await wallet.call('getbalance', [], litoshiSchema)).toBe(5_000_000_000);
    await expect(node.rpc('inny').call('getbalance', [], litoshiSchema)).rejects.toMatchObject({
      name: 'RpcError',
      code: -18,
    });
    await expect(call('nosuchmethod', [], z.unknown())).rejects.toMatchObject({ code: -32601 });
  });

  it('is refused with a wrong password', async () => {
    const login = { user: 'u', password: 'S3CRET' };
    const refused = createLitecoinCore(outbound, { url: node.url, login }).getBlockchainInfo();
    await expect(refused).rejects.toMatchObject({
      name: 'OutboundError',
      status: 401,
      message: `${node.url}: answered 401`,
    });
  });
});

describe('the check of the Litecoin network', () => {
  it('is well only with a node that has caught up, on the right network, with a recent block', async () => {
    const own = await startLitecoinNode();
    const ask = async (network: string, now: () => number = Date.now) => {
      const settings = parseConfig({
        LITECOIN_RPC_URL: own.url,
        LITECOIN_RPC_COOKIE_FILE: own.cookieFile,
        LITECOIN_NETWORK: network,
      });
      const takeSample = createSampler({ settings, outbound, report: () => {}, now });
      return (await takeSample(() => {})).checks[1];
    };
    // Nothing but the first block of 2011: the node is still waiting for the chain.
    expect(await ask('regtest')).toMatchObject({ id: 'litecoin', ok: false });
    await own.mine(12);
    const info = await own.client.getBlockchainInfo();
    expect(info).toMatchObject({ chain: 'regtest', blocks: 12, headers: 12, initialblockdownload: false });
    expect(await ask('regtest')).toMatchObject({ ok: true });
    expect(await ask('main')).toMatchObject({ ok: false });
    expect(await ask('regtest', () => Date.now() + 2 * DAY_MS)).toMatchObject({ ok: false });
  });
});
