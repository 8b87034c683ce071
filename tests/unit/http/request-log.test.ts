/** Requests in the log: those that the operator asked for, and nothing that names a person. */
import { describe, expect, it } from 'vitest';
import pino from 'pino';
import { parseConfig } from '#src/config.ts';
import { createRequestLog, shorten } from '#src/http/request-log.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { createServices } from '#src/services.ts';
import { createSite } from '#src/site.ts';
import { ask } from '../../support/test-site.ts';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** The lines that a site logs while somebody asks for these paths. */
async function logOf(which: string, paths: readonly string[]): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  const db = await makeDatabase();
  const config = parseConfig({ DATABASE_PATH: db.path, LOG_REQUESTS: which, TRUST_PROXY: 'loopback' });
  const services = createServices(config, log);
  const { server } = await createSite(config, log, undefined, services);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const path of paths) await ask(port, path, { headers: { 'X-Forwarded-For': '203.0.113.77' } });
  server.close();
  await services.close();
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request');
}

const PATHS = ['/api/check?search=tajny', '/scammers?search=tajny', '/api/scammers?limit=0', '/healthz'];

describe('the log of requests', () => {
  it('is empty by default, and where only errors are wanted and none happened', async () => {
    expect(await logOf('', PATHS)).toEqual([]);
    expect(await logOf('errors', PATHS)).toEqual([]);
  });

  it('has route, status and a cut address, and nothing of what was asked', async () => {
    const lines = await logOf('all', PATHS);
    expect(lines.map(({ route, status, from, method }) => [method, route, status, from])).toEqual([
      ['GET', '/api/check', 200, '203.0.113.0/24'],
      ['GET', '/scammers', 200, '203.0.113.0/24'],
      ['GET', '/api/scammers', 400, '203.0.113.0/24'],
      ['GET', '/healthz', 200, '203.0.113.0/24'],
    ]);
    expect(JSON.stringify(lines)).not.toContain('tajny');
    expect(JSON.stringify(lines)).not.toContain('113.77');
  });

  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:aaaa:bbbb', '2001:db8:aaaa::/48'],
    ['unknown', 'unknown'],
  ])('cuts %s to %s', (client, cut) => {
    expect(shorten(client)).toBe(cut);
  });

  it('names answers of 500 and above where errors are wanted', () => {
    const lines: string[] = [];
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
    const meter = createRequestLog(log, 'errors', () => '203.0.113.77');
    for (const status of [200, 404, 429, 500, 503])
      meter?.end('/api/check', status, meter.begin(), { method: 'GET' } as never);
    expect(lines.map((line) => (JSON.parse(line) as { status: number }).status)).toEqual([500, 503]);
  });
});
