import { expect, it } from 'vitest';
import { startFaultyService } from '../../support/faulty-service.ts';
import { BAD_SERVICES, startRawLoopbackServer } from '../../support/loopback-server.ts';
import { trials } from '../../support/trials.ts';

const OUTSIDE = ['litecoin', 'chat_platform', 'protection_service'];

it.each(Object.entries(BAD_SERVICES).slice(0, trials(1, 5)))(
  'outside services that %s are told of in the status, and disturb no list',
  { timeout: 240_000 },
  async (_, behave) => {
    const { origin } = await startRawLoopbackServer((socket) => void behave(socket));
    const service = await startFaultyService({
      settings: {
        LITECOIN_RPC_URL: origin,
        CHAT_PLATFORM_API_URL: origin,
        PROTECTION_SERVICE_URL: `${origin}/health`,
      },
    });
    const { status, text } = await service.ask('/api/status');
    const { checks } = JSON.parse(text) as { checks: readonly { id: string; ok: boolean }[] };
    expect(status).toBe(200);
    expect(checks.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(OUTSIDE);
    await service.expectRecovery();
  },
);
