// Needs: caddy nginx openssl
/**
 * Caddy and nginx as install.sh sets them up: who the client is, what they say while the service does not run, and that
 * browsers stay with TLS.
 */
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { removeEntry } from '../../support/change-log.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { PROXIES } from '../../support/proxies.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import {
  ask,
  startTestSite,
  type Answer,
  type RequestOptions,
  type TestSite,
} from '../../support/test-site.ts';

const HSTS = 'strict-transport-security';

describe.each(Object.entries(PROXIES))('%s', (_name, start) => {
  let db: Database;
  let site: TestSite;
  let port: number;
  let tlsPort: number;

  beforeAll(async () => {
    db = await makeDatabase();
    site = await startTestSite(db.path, { TRUST_PROXY: 'loopback' });
    ({ port, tlsPort } = await start(site.port));
  });

  /** Every answer over TLS has HSTS. */
  const get = async (path: string, { headers, ...options }: RequestOptions = {}): Promise<Answer> => {
    const ours = { ...options, tls: true, from: '127.0.0.9', headers: { Host: 'localhost', ...headers } };
    const answer = await ask(tlsPort, path, ours);
    expect(answer.headers[HSTS], path).toBe('max-age=63072000');
    return answer;
  };

  it.each<Record<string, string>>([
    {},
    { 'X-Forwarded-For': '192.0.2.77' },
    { 'X-Forwarded-For': '192.0.2.77, 127.0.0.1', Forwarded: 'for=192.0.2.7' },
  ])('passes the true address of a client on, whatever the client writes: %j', async (headers) => {
    const { text } = await get('/healthz', { headers });
    expect(JSON.parse(text)).toMatchObject({ address: '127.0.0.9' });
  });

  it("passes the service's own answers and errors on", async () => {
    expect((await get('/')).status).toBe(200);
    const { etag = '' } = (await get('/api/scammers')).headers;
    const known = await get('/api/scammers', { headers: { 'If-None-Match': etag } });
    expect([known.status, known.headers['ratelimit-limit']]).toEqual([304, '1000']);
    const wrong = await get('/api/scammers?limit=0');
    expect(wrong.status).toBe(400);
    expect(JSON.parse(wrong.text)).toEqual({
      error: expect.stringContaining('Nieprawidłowy parametr') as string,
    });
    const missing = await get('/nic-tu-nie-ma');
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('<html lang="pl"');
    // nginx refuses these itself.
    await get('/%00');
    await get('/', { method: 'TRACE' });
  });

  it('keeps no answer, so that a removed entry is gone from the next one', async () => {
    const { id } = makeRecord();
    const paths = [`/api/check?id=${id}`, '/api/scammers', '/scammers', `/?search=${id}`];
    const found = () => Promise.all(paths.map(async (path) => (await get(path)).text.includes('wzorzec')));
    await importRecords(db, 'scammers', [makeRecord({ id, name: 'wzorzec' })]);
    expect(await found()).toEqual(paths.map(() => true));
    removeEntry(db, 'scammers', id, 'request', Date.now());
    expect(await found()).toEqual(paths.map(() => false));
  });

  it('leads from plain HTTP to TLS, without HSTS', async () => {
    const { status, headers } = await ask(port, '/', { headers: { Host: 'localhost' } });
    expect([301, 308]).toContain(status);
    expect(headers.location).toMatch(/^https:\/\/localhost/);
    expect(headers[HSTS]).toBeUndefined();
  });

  it('answers JSON under /api and a sentence elsewhere while the service does not run', async () => {
    site.server.close();
    site.server.closeAllConnections();
    await once(site.server, 'close');
    for (const path of ['/api/check?id=424242', '/api/status', '/api']) {
      const { status, headers, text } = await get(path);
      expect(status, path).toBe(502);
      expect(headers, path).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      });
      expect(JSON.parse(text), path).toEqual({ error: 'Błąd podczas pobierania danych.' });
    }
    const page = await get('/apiary');
    expect(page.status).toBe(502);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('Spróbuj ponownie');
  });
});
