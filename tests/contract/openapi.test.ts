/** `/openapi.json` is true: the tests ask each endpoint for each answer, and find nothing that the document does not name. */
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renewLogId } from '#src/changes/change-log.ts';
import { findManifest, snapshotsFolder, type Manifest } from '#src/entries/snapshots/manifest.ts';
import type { ApiDocument, Schema } from '#src/http/openapi.ts';
import { errorText } from '#src/http/response.ts';
import { PER_ADDRESS_MAX } from '#src/http/change-streams.ts';
import { createSearchPool } from '#src/search/search-pool.ts';
import { ENDPOINTS } from '#src/endpoints.ts';
import { loadPages } from '#src/server.ts';
import { createAnswerChecks } from '../support/answer-checks.ts';
import { assertError } from '../support/assert-error.ts';
import { updateIndexes } from '../support/update-indexes.ts';
import { openEvents } from '../support/listen.ts';
import { makeDonation } from '../support/make-donation.ts';
import { makeLists } from '../support/make-entries.ts';
import { createPrefixPublisher } from '#src/entries/snapshots/publish-prefixes.ts';
import { publish } from '../support/publish.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, exhaustLimit, type Answer, type TestSite } from '../support/test-site.ts';
import { dial } from '../support/wire.ts';

const GONE_CURSOR = `${'0'.repeat(16)}-1`;
const NO_CHUNK = `/snapshots/scammers/h-${'0'.repeat(64)}.json`;

/** It looks at nothing. */
const NEVER_FAILS = '/healthz';
const VISITOR = '203.0.113.9';

/** `Cache-Control` of a 200 to the letter, and the endpoints that have it. */
const CACHES: readonly (readonly [cache: string, ...paths: string[]])[] = [
  [
    'public, s-maxage=30, stale-while-revalidate=300',
    ...['/api/scammers', '/api/servers', '/api/legit', '/api/check', '/api/verdict', '/api/verdicts'],
    ...['/feeds/{list}.atom', '/openapi.json'],
  ],
  ['public, s-maxage=30', '/api/changes'],
  ['public, s-maxage=15', '/api/status', '/api/status/history', '/badge/{id}.svg', '/status/incidents.atom'],
  ['public, no-cache', '/snapshots/manifest.json', '/snapshots/prefixes', '/snapshots/{list}/{chunk}'],
  ['public, max-age=3600', '/api/chat/avatar/{chatId}'],
  ['no-store', '/api/donate/status', '/api/changes/events', '/healthz', '/readyz'],
];

/** For each endpoint, addresses whose answers tell it apart; `good` gives a 200. */
interface Case {
  readonly good: readonly string[];
  readonly bad?: readonly string[];
  readonly unknown?: string | (() => Promise<Answer>);
  readonly gone?: string;
  /** Asks a service that cannot answer now. */
  readonly busy?: () => Promise<Answer>;
}

const db = await makeLists({
  scammers: [
    { id: '7', name: 'Żółw' },
    { verified: false, proofs: { private: true, items: [{ text: 'x' }] } },
  ],
  legit: [{}],
});
const donation = makeDonation(db);
await updateIndexes(db);
await publish(db);
await createPrefixPublisher(db).publish();
const site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example', TRUST_PROXY: 'loopback' });
const broken = await startBroken(db.path);
const renderPage = await loadPages();
const overloaded = await startOverloaded(db.path);
// No worker has followed this database yet.
const withoutWorker = await startOverloaded((await makeDatabase()).path);
const restoredDb = await makeDatabase();
await publish(restoredDb);
restoredDb.write((tx) => renewLogId(tx));
const restored = await startTestSite(restoredDb.path);
const document = await site.json<ApiDocument>('/openapi.json');
const { validate, checkAnswer } = createAnswerChecks(document);
const chunk = (await site.json<Manifest>('/snapshots/manifest.json')).lists.scammers.chunks[0]?.path ?? '';
const badList = ['?skip=-1', '?limit=61', '?sort=x', '?id=1&id=2', `?search=${'a'.repeat(101)}`];
const badChanges = ['?since=x', '?since=a&since=b', `?since=${'A'.repeat(65)}`, '?limit=0', '?limit=501'];
const list = { good: ['', '?limit=1', '?search=nick', '?id=7', '?status=risk'], bad: badList };
const withQueries = (path: string, { good, bad = [], ...others }: Case): Case => ({
  ...others,
  good: good.map((query) => path + query),
  bad: bad.map((query) => path + query),
});
const listAt = (path: string): Case =>
  withQueries(path, { ...list, busy: () => overloaded.get(`${path}?search=zz`) });
