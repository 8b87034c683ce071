import { describe, expect, it } from 'vitest';
import { readCreationTime } from '#src/db/migrate.ts';
import { parseConfig } from '#src/config.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { createDatabaseCheck } from '#src/status/check-database.ts';
import { createStatusReader } from '#src/status/read-status.ts';
import { recordSample } from '#src/status/record-sample.ts';
import type { Status } from '#src/status/status.ts';
import { createSampler } from '#src/status/take-sample.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { assertError } from '../support/assert-error.ts';
import { BAD_SERVICES, startLoopbackServer, startRawLoopbackServer } from '../support/loopback-server.ts';
import { DISCORD_GATEWAY } from '../support/outside-answers.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

describe('4.3 /api/status', () => {
  it('2.4 names every check and bot, with exactly the keys of the contract', async () => {
    const site = await startTestSite((await makeDatabase()).path);
    const status = await site.json<Status>('/api/status?nieznany=1');
    expect(Object.keys(status)).toEqual(['checks', 'bots', 'checkedAt']);
    expect(status.checks.map((check) => check.id)).toEqual([
      'database',
      'litecoin',
      'chat_platform',
      'protection_service',
    ]);
    for (const check of status.checks) expect(Object.keys(check)).toEqual(['id', 'ok', 'latencyMs']);
    expect(status.bots.map((bot) => bot.id)).toEqual([
      'main_bot',
      'protection_public_bot',
      'protection_admin_bot',
    ]);
    for (const bot of status.bots) {
      expect(Object.keys(bot)).toEqual(['id', 'ok', 'state', 'uptimeMs', 'memoryBytes', 'cpuPercent']);
      expect(bot).toMatchObject({
        ok: false,
        state: 'not_configured',
        uptimeMs: 0,
        memoryBytes: 0,
        cpuPercent: 0,
      });
    }
    expect(status.checkedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('really reads the database', async () => {
    const db = await makeDatabase();
    const site = await startTestSite(db.path);
    const { checks } = await site.json<Status>('/api/status');
    expect(checks[0]).toMatchObject({ id: 'database', ok: true });
    const broken = await makeDatabase();
    const other = await startTestSite(broken.path);
    broken.connection.exec('PRAGMA foreign_keys = OFF; DROP TABLE entries');
    expect((await other.json<Status>('/api/status')).checks[0]).toMatchObject({ id: 'database', ok: false });
  });

  it('8 is kept for 15 seconds', async () => {
    const site = await startTestSite((await makeDatabase()).path);
    const { headers } = await site.get('/api/status');
    expect(headers['cache-control']).toBe('public, s-maxage=15');
    const [first, second] = [await site.json<Status>('/api/status'), await site.json<Status>('/api/status')];
    expect(second.checkedAt).toBe(first.checkedAt);
  });
});

/** A sample of this moment, as a worker would write it. */
function sampleOf(
  at: number,
  facts: { databaseMs?: number; bot?: Status['bots'][number]['state'] } = {},
): Status {
  const { databaseMs = 7, bot = 'running' } = facts;
  const nothing = { uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };
  return {
    checks: [
      { id: 'database', ok: true, latencyMs: databaseMs },
      { id: 'litecoin', ok: false, latencyMs: 6_000 },
      { id: 'chat_platform', ok: false, latencyMs: 0 },
      { id: 'protection_service', ok: false, latencyMs: 0 },
    ],
    bots: [
      { id: 'main_bot', ok: bot === 'running', state: bot, ...nothing, cpuPercent: 3.417 },
      { id: 'protection_public_bot', ok: false, state: 'not_configured', ...nothing },
      { id: 'protection_admin_bot', ok: false, state: 'not_configured', ...nothing },
    ],
    checkedAt: new Date(at).toISOString(),
  };
}

describe('4.3 the snapshot', () => {
  it('and a live sample are never sent when they are older than 15 s, and Age says how old they are', async () => {
    const db = await makeDatabase();
    const settings = parseConfig({ DATABASE_PATH: db.path, PORT: '0' });
    const wall = (): number => Date.UTC(2026, 10, 20) + site.clock.now;
    const sampler = createSampler({ settings, outbound: createOutbound(), report: () => {}, now: wall });
    const site: TestSite = await startTestSite(
      db.path,
      {},
      {
        readStatus: createStatusReader(db, sampler, createDatabaseCheck(db), {
          wall,
          monotonic: () => site.clock.now,
        }),
      },
    );
    const seen = new Set<string>();
    for (let asked = 0; asked < 100; asked += 1) {
      site.clock.now = asked * 700;
      // A worker that writes every 9.8 s what it has checked 2 s before, and then ends.
      if (asked % 14 === 0 && asked < 40) recordSample(db, sampleOf(wall() - 2_000));
      const { headers, text } = await site.get('/api/status', { from: `127.9.0.${asked}` });
      const { checkedAt } = JSON.parse(text) as Status;
      const ageMs = wall() - Date.parse(checkedAt);
      seen.add(checkedAt);
      expect(ageMs, `after ${site.clock.now} ms`).toBeLessThanOrEqual(15_000);
      expect(headers).toMatchObject({
        age: String(Math.floor(ageMs / 1000)),
        'cache-control': 'public, s-maxage=15',
      });
    }
    // Three snapshots, and then a live sample every 15 s.
    expect(seen.size).toBe(6);
  });

  it('is the answer while it is fresh, and nobody is asked', async () => {
    const platform = await startLoopbackServer((_request, response) => response.end());
    const db = await makeDatabase();
    const sample = sampleOf(Date.now() - 10_000);
    recordSample(db, sample);
    const site = await startTestSite(db.path, { CHAT_PLATFORM_API_URL: platform.origin });
    expect(await site.json<Status>('/api/status')).toEqual(sample);
    expect(platform.requests).toEqual([]);
  });

  it.each([-16_000, 3_600_000])('that is %s ms from now gives way to one live sample for all', async (ms) => {
    const platform = await startLoopbackServer((_request, response) => {
      setTimeout(
        () => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(DISCORD_GATEWAY)),
        50,
      );
    });
    const db = await makeDatabase();
    const old = sampleOf(Date.now() + ms);
    recordSample(db, old);
    const site = await startTestSite(db.path, { CHAT_PLATFORM_API_URL: platform.origin });
    // Each client with an address of its own; the badges are behind another key of the cache.
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, client) =>
        site.get(client % 2 ? '/api/status' : '/badge/status.svg', {
          from: `127.9.${client >> 8}.${client & 255}`,
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(500).fill(200));
    const { checks, checkedAt } = JSON.parse(answers[1]?.text ?? '') as Status;
    expect(checks[2]).toMatchObject({ id: 'chat_platform', ok: true });
    expect(checkedAt).not.toBe(old.checkedAt);
    expect(platform.requests).toHaveLength(1);
  });

  it('being missing, the answer comes within 6.5 s though everything hangs', async () => {
    const service = await startRawLoopbackServer(BAD_SERVICES.hang);
    const site = await startTestSite((await makeDatabase()).path, {
      LITECOIN_RPC_URL: service.origin,
      CHAT_PLATFORM_API_URL: service.origin,
      PROTECTION_SERVICE_URL: service.origin,
      BOT_MAIN: 'panel:a',
      BOT_PANEL_URL: service.origin,
      BOT_PANEL_KEY: 'k',
    });
    const startedAt = performance.now();
    const { checks, bots } = await site.json<Status>('/api/status');
    expect(performance.now() - startedAt).toBeLessThan(6_500);
    expect(checks.map(({ ok }) => ok)).toEqual([true, false, false, false]);
    expect(bots[0]).toMatchObject({ ok: false, state: 'unknown' });
  });
});

describe('/api/status/history', () => {
  it('sums up by five minutes, hours and days', async () => {
    const db = await makeDatabase();
    const now = Date.now();
    recordSample(db, sampleOf(now - 1, { databaseMs: 10 }));
    recordSample(db, sampleOf(now, { databaseMs: 21 }));
    const site = await startTestSite(db.path);
    for (const [range, stepSeconds] of [
      ['24h', 300],
      ['7d', 3_600],
      ['90d', 86_400],
    ] as const) {
      const history = await site.json<{ steps: { samples: number }[] }>(
        `/api/status/history?id=database&range=${range}`,
      );
      const step = stepSeconds * 1_000;
      const since = new Date(Math.floor((now - 1) / step) * step).toISOString();
      expect(history).toMatchObject({ id: 'database', range, stepSeconds, since, uptimePercent: 100 });
      expect(history.steps.reduce((sum, { samples }) => sum + samples, 0)).toBe(2);
    }
    const day = await site.json<{ steps: unknown[] }>('/api/status/history?id=database&range=90d');
    expect(day.steps.at(-1)).toMatchObject({
      slowSamples: 0,
      latencyMsMax: 21,
    });
    expect(await site.json<object>('/api/status/history?id=protection_service')).toEqual({
      id: 'protection_service',
      range: '24h',
      stepSeconds: 300,
      since: null,
      uptimePercent: null,
      steps: [],
    });
  });

  it.each([
    [
      '',
      'id: dozwolone wartości to database, litecoin, chat_platform, protection_service, main_bot, protection_public_bot, protection_admin_bot',
    ],
    [
      '?id=x',
      'id: dozwolone wartości to database, litecoin, chat_platform, protection_service, main_bot, protection_public_bot, protection_admin_bot',
    ],
    ['?id=database&id=database', 'id: można go podać tylko raz'],
    ['?id=database&range=1y', 'range: dozwolone wartości to 24h, 7d, 90d'],
  ])('refuses %s', async (query, problem) => {
    const site = await startTestSite((await makeDatabase()).path);
    assertError(await site.get(`/api/status/history${query}`), 400, `Nieprawidłowy parametr ${problem}.`);
  });
});

describe('badges', () => {
  it.each([
    ['status', 'Czujka: częściowo działa'],
    ['database', 'Baza danych: działa'],
    ['litecoin', 'Sieć Litecoin: nie działa'],
    ['chat_platform', 'Platforma czatu: nieskonfigurowana'],
    ['protection_admin_bot', 'Bot ochrony dla administracji: nieskonfigurowany'],
    ['main_bot', 'Bot główny: nie działa'],
  ])('of %s', async (id, title) => {
    const db = await makeDatabase();
    recordSample(db, sampleOf(Date.now(), { bot: 'starting' }));
    const site = await startTestSite(db.path);
    const { status, headers, text } = await site.get(`/badge/${id}.svg`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, s-maxage=15',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect(text).toContain(`<title>${title}</title>`);
    expect(text).not.toMatch(/<script|style=|href=/);
  });

  it.each(['nope', 'status.png', '%3Cscript%3E', 'constructor'])('there is none of %s', async (id) => {
    const site = await startTestSite((await makeDatabase()).path);
    assertError(await site.get(`/badge/${id}.svg`), 404, 'Nie znaleziono');
  });

  it('answer other methods as every endpoint does', async () => {
    const site = await startTestSite((await makeDatabase()).path);
    assertError(await site.get('/badge/status.svg', { method: 'POST' }), 405, 'Metoda niedozwolona');
    expect((await site.get('/badge/status.svg', { method: 'OPTIONS' })).status).toBe(204);
  });
});

describe('the feed of incidents', () => {
  it('holds each with its note, as text', async () => {
    const db = await makeDatabase();
    const at = Date.parse('2026-11-14T02:10:00Z');
    for (const [place, bot] of (['offline', 'offline', 'running', 'running'] as const).entries())
      recordSample(db, sampleOf(at + place * 600_000, { bot }));
    const { incident } = db.connection
      .prepare("SELECT incident FROM incidents WHERE part = 'main_bot'")
      .get() as { incident: number };
    db.connection
      .prepare('UPDATE incidents SET note = ? WHERE incident = ?')
      .run('<b>&"Prąd\u0000', incident);
    const site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example' });
    const { status, headers, text } = await site.get('/status/incidents.atom');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(text).toContain(`<id>https://czujka.example/status#zdarzenie-${incident}</id>`);
    expect(text).toContain('<title>Bot główny: przerwa w\u00a0działaniu</title>');
    expect(text).toContain('<published>2026-11-14T02:10:00.000Z</published>');
    expect(text.replaceAll('\u00a0', ' ')).toContain('14 listopada 2026, 03:10 – 03:30 (20 min).');
    expect(text).toContain('&lt;b&gt;&amp;&quot;Prąd\ufffd</content>');
  });

  it('is empty and whole before the first, since the database was made', async () => {
    const db = await makeDatabase();
    const site = await startTestSite(db.path);
    const { text } = await site.get('/status/incidents.atom');
    expect(text).toContain(`<updated>${new Date(readCreationTime(db)).toISOString()}</updated>`);
    expect(Date.now() - readCreationTime(db)).toBeLessThan(600_000);
    expect(text).not.toContain('<entry>');
  });
});

describe('the page /status', () => {
  it('says first how the whole is, and comes also when the database is gone', async () => {
    const db = await makeDatabase();
    recordSample(db, sampleOf(Date.now()));
    const site = await startTestSite(db.path);
    const page = await site.get('/status');
    expect(page.status).toBe(200);
    expect(page.headers['cache-control']).toBe('public, s-maxage=15');
    expect(page.text).toMatch(/<title>Częściowo działa – Czujka/);
    const broken = await makeDatabase();
    const other = await startTestSite(broken.path);
    broken.connection.exec('PRAGMA foreign_keys = OFF; DROP TABLE entries; DROP TABLE status_periods');
    const without = await other.get('/status');
    expect(without.status).toBe(200);
    expect(without.text).toMatch(/<title>Nie działa – Czujka/);
  });

  it('claims no time that was not measured', async () => {
    const db = await makeDatabase();
    recordSample(db, sampleOf(Date.now()));
    const { text } = await (await startTestSite(db.path)).get('/status');
    const figures = [...text.matchAll(/<dt>([^<]+)<\/dt>\s*<dd>([^<]+)<\/dd>/g)].map(([, label, value]) =>
      `${label}: ${value}`.replaceAll('\u00a0', ' '),
    );
    // At midnight it is a day.
    expect(figures.join('\n')).toMatch(/^od (?:\d\d:\d\d|\d+ \p{L}+): 100%$/mu);
    expect(text).not.toMatch(/<dt>(?:24|7|90)\s/);
    // One day, and no line of a few minutes.
    expect(text).toMatch(/aria-label="Dni \d+.\p{L}+: 100%\."/u);
    expect(text).not.toContain('Opóźnienie');
    expect(text).toContain('Słupek to jeden dzień');
  });

  it('explains no bars where the web process is alone and nothing was measured', async () => {
    const { text } = await (await startTestSite((await makeDatabase()).path)).get('/status');
    expect(text).toContain('Historii jeszcze nie ma');
    expect(text).not.toContain('Słupek to jeden dzień');
    expect(text.match(/>Brak pomiarów\.</g)).toHaveLength(1);
    expect(text).not.toContain('role="img"');
  });
});
