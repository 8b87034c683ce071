/** The same endpoints as plain Astro routes, held to status, body, Content-Type and Cache-Control. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '#src/config.ts';
import { createLog } from '#src/log.ts';
import { createServices, type Services } from '#src/services.ts';
import { ENDPOINTS } from '#src/api.ts';
import { loadPages } from '#src/site.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { createPublisher } from '../support/publish.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/api/scammers': ['', '?sort=az&limit=2', '?search=nick', '?id=1'],
  '/api/servers': ['', '?proofs=with'],
  '/api/legit': ['', '?status=risk'],
  '/api/check': ['?search=nick', '?id=1'],
  '/api/verdict': ['?id=1', '?id=1&name=nick', ''],
  '/api/verdicts': ['?ids=1,2', ''],
  '/api/status': [''],
  '/api/donate/status': [],
  '/feeds/{list}.atom': [],
  '/api/changes/events': [],
  '/api/changes': ['', '?limit=2', '?since=x'],
  '/snapshots/manifest.json': [''],
  '/snapshots/{list}/{chunk}': [],
  '/api/chat/avatar/{chatId}': [],
  '/api/status/history': ['?id=database', '?id=main_bot&range=90d'],
  '/badge/{id}.svg': [],
  '/status/incidents.atom': [],
  '/openapi.json': [''],
  // It tells the client's address, which only the request handler knows.
  '/healthz': [],
  '/readyz': [''],
};

describe("Astro's router", () => {
  it('has questions here for every endpoint', () => {
    expect(Object.keys(QUERIES).toSorted(), 'QUERIES of this file').toEqual(
      Object.keys(ENDPOINTS).toSorted(),
    );
  });

  let front: TestSite;
  let ask: (path: string) => Promise<Response>;
  let services: Services;

  beforeAll(async () => {
    const db = await makeDatabase();
    await importRecords(db, 'scammers', [makeRecord(), makeRecord(), makeRecord({ verified: false })]);
    await importRecords(db, 'legit', [makeRecord()]);
    await createPublisher(db).publish();
    const settings = { BASE_URL: 'https://czujka.example' };
    front = await startTestSite(db.path, settings);
    const config = parseConfig({ DATABASE_PATH: db.path, ...settings });
    services = createServices(config, createLog('test', 'silent'));
    const render = await loadPages();
    ask = async (path) => {
      const answer = await render(path, { services });
      return answer ? new Response(new Uint8Array(answer.body), answer) : expect.unreachable();
    };
    afterAll(() => services.close());
  });

  const paths = Object.entries(QUERIES).flatMap(([path, queries]) => queries.map((query) => path + query));
  it.each(paths)('%s answers what the request handler answers', async (path) => {
    const direct = await front.get(path);
    const routed = await ask(path);
    expect(routed.status).toBe(direct.status);
    // Each measures for itself: when, and how long it took.
    const comparable = (text: string): unknown =>
      JSON.parse(text, (key, value: unknown) => (key === 'checkedAt' || key === 'latencyMs' ? '' : value));
    expect(comparable(await routed.text())).toEqual(comparable(direct.text));
    expect(routed.headers.get('content-type')).toBe(direct.headers['content-type']);
    expect(routed.headers.get('cache-control')).toBe(direct.headers['cache-control']);
  });

  it('keeps the form of errors', async () => {
    const answer = await ask('/api/scammers?skip=-1');
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe((await front.get('/api/scammers?skip=-1')).text);
  });
});