const cases: Readonly<Record<string, Case>> = {
  '/api/scammers': listAt('/api/scammers'),
  '/api/servers': listAt('/api/servers'),
  '/api/legit': listAt('/api/legit'),
  '/api/check': withQueries('/api/check', {
    good: ['?id=7', '?search=%C5%BC', '?id=1'],
    bad: ['', '?id=1&id=2'],
  }),
  '/api/verdict': withQueries('/api/verdict', {
    good: ['?id=7', '?id=1&name=Zolw', '?name=zolw'],
    bad: ['', '?id=1&id=2', `?name=${'a'.repeat(101)}`],
    busy: () => withoutWorker.get('/api/verdict?name=zz'),
  }),
  '/api/verdicts': withQueries('/api/verdicts', { good: ['?ids=7,1'], bad: ['', '?ids=1,,2'] }),
  '/api/changes': {
    ...withQueries('/api/changes', { good: ['', '?limit=1'], bad: badChanges }),
    gone: `/api/changes?since=${GONE_CURSOR}`,
  },
  '/api/changes/events': {
    good: ['/api/changes/events'],
    bad: ['/api/changes/events?since=x'],
    gone: `/api/changes/events?since=${GONE_CURSOR}`,
    busy: async () => {
      const open = () => openEvents(overloaded.port, '/api/changes/events');
      const streams = await Promise.all(Array.from({ length: PER_ADDRESS_MAX }, open));
      const answer = await overloaded.get('/api/changes/events');
      for (const stream of streams) stream.close();
      return answer;
    },
  },
  '/api/status': { good: ['/api/status'] },
  '/api/status/history': withQueries('/api/status/history', {
    good: ['?id=database', '?id=main_bot&range=90d'],
    bad: ['', '?id=x', '?id=database&range=1h'],
  }),
  '/api/donate/status': {
    ...withQueries('/api/donate/status', { good: [`?id=${donation}`], bad: ['', '?id=x'] }),
    unknown: '/api/donate/status?id=ltc_0123456789abcdef',
  },
  '/api/chat/avatar/{chatId}': withQueries('/api/chat/avatar/', {
    good: ['1558644164640031523', '1558644164640031523?kind=server'],
    bad: ['1', '1558644164640031523?kind=x'],
  }),
  '/feeds/{list}.atom': {
    good: ['/feeds/legit.atom'],
    unknown: '/feeds/x.atom',
  },
  '/snapshots/manifest.json': {
    good: ['/snapshots/manifest.json'],
    unknown: () => withoutWorker.get('/snapshots/manifest.json'),
    busy: () => restored.get('/snapshots/manifest.json'),
  },
  '/snapshots/prefixes': {
    good: ['/snapshots/prefixes'],
    busy: () => withoutWorker.get('/snapshots/prefixes'),
  },
  '/snapshots/{list}/{chunk}': {
    good: [chunk],
    unknown: '/snapshots/x/y',
    gone: NO_CHUNK,
    busy: async () => {
      const { path } = restored.services.db;
      const [first] = findManifest(snapshotsFolder(path))?.lists.scammers.chunks ?? [];
      return restored.get(first?.path ?? '');
    },
  },
  '/badge/{id}.svg': { good: ['/badge/status.svg', '/badge/main_bot.svg'], unknown: '/badge/x.svg' },
  '/status/incidents.atom': { good: ['/status/incidents.atom'] },
  '/openapi.json': { good: ['/openapi.json'] },
  '/healthz': { good: ['/healthz'] },
  '/readyz': {
    good: ['/readyz'],
    busy: async () => {
      const { path } = await makeDatabase();
      const own = await startTestSite(path);
      rmSync(path);
      return own.get('/readyz');
    },
  },
};

