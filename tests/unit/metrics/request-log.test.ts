import { expect, it } from 'vitest';
import { parseConfig } from '#src/config.ts';
import { createRequestLog, shortenAddress } from '#src/metrics/observe-responses.ts';
import { collectLog } from '../../support/collect-log.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { startTestSite } from '../../support/test-site.ts';

it('has route, status and a shortened address, and no query', async () => {
  const { log, lines } = collectLog();
  const { path } = await makeDatabase();
  const site = await startTestSite(path, { LOG_REQUESTS: 'all', TRUST_PROXY: 'loopback' }, {}, log);
  const asked = ['/api/check?search=tajny', '/scammers?search=tajny', '/api/scammers?limit=0', '/healthz'];
  for (const path of asked) await site.get(path, { headers: { 'X-Forwarded-For': '203.0.113.77' } });
  const logged = lines.filter(({ msg }) => msg === 'request');
  expect(logged.map(({ route, status, from, method }) => [method, route, status, from])).toEqual([
    ['GET', '/api/check', 200, '203.0.113.0/24'],
    ['GET', '/scammers', 503, '203.0.113.0/24'],
    ['GET', '/api/scammers', 400, '203.0.113.0/24'],
    ['GET', '/healthz', 200, '203.0.113.0/24'],
  ]);
  expect(logged.map(({ code }) => code)).toEqual([undefined, undefined, 'invalid_parameter', undefined]);
  expect(JSON.stringify(lines)).not.toMatch(/tajny|113\.77/);
});

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:aaaa:bbbb', '2001:db8:aaaa::/48'],
  ['unknown', 'unknown'],
])('shortens %s to %s', (client, cut) => {
  expect(shortenAddress(client)).toBe(cut);
});

it('has answers from 500 on with LOG_REQUESTS=errors, and none by default', () => {
  const { log, lines } = collectLog();
  const observe = createRequestLog(log, 'errors');
  const context = { request: { method: 'GET' }, route: '/api/check', client: '203.0.113.77', askedAt: 0 };
  for (const status of [200, 404, 429, 500, 503]) observe?.(context as never, status);
  expect(lines.map(({ status }) => status)).toEqual([500, 503]);
  expect(createRequestLog(log, parseConfig({}).logRequests)).toBeUndefined();
});
