/** `/openapi.json` is true: every endpoint is asked for every answer, and nothing comes that the document does not say. */
import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { renewHistory } from '#src/changes/log-head.ts';
import type { Database } from '#src/db/database.ts';
import type { Manifest } from '#src/entries/snapshots/manifest.ts';
import type { ApiDocument } from '#src/http/api-document.ts';
import { createSearchPool } from '#src/serving/search-pool.ts';
import { ENDPOINTS } from '#src/site.ts';
import { createAnswerCheck } from '../support/api-document.ts';
import type { AnswerCheck } from '../support/api-document.ts';
import { keepServing } from '../support/keep-serving.ts';
import { listen } from '../support/listen.ts';
import { makeDonation } from '../support/make-donation.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { createPublisher } from '../support/publish.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, useUp } from '../support/test-site.ts';
import type { Answer, TestSite } from '../support/test-site.ts';
import { dial } from '../support/wire.ts';

type Path = keyof typeof ENDPOINTS;

const GONE_CURSOR = 'AZ6yrrBasoNPAAAAAAf5whOUNVva';
const NO_CHUNK = `/snapshots/scammers/all-${'0'.repeat(64)}.json`;

/** It looks at nothing. */
const NEVER_FAILS = '/healthz';
const VISITOR = '203.0.113.9';

/** For each endpoint, addresses whose answers tell it apart; `good` gives a 200. */
interface Case {
  readonly good: readonly string[];
  /** What is wrong with a parameter. */
  readonly bad?: readonly string[];
  readonly unknown?: string;
  readonly gone?: string;
}

let site: TestSite;
let overloaded: TestSite;
let db: Database;
let document: ApiDocument;
let answers: AnswerCheck;
let cases: Readonly<Record<Path, Case>>;

