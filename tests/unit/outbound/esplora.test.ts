/** Answers written after the table of the Esplora API (Blockstream/esplora API.md; mempool.space's forks speak it too). */
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEsplora } from '#src/outbound/esplora.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';

const HASH = '9f5d2a3c'.repeat(8);
const outbound = createOutbound();
afterAll(() => outbound.close());

function startExplorer(tipHash: string) {
  return startLoopbackServer((request, response) => {
    const answers: Record<string, [string, string]> = {
      '/api/blocks/tip/hash': ['text/plain', tipHash],
      [`/api/block/${HASH}`]: [
        'application/json',
        JSON.stringify({ id: HASH, height: 3_012_345, timestamp: 1_795_600_000, tx_count: 12 }),
      ],
      '/api/address/ltc1x/utxo': ['application/json', '[]'],
    };
    const [type, body] = answers[request.url ?? ''] ?? ['text/plain', 'not here'];
    response.writeHead(200, { 'Content-Type': type }).end(body);
  });
}

describe('the client of an explorer', () => {
  it('reads the newest block and whatever else is asked for', async () => {
    const explorer = await startExplorer(HASH);
    const esplora = createEsplora(outbound, `${explorer.origin}/api`);
    expect(await esplora.getTip()).toEqual({ height: 3_012_345, hash: HASH, timestamp: 1_795_600_000 });
    expect(await esplora.get('/address/ltc1x/utxo', z.array(z.unknown()))).toEqual([]);
    await expect(esplora.get('/tx/none', z.unknown())).rejects.toMatchObject({ reason: 'content_type' });
  });

  it('asks for no block whose name makes no sense', async () => {
    const explorer = await startExplorer('../../admin');
    await expect(createEsplora(outbound, `${explorer.origin}/api`).getTip()).rejects.toMatchObject({
      reason: 'shape',
    });
    expect(explorer.requests).toEqual(['GET /api/blocks/tip/hash']);
  });
});
