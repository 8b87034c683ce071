import { expect, it } from 'vitest';
import type { RequestListener } from 'node:http';
import { createOutbound } from '#src/outbound/outbound.ts';
import type { StatusSettings } from '#src/status/probes.ts';
import type { CheckId, Status } from '#src/status/status.ts';
import { createSampler } from '#src/status/take-sample.ts';
import { BAD_SERVICES, startLoopbackServer, startRawLoopbackServer } from '../../support/loopback-server.ts';
import { noteOutages } from '../../support/note-outages.ts';
import { DISCORD_GATEWAY, sendJson } from '../../support/outside-answers.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

const NOTHING: StatusSettings = {
  baseUrl: 'https://czujka.example',
  litecoin: { network: 'main', rpc: undefined, esploraUrl: undefined },
  chatPlatform: undefined,
  protectionService: undefined,
  bots: { main_bot: undefined, protection_public_bot: undefined, protection_admin_bot: undefined },
};

/** @param reasons gets those of failures */
function sample(
  settings: Partial<StatusSettings>,
  reasons: string[] = [],
  facts: { readonly deadlineMs?: number; readonly checkDatabase?: () => unknown } = {},
): Promise<Status> {
  const { checkDatabase = () => {}, ...options } = facts;
  const outside = { outbound: createOutbound(), outages: noteOutages(reasons) };
  const all = { ...NOTHING, ...settings };
  return createSampler({ settings: all, ...outside, now: () => NOW, ...options })(checkDatabase);
}

function checkOf(status: Status, id: CheckId) {
  return status.checks.find((check) => check.id === id);
}

it('names everything; what is not configured has zeros', async () => {
  const status = await sample({});
  expect(status.checkedAt).toBe('2026-11-20T12:00:00.000Z');
  expect(status.checks.map(({ id, ok, latencyMs }) => [id, ok, latencyMs > 0])).toEqual([
    ['database', true, true],
    ['litecoin', false, false],
    ['chat_platform', false, false],
    ['protection_service', false, false],
  ]);
  const nothing = { ok: false, state: 'not_configured', uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };
  const ids = ['main_bot', 'protection_public_bot', 'protection_admin_bot'];
  expect(status.bots).toEqual(ids.map((id) => ({ id, ...nothing })));
});

const RESOURCES = { uptime: 10.6, memory_bytes: 2.5, cpu_absolute: 12.41749 };
const sampleBot = async (current_state: string, resources: object, reasons: string[] = []) => {
  const { origin } = await startLoopbackServer(sendJson({ attributes: { current_state, resources } }));
  return (await sample(everythingAt(origin), reasons)).bots[0];
};

it.each([
  ['running', { ok: true, state: 'running', uptimeMs: 11, memoryBytes: 3, cpuPercent: 12.417 }],
  ['offline', { ok: false, state: 'offline', uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 }],
])('2.4 rounds the numbers of a bot that is %s', async (state, expected) => {
  expect(await sampleBot(state, RESOURCES)).toEqual({ id: 'main_bot', ...expected });
});

it.each([
  [{ uptime: 1e16 }, 'uptimeMs'],
  [{ memory_bytes: 1e300 }, 'memoryBytes'],
  [{ cpu_absolute: 1e9 }, 'cpuPercent'],
])('believes no bot that has %j', async (change, name) => {
  const reasons: string[] = [];
  const bot = await sampleBot('running', { ...RESOURCES, ...change }, reasons);
  expect(bot).toMatchObject({ state: 'unknown', uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 });
  expect(reasons).toContain(`main_bot: its ${name} cannot be right`);
});

it('tells that the database fails, and why', async () => {
  const reasons: string[] = [];
  const checkDatabase = () => Promise.reject(new Error('it is locked'));
  const status = await sample({}, reasons, { checkDatabase });
  expect(checkOf(status, 'database')).toMatchObject({ ok: false });
  expect(reasons).toEqual(['database: it is locked']);
});