beforeAll(async () => {
  db = await makeDatabase();
  await importRecords(db, 'scammers', [
    makeRecord({ id: '7', name: 'Żółw' }),
    makeRecord({ verified: false, proofs: { private: true, items: [{ text: 'x' }] } }),
  ]);
  await importRecords(db, 'legit', [makeRecord()]);
  const donation = makeDonation(db);
  keepServing(db);
  await createPublisher(db).publish();
  site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example', TRUST_PROXY: 'loopback' });
  const searches = createSearchPool({ databasePath: db.path, placesMax: 0, onThreadEnd: () => {} });
  overloaded = await startTestSite(db.path, {}, { searches });
  document = await site.json<ApiDocument>('/openapi.json');
  answers = createAnswerCheck(document);
  const chunk = (await site.json<Manifest>('/snapshots/manifest.json')).lists.scammers.chunks[0]?.path ?? '';
  const badList = ['?skip=-1', '?limit=61', '?sort=x', '?id=1&id=2', `?search=${'a'.repeat(101)}`];
  const list = { good: ['', '?limit=1', '?search=nick', '?id=7', '?status=risk'], bad: badList };
  const withQueries = (path: string, { good, bad = [] }: Case): Case => ({
    good: good.map((query) => path + query),
    bad: bad.map((query) => path + query),
  });
  const every: typeof cases = {
    '/api/scammers': withQueries('/api/scammers', list),
    '/api/servers': withQueries('/api/servers', list),
    '/api/legit': withQueries('/api/legit', list),
    '/api/check': withQueries('/api/check', {
      good: ['?id=7', '?search=%C5%BC', '?id=1'],
      bad: ['', '?id=1&id=2'],
    }),
    '/api/verdict': withQueries('/api/verdict', {
      good: ['?id=7', '?id=1&name=Zolw', '?name=zolw'],
      bad: ['', '?id=1&id=2', `?name=${'a'.repeat(101)}`],
    }),
    '/api/verdicts': withQueries('/api/verdicts', { good: ['?ids=7,1'], bad: ['', '?ids=1,,2'] }),
    '/api/changes': {
      ...withQueries('/api/changes', { good: ['', '?limit=1'], bad: ['?since=x', '?limit=0'] }),
      gone: `/api/changes?since=${GONE_CURSOR}`,
    },
    '/api/changes/events': {
      good: ['/api/changes/events'],
      bad: ['/api/changes/events?since=x'],
      gone: `/api/changes/events?since=${GONE_CURSOR}`,
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
    '/feeds/{list}.atom': { good: ['/feeds/legit.atom'], unknown: '/feeds/x.atom' },
    '/snapshots/manifest.json': { good: ['/snapshots/manifest.json'] },
    '/snapshots/{list}/{chunk}': { good: [chunk], unknown: '/snapshots/x/y', gone: NO_CHUNK },
    '/badge/{id}.svg': { good: ['/badge/status.svg', '/badge/main_bot.svg'], unknown: '/badge/x.svg' },
    '/status/incidents.atom': { good: ['/status/incidents.atom'] },
    '/openapi.json': { good: ['/openapi.json'] },
    '/healthz': { good: ['/healthz'] },
    '/readyz': { good: ['/readyz'] },
  };
  for (const path of Object.keys(ENDPOINTS))
    if (!(path in every)) throw new Error(`there is no case for ${path}: add one here`);
  cases = every;
});

const paths = Object.keys(ENDPOINTS) as Path[];
/** What was asked for, by path. */
const asked = new Map<string, Set<string>>(paths.map((path) => [path, new Set()]));

function hold(path: Path, status: number, answer: Answer): void {
  expect(answer.status, `${path}: ${answer.text.slice(0, 200)}`).toBe(status);
  answers.check(path, answer);
  asked.get(path)?.add(String(status));
}

/** It never ends: what has come with the head is its answer. */
async function holdStream(path: Path): Promise<void> {
  const heard = await listen(site.port, cases[path].good[0] ?? '');
  hold(path, 200, { status: heard.status, headers: heard.headers, text: heard.text() });
  heard.close();
}

/** An address of a client that nobody else has. */
let clients = 0;
const newClient = (): string => `127.0.1.${(clients += 1)}`;

describe('/openapi.json', () => {
  it('has every route, and no other', () => {
    expect(Object.keys(document.paths).toSorted()).toEqual(paths.toSorted());
    expect(Object.keys(cases).toSorted()).toEqual(paths.toSorted());
  });

  it('is OpenAPI 3.1, version 1.0.0, and names the service by its public address', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./) as string,
      info: { version: '1.0.0' },
      servers: [{ url: 'https://czujka.example' }],
    });
    const ids = Object.values(document.paths).map(({ get }) => get.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says of a query parameter that it is required where it cannot be left out', () => {
    const required = Object.entries(document.paths).flatMap(([path, { get }]) =>
      (get.parameters ?? [])
        .filter((parameter) => parameter.in === 'query' && parameter.required)
        .map(({ name }) => `${path} ${name}`),
    );
    expect(required.toSorted()).toEqual([
      '/api/donate/status id',
      '/api/status/history id',
      '/api/verdicts ids',
    ]);
  });

  it('describes every parameter and every field', () => {
    const bare: string[] = [];
    const walk = (part: unknown, place: string): void => {
      if (typeof part !== 'object' || part === null) return;
      const { properties } = part as { properties?: Record<string, { description?: string; $ref?: string }> };
      for (const [name, field] of Object.entries(properties ?? {}))
        if (!field.description && !field.$ref) bare.push(`${place}.${name}`);
      for (const [key, value] of Object.entries(part)) walk(value, `${place}/${key}`);
    };
    walk(document.components.schemas, '');
    for (const [path, { get }] of Object.entries(document.paths))
      for (const { name, description } of get.parameters ?? [])
        if (!description) bare.push(`${path} ${name}`);
    expect(bare).toEqual([]);
  });

  it('gives whole sentences as examples of errors, each about what its endpoint takes', () => {
    const texts = [...JSON.stringify(document).matchAll(/"value":\{"error":"([^"]*)"/g)].map(
      ([, text = '']) => text,
    );
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => /undefined|\{|  |najwyżej (?!\d)/.test(text))).toEqual([]);
    expect(texts).toContain(
      'Nieprawidłowy nagłówek Last-Event-ID: podaj w nim id ostatniego odebranego zdarzenia.',
    );
    expect(texts).toContain(
      'Z jednego adresu IP można mieć najwyżej 20 otwartych strumieni. Zamknij któryś albo spróbuj ponownie za 23 s.',
    );
  });

  it.each(paths)('%s: its examples are such answers', (path) => {
    const given = document.paths[path]?.get.responses['200'];
    const content = given && 'content' in given ? given.content : undefined;
    for (const { value } of Object.values(content?.['application/json']?.examples ?? {}) as {
      value: unknown;
    }[])
      answers.checkBody(path, 200, value);
  });
});