const paths = Object.keys(ENDPOINTS);

/** Astro's router, another door to the same endpoints, answers as the request handler does. */
async function checkRouter(address: string, { status, headers, text }: Answer): Promise<void> {
  const rendered = await renderPage(address, { services: site.services });
  const answer = new Response(new Uint8Array(rendered?.body ?? []), rendered);
  expect([answer.status, await answer.text()], `${address} of Astro`).toEqual([status, text]);
  for (const name of ['content-type', 'cache-control']) expect(answer.headers.get(name)).toBe(headers[name]);
}

function startOverloaded(databasePath: string): Promise<TestSite> {
  const searches = createSearchPool({ databasePath, slotsMax: 0, onTrouble: () => {} });
  return startTestSite(databasePath, {}, { searches });
}

async function startBroken(databasePath: string): Promise<TestSite> {
  const made = await startTestSite(databasePath);
  for (const name of Object.keys(made.services)) {
    Object.defineProperty(made.services, name, {
      get: () => {
        throw new Error(`${name} is broken`);
      },
    });
  }
  return made;
}

it('has every route, and no other', () => {
  expect(Object.keys(document.paths).toSorted()).toEqual(paths.toSorted());
  expect(Object.keys(cases).toSorted()).toEqual(paths.toSorted());
});

it('is OpenAPI 3.1, has a version, and names the service by its public address', () => {
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./) as string,
    info: { version: '1.0.0', 'x-revision': expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string },
    servers: [{ url: 'https://czujka.example' }],
  });
});

it('describes every operation, parameter and field', () => {
  const bare = Object.entries(document.paths).flatMap(([path, { get }]) => (get.description ? [] : [path]));
  const walk = (part: unknown, place: string): void => {
    if (typeof part !== 'object' || part === null) return;
    const { properties } = part as { properties?: Record<string, { description?: string; $ref?: string }> };
    for (const [name, field] of Object.entries(properties ?? {}))
      if (!field.description && !field.$ref) bare.push(`${place}.${name}`);
    for (const [key, value] of Object.entries(part)) walk(value, `${place}/${key}`);
  };
  walk(document.components.schemas, '');
  for (const [path, { get }] of Object.entries(document.paths))
    for (const { name, description } of get.parameters ?? []) if (!description) bare.push(`${path} ${name}`);
  expect(bare).toEqual([]);
});

it('requires the parameters without which no answer is good, and no other', () => {
  for (const path of paths)
    for (const { name, in: place, required } of document.paths[path]?.get.parameters ?? []) {
      const given = cases[path]?.good.map((address) => new URL(address, 'http://a').searchParams.has(name));
      if (place === 'query') expect(required, `${path} ${name}`).toBe(!given?.includes(false));
    }
});

it('names what generated clients need a type for: objects, enums that stand twice, and events', () => {
  const enums: string[] = [];
  const objects: string[] = [];
  const walk = (part: unknown, place: string): void => {
    if (typeof part !== 'object' || part === null) return;
    const { enum: values, properties } = part as Schema;
    const isNamed = /^\/components\/schemas\/\w+$/.test(place);
    if (Array.isArray(values)) enums.push(values.join());
    if (typeof properties === 'object' && !isNamed) objects.push(place);
    for (const [key, value] of Object.entries(part)) if (key !== 'examples') walk(value, `${place}/${key}`);
  };
  walk(document, '');
  expect(objects).toEqual([]);
  expect(enums.filter((values, at) => enums.indexOf(values) !== at)).toEqual([]);
  expect(document.paths['/api/changes/events']?.get.responses['200']).toMatchObject({
    content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/Change' } } },
  });
});

