// Needs: litecoind
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLitecoinCore, litoshiSchema, walletPath } from '#src/outbound/litecoin-core.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { startLitecoinNode } from '../../support/litecoin-node.ts';

const outbound = createOutbound();
afterAll(() => outbound.close());

describe('the client of Litecoin Core', () => {
  it('logs in by cookie and reads the state of the chain', async () => {
    const node = await startLitecoinNode();
    await node.mine(3);
    const info = await node.client.getBlockchainInfo();
    expect(info).toMatchObject({ chain: 'regtest', blocks: 3, headers: 3, initialblockdownload: false });
    expect(info.bestblockhash).toMatch(/^[0-9a-f]{64}$/);
    expect(Math.abs(info.mediantime - Date.now() / 1000)).toBeLessThan(600);
  });

  it('calls wallets, reads amounts exactly, tells refusals', async () => {
    const node = await startLitecoinNode();
    const { call } = node.client;
    await call('createwallet', ['dary i wpłaty'], z.unknown());
    const wallet = { path: walletPath('dary i wpłaty') };
    const address = await call('getnewaddress', ['', 'bech32'], z.string(), wallet);
    expect(address).toMatch(/^rltc1q/);
    await call('generatetoaddress', [101, address], z.array(z.string()));
    expect(await call('getbalance', [], litoshiSchema, wallet)).toBe(5_000_000_000);
    await expect(call('getbalance', [], litoshiSchema, { path: walletPath('inny') })).rejects.toMatchObject({
      name: 'RpcError',
      code: -18,
    });
    await expect(call('nosuchmethod', [], z.unknown())).rejects.toMatchObject({ code: -32601 });
  });

  it('is refused with a wrong password', async () => {
    const node = await startLitecoinNode();
    const stranger = createLitecoinCore(outbound, {
      url: node.url,
      login: { user: 'u', password: 'S3CRET' },
    });
    const error = await stranger.getBlockchainInfo().catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'OutboundError', status: 401, message: `${node.url}: answered 401` });
  });
});