describe.each(paths)('%s answers as the document says', (path) => {
  it('200 and 304', async () => {
    if (ENDPOINTS[path].definition.isStream) return holdStream(path);
    for (const address of cases[path].good) {
      const answer = await site.get(address);
      hold(path, 200, answer);
      const { etag } = answer.headers;
      if (etag !== undefined)
        hold(path, 304, await site.get(address, { headers: { 'If-None-Match': etag, Accept: '*/*' } }));
    }
  });

  it('400, 404 and 410', async () => {
    const { bad = [], unknown, gone } = cases[path];
    for (const address of bad) hold(path, 400, await site.get(address));
    hold(path, 400, await site.get(cases[path].good[0] ?? '', { headers: { Host: 'a b' } }));
    if (unknown !== undefined) hold(path, 404, await site.get(unknown));
    if (gone !== undefined) hold(path, 410, await site.get(gone));
  });

  it('405 and 431', async () => {
    const [good = ''] = cases[path].good;
    hold(path, 405, await site.get(good, { method: 'POST' }));
    hold(path, 431, await site.get(good, { headers: { 'X-Long': 'x'.repeat(17_000) } }));
  });
});

describe('every endpoint', () => {
  it('answers 429 as the document says', async () => {
    for (const limit of new Set(paths.map((path) => ENDPOINTS[path].definition.limit))) {
      if (!limit) continue;
      useUp(site, limit, VISITOR);
      const request = { headers: { 'X-Forwarded-For': VISITOR } };
      const limited = paths.filter((path) => ENDPOINTS[path].definition.limit === limit);
      for (const path of limited) hold(path, 429, await site.get(cases[path].good[0] ?? '', request));
    }
  });

  it('answers 503 as the document says', async () => {
    const from = newClient();
    for (const path of ['/api/scammers', '/api/servers', '/api/legit'] as const)
      hold(path, 503, await overloaded.get(`${path}?search=zz`, { from }));
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => listen(overloaded.port, '/api/changes/events', { from })),
    );
    hold('/api/changes/events', 503, await overloaded.get('/api/changes/events', { from }));
    for (const stream of streams) stream.close();
    const young = await makeDatabase();
    await importRecords(young, 'scammers', [makeRecord()]);
    const without = await startTestSite(
      young.path,
      {},
      {
        searches: createSearchPool({ databasePath: young.path, placesMax: 0, onThreadEnd: () => {} }),
      },
    );
    hold('/api/check', 503, await without.get('/api/check?search=zz'));
    hold('/feeds/{list}.atom', 503, await without.get('/feeds/legit.atom'));
    hold('/api/verdict', 503, await without.get('/api/verdict?name=zz'));
    hold('/snapshots/manifest.json', 404, await without.get('/snapshots/manifest.json'));
    await createPublisher(young).publish();
    renewHistory(young);
    hold('/snapshots/manifest.json', 503, await without.get('/snapshots/manifest.json'));
    rmSync(young.path);
    hold('/readyz', 503, await without.get('/readyz'));
  });

  it('answers 500 as the document says', async () => {
    const broken = await startTestSite(db.path);
    for (const name of Object.keys(broken.services)) {
      Object.defineProperty(broken.services, name, {
        get: () => {
          // The log must go on.
          throw new Error(`${name} is broken`);
        },
      });
    }
    for (const path of paths.filter((one) => one !== NEVER_FAILS))
      hold(path, 500, await broken.get(cases[path].good[0] ?? ''));
  });

  it('answers 408 as the document says', async () => {
    const halves = paths.map((path) => {
      const wire = dial(site.port);
      wire.write(`GET ${cases[path].good[0] ?? ''} HTTP/1.1\r\nHost: a\r\n`);
      return wire.answer();
    });
    for (const [place, half] of (await Promise.all(halves)).entries()) {
      const { status, text, fields } = half;
      const headers = Object.fromEntries(
        fields.map(([name = '', value = '']) => [name.toLowerCase(), value]),
      );
      hold(paths[place] ?? '/api/check', 408, { status, text, headers });
    }
  });

  it('was asked for every answer that the document names', () => {
    for (const path of paths)
      expect([...(asked.get(path) ?? [])].toSorted(), path).toEqual(
        answers
          .statusesOf(path)
          .filter((status) => status !== '500' || path !== NEVER_FAILS)
          .toSorted(),
      );
  });
});