it('has whole sentences as examples of errors, each about a parameter of its endpoint', () => {
  const values = JSON.stringify(document).matchAll(/"value":\{"error":"([^"]*)"/g);
  const texts = Array.from(values, ([, text = '']) => text);
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => /undefined|\{|  |najwyżej (?!\d)/.test(text))).toEqual([]);
  expect(texts).toContain(errorText('streams_taken', { most: PER_ADDRESS_MAX, seconds: 23 }));
});

it('has examples that fit their schemas', () => {
  for (const path of paths) {
    const given = document.paths[path]?.get.responses['200'];
    const content = given && 'content' in given ? given.content : undefined;
    const examples = content?.['application/json']?.examples ?? {};
    for (const { value } of Object.values(examples) as { value: unknown }[])
      validate(value, 'paths', path, 'get', 'responses', '200', 'content', 'application/json', 'schema');
  }
});

it.each(Object.entries(ENDPOINTS))(
  '%s gives every documented answer, and no other',
  async (path, { rateLimit, isStream }) => {
    const { good, bad = [], unknown, gone, busy } = cases[path] ?? expect.unreachable('add a case');
    const [first = ''] = good;
    const seen = new Set(['408']);
    const check = (status: number, answer: Answer): void => {
      expect(answer.status, `${path}: ${answer.text.slice(0, 200)}`).toBe(status);
      checkAnswer(path, answer);
      const [cache] = CACHES.find(([, ...paths]) => paths.includes(path)) ?? [];
      if (status === 200) expect(answer.headers['cache-control']).toBe(cache);
      seen.add(String(status));
    };
    if (isStream) {
      // It never ends: what has come with the head is its answer.
      const heard = await openEvents(site.port, first);
      check(200, { status: heard.status, headers: heard.headers, text: heard.text() });
      heard.close();
    }
    for (const address of isStream ? [] : good) {
      const answer = await site.get(address);
      check(200, answer);
      // It tells the client's address, which only the request handler knows.
      if (path !== '/healthz') await checkRouter(address, answer);
      const { etag } = answer.headers;
      if (etag !== undefined)
        check(304, await site.get(address, { headers: { 'If-None-Match': etag, Accept: '*/*' } }));
    }
    for (const address of bad) {
      const answer = await site.get(address);
      check(400, answer);
      if (!isStream) await checkRouter(address, answer);
    }
    check(400, await site.get(first, { headers: { Host: 'a b' } }));
    check(405, await site.get(first, { method: 'POST' }));
    check(417, await site.get(first, { headers: { Expect: 'x' } }));
    check(431, await site.get(first, { headers: { 'X-Long': 'x'.repeat(17_000) } }));
    if (unknown !== undefined)
      check(404, await (typeof unknown === 'string' ? site.get(unknown) : unknown()));
    if (gone !== undefined) check(410, await site.get(gone));
    if (busy) check(503, await busy());
    if (path !== NEVER_FAILS) check(500, await broken.get(first));
    else seen.add('500');
    if (rateLimit) {
      exhaustLimit(site, rateLimit, VISITOR);
      check(429, await site.get(first, { headers: { 'X-Forwarded-For': VISITOR } }));
    }
    expect([...seen].toSorted()).toEqual(Object.keys(document.paths[path]?.get.responses ?? {}));
  },
);

it('answers 408 to a head that does not end', async () => {
  const own = await startTestSite((await makeDatabase()).path);
  own.server.headersTimeout = 300;
  const wire = dial(own.port);
  wire.write('GET /api/check?id=1 HTTP/1.1\r\nHost: a\r\n');
  const answer = await wire.answer();
  assertError(answer, 408, errorText('request_timeout'));
  checkAnswer('/api/check', answer);
});
