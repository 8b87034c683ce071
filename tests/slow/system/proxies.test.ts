// Needs: caddy nginx openssl
/**
 * Caddy and nginx as they are shipped: who the client is, what they say while the service does not run, and that
 * browsers stay with TLS.
 */
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { FRONT_PROXIES, TLS_PROXIES } from '../../support/front-cache.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { ask, startTestSite, type TestSite } from '../../support/test-site.ts';

describe.each(Object.entries(FRONT_PROXIES))('%s', (_name, start) => {
  let site: TestSite;
  let port: number;

  beforeAll(async () => {
    const db = await makeDatabase();
    site = await startTestSite(db.path, { TRUST_PROXY: 'loopback' });
    port = await start(site.port);
  });

  const addressOf = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
    const { text } = await ask(port, '/healthz', { from: '127.0.0.9', headers });
    return (JSON.parse(text) as { address: unknown }).address;
  };

  it('passes the true address of a client on, whatever the client writes', async () => {
    expect(await addressOf({})).toBe('127.0.0.9');
    expect(await addressOf({ 'X-Forwarded-For': '192.0.2.77' })).toBe('127.0.0.9');
    expect(await addressOf({ 'X-Forwarded-For': '192.0.2.77, 127.0.0.1', Forwarded: 'for=192.0.2.7' })).toBe(
      '127.0.0.9',
    );
  });

  it("passes the service's own errors on", async () => {
    const wrong = await ask(port, '/api/scammers?limit=0');
    expect(wrong.status).toBe(400);
    expect(JSON.parse(wrong.text)).toEqual({
      error: expect.stringContaining('Nieprawidłowy parametr') as string,
    });
    expect((await ask(port, '/nic-tu-nie-ma')).text).toContain('<html lang="pl"');
  });

  it('answers JSON under /api and a sentence elsewhere while the service does not run', async () => {
    site.server.close();
    site.server.closeAllConnections();
    await once(site.server, 'close');
    for (const path of ['/api/check?id=424242', '/api/status', '/api']) {
      const { status, headers, text } = await ask(port, path);
      expect(status, path).toBeGreaterThanOrEqual(502);
      expect(status, path).toBeLessThanOrEqual(504);
      expect(headers['content-type'], path).toBe('application/json; charset=utf-8');
      expect(headers['cache-control'], path).toBe('no-store');
      expect(headers['access-control-allow-origin'], path).toBe('*');
      expect(JSON.parse(text), path).toEqual({ error: 'Błąd podczas pobierania danych.' });
    }
    const page = await ask(port, '/apiary');
    expect(page.status).toBeGreaterThanOrEqual(502);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('Spróbuj ponownie');
  });
});

describe.each(Object.entries(TLS_PROXIES))('%s with TLS', (_name, start) => {
  const HSTS = 'strict-transport-security';

  it('sends HSTS over TLS with pages, API answers and errors, and never in clear', async () => {
    const db = await makeDatabase();
    const site = await startTestSite(db.path, { TRUST_PROXY: 'loopback' });
    const { port, tlsPort } = await start(site.port);
    const expectHsts = async (path: string, status: number | undefined, method = 'GET'): Promise<void> => {
      const answer = await ask(tlsPort, path, { method, tls: true, headers: { Host: 'localhost' } });
      if (status !== undefined) expect(answer.status, path).toBe(status);
      expect(answer.headers[HSTS], path).toBe('max-age=63072000');
    };
    await expectHsts('/', 200);
    await expectHsts('/api/scammers', 200);
    // Out of a cache.
    await expectHsts('/api/scammers', 200);
    await expectHsts('/api/scammers?limit=0', 400);
    await expectHsts('/nic-tu-nie-ma', 404);
    // nginx refuses these itself.
    await expectHsts('/%00', undefined);
    await expectHsts('/', undefined, 'TRACE');

    const inClear = await ask(port, '/', { headers: { Host: 'localhost' } });
    expect([301, 308]).toContain(inClear.status);
    expect(inClear.headers.location).toMatch(/^https:\/\/localhost/);
    expect(inClear.headers[HSTS]).toBeUndefined();

    site.server.close();
    site.server.closeAllConnections();
    await once(site.server, 'close');
    await expectHsts('/api/check?id=424242', 502);
    await expectHsts('/apiary', 502);
  });
});