it('takes the gateway of the chat platform for an answer, and nothing else', async () => {
  const seen: (string | undefined)[] = [];
  const platform = await startLoopbackServer((request, response) => {
    seen.push(request.headers['user-agent'], request.headers.authorization);
    sendJson(DISCORD_GATEWAY)(request, response);
  });
  const good = await sample({ chatPlatform: { apiUrl: `${platform.origin}/api/v10`, token: undefined } });
  expect(checkOf(good, 'chat_platform')).toMatchObject({ ok: true });
  expect(platform.requests).toEqual(['GET /api/v10/gateway']);
  expect(seen).toEqual(['DiscordBot (https://czujka.example, 1.0.0)', undefined]);
  const other = await startLoopbackServer(sendJson({ url: 'https://elsewhere.example' }));
  const bad = await sample({ chatPlatform: { apiUrl: other.origin, token: undefined } });
  expect(checkOf(bad, 'chat_platform')).toMatchObject({ ok: false });
});

it('wants the status that the operator named of the protection service', async () => {
  const service = await startLoopbackServer((_request, response) => response.writeHead(204).end());
  const ask = async (status: number) => {
    const protectionService = { url: `${service.origin}/health?k=v`, status };
    return checkOf(await sample({ protectionService }), 'protection_service');
  };
  expect(await ask(204)).toMatchObject({ ok: true });
  expect(await ask(200)).toMatchObject({ ok: false });
  expect(service.requests[0]).toBe('GET /health?k=v');
});

it.each([
  ['a health page of two megabytes', 2_000_000],
  ['a health page that does not end', 1],
])('reads no more than the status of %s', async (_what, bytes) => {
  const service = await startLoopbackServer((_request, response) => {
    response.writeHead(200).write(Buffer.alloc(bytes));
    if (bytes > 1) response.end();
  });
  const status = await sample({ protectionService: { url: service.origin, status: 200 } });
  expect(checkOf(status, 'protection_service')).toMatchObject({ ok: true });
});

it('knows an explorer whose newest block is old', async () => {
  const ask = async (timestamp: number) => {
    const explorer = await startLoopbackServer((request, response) => {
      if (request.url === '/blocks/tip/hash')
        return void response.setHeader('Content-Type', 'text/plain').end('ab'.repeat(32));
      sendJson({ height: 1, timestamp })(request, response);
    });
    const litecoin = { network: 'main', rpc: undefined, esploraUrl: explorer.origin } as const;
    return checkOf(await sample({ litecoin }), 'litecoin');
  };
  expect(await ask(NOW / 1000 - 3_600)).toMatchObject({ ok: true });
  expect(await ask(NOW / 1000 - 3_601)).toMatchObject({ ok: false });
  expect(await ask(Date.UTC(2090) / 1000)).toMatchObject({ ok: false });
});

it('survives a service that says nothing, within its deadline', async () => {
  const service = await startRawLoopbackServer(BAD_SERVICES.hang);
  expectAllFailed(await sample(everythingAt(service.origin), [], { deadlineMs: 400 }));
});

it.each<[string, RequestListener]>([
  ['500', (_request, response) => response.writeHead(500).end('boom')],
  ['HTML', (_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>S3CRET')],
  ['wrong shapes', sendJson({ attributes: { current_state: 7 }, url: 7, result: 7, error: null })],
])('survives a service that answers with %s', async (_name, listener) => {
  const service = await startLoopbackServer(listener);
  const reasons: string[] = [];
  expectAllFailed(await sample(everythingAt(service.origin), reasons, { deadlineMs: 3_000 }));
  expect(reasons.join()).not.toContain('S3CRET');
});

function everythingAt(origin: string): Partial<StatusSettings> {
  const panel = { source: 'panel', url: origin, key: 'S3CRET', server: 'x' } as const;
  const login = { user: 'u', password: 'S3CRET' };
  return {
    litecoin: { network: 'main', rpc: { url: origin, login }, esploraUrl: undefined },
    chatPlatform: { apiUrl: origin, token: undefined },
    // It may answer with any type and body, so it is held to a status that none of these sends.
    protectionService: { url: origin, status: 299 },
    bots: { main_bot: panel, protection_public_bot: panel, protection_admin_bot: panel },
  };
}

function expectAllFailed(status: Status): void {
  expect(status.checks.map(({ ok }) => ok)).toEqual([true, false, false, false]);
  for (const { latencyMs } of status.checks) expect(latencyMs).toBeGreaterThan(0);
  expect(status.bots).toMatchObject(Array(3).fill({ ok: false, state: 'unknown' }));
}
