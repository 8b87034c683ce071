// Needs: litecoind
import { afterAll, describe, expect, it } from 'vitest';
import { createOutbound } from '#src/outbound/outbound.ts';
import { createSampler } from '#src/status/take-sample.ts';
import { parseConfig } from '#src/config.ts';
import { startLitecoinNode } from '../../support/litecoin-node.ts';

const DAY_MS = 86_400_000;
const outbound = createOutbound();
afterAll(() => outbound.close());

describe('the check of the Litecoin network', () => {
  it('is well only with a node that has caught up, on the right network, with a recent block', async () => {
    const node = await startLitecoinNode();
    const ask = async (network: string, now: () => number = Date.now) => {
      const settings = parseConfig({
        LITECOIN_RPC_URL: node.url,
        LITECOIN_RPC_COOKIE_FILE: node.cookieFile,
        LITECOIN_NETWORK: network,
      });
      const takeSample = createSampler({ settings, outbound, report: () => {}, now });
      return (await takeSample(() => {})).checks[1];
    };
    // Nothing but the first block of 2011: the node is still waiting for the chain.
    expect(await ask('regtest')).toMatchObject({ id: 'litecoin', ok: false });
    await node.mine(12);
    expect(await ask('regtest')).toMatchObject({ ok: true });
    expect(await ask('main')).toMatchObject({ ok: false });
    expect(await ask('regtest', () => Date.now() + 2 * DAY_MS)).toMatchObject({ ok: false });
  });
});
