// Needs: litecoind
/** The check of the Litecoin network over a real node. */
import { expect, it } from 'vitest';
import { parseConfig } from '#src/config.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { createSampler } from '#src/status/take-sample.ts';
import { startLitecoinNode } from '../../support/litecoin-node.ts';
import { noteOutages } from '../../support/note-outages.ts';

const DAY_MS = 86_400_000;

it('is well only with a node that has caught up, on the right network, with a recent block', async () => {
  const node = await startLitecoinNode();
  const reasons: string[] = [];
  const ask = async (network: string, now: () => number = Date.now) => {
    const settings = parseConfig({
      LITECOIN_RPC_URL: node.url,
      LITECOIN_RPC_COOKIE_FILE: node.cookieFile,
      LITECOIN_NETWORK: network,
    });
    const outages = noteOutages(reasons);
    const takeSample = createSampler({ settings, outbound: createOutbound(), outages, now });
    return (await takeSample(() => {})).checks[1];
  };
  // Nothing but the first block of 2011: the node is still waiting for the chain.
  expect(await ask('regtest')).toMatchObject({ id: 'litecoin', ok: false });
  await node.mine(12);
  expect(await ask('regtest')).toMatchObject({ ok: true });
  expect(await ask('main')).toMatchObject({ ok: false });
  expect(await ask('regtest', () => Date.now() + 2 * DAY_MS)).toMatchObject({ ok: false });
  expect(reasons).toEqual([
    'litecoin: it is still catching up with the network',
    'litecoin: it is on the chain regtest, but LITECOIN_NETWORK is main',
    'litecoin: it knows no recent block',
  ]);
});
