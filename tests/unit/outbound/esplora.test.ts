import { expect, it } from 'vitest';
import { createEsplora } from '#src/outbound/esplora.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';

it('asks the explorer for no block whose name makes no sense', async () => {
  const explorer = await startLoopbackServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end('../../admin'),
  );
  const esplora = createEsplora(createOutbound(), `${explorer.origin}/api`);
  await expect(esplora.getTip()).rejects.toThrow('another shape');
  expect(explorer.requests).toEqual(['GET /api/blocks/tip/hash']);
});
