import { expect, it } from 'vitest';
import { STATUS } from '#src/components/status/status-texts.ts';
import { recordSample } from '#src/status/record-sample.ts';
import type { BotState, Status } from '#src/status/status.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { DISCORD_GATEWAY } from '../support/outside-answers.ts';
import { plain, textOf } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

/** Without a worker and with nothing to ask. */
const alone = await startTestSite((await makeDatabase()).path);

/** A sample as a worker would write it. */
function sampleOf(at: number, bot: BotState = 'running'): Status {
  const nothing = { uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };
  return {
    checks: [
      { id: 'database', ok: true, latencyMs: 7 },
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

it('4.3 says that the database fails, and its page comes all the same', async () => {
  const broken = await makeDatabase();
  const own = await startTestSite(broken.path);
  broken.connection.exec('PRAGMA foreign_keys = OFF; DROP TABLE entries; DROP TABLE status_periods');
  expect((await own.json<Status>('/api/status')).checks[0]).toMatchObject({ id: 'database', ok: false });
  const { status, text } = await own.get('/status');
  expect(status).toBe(200);
  expect(text).toContain(`<title>${STATUS.overall.bad} – Czujka`);
});

it('4.3 the snapshot is the answer while it is fresh; an older one and one of the future give way to one live sample', async () => {
  const platform = await startLoopbackServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(DISCORD_GATEWAY));
  });
  const own = await makeDatabase();
  const asking = await startTestSite(own.path, { CHAT_PLATFORM_API_URL: platform.origin });
  const fresh = sampleOf(Date.now() - 1_000);
  own.write((tx) => recordSample(tx, fresh));
  const { headers, text } = await asking.get('/api/status');
  expect([headers.age, JSON.parse(text)]).toEqual(['1', fresh]);
  expect(platform.requests).toEqual([]);
  const newer = sampleOf(Date.now());
  own.write((tx) => recordSample(tx, newer));
  // The cache keeps it until it is 15 s old.
  for (const [ms, shown] of [
    [13_000, fresh],
    [1_001, newer],
  ] as const) {
    asking.clock.now += ms;
    expect(await asking.json<Status>('/api/status')).toEqual(shown);
  }
  for (const ms of [-16_000, 3_600_000]) {
    const old = sampleOf(Date.now() + ms);
    own.write((tx) => recordSample(tx, old));
    asking.clock.now += 60_000;
    // The badges are behind another key of the cache.
    const paths = Array(10).fill(['/badge/status.svg', '/api/status']).flat() as string[];
    const answers = await Promise.all(paths.map((path) => asking.get(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { checks, checkedAt } = JSON.parse(answers[1]?.text ?? '') as Status;
    expect(checks[2]).toMatchObject({ id: 'chat_platform', ok: true });
    expect(checkedAt).not.toBe(old.checkedAt);
    expect(platform.requests).toHaveLength(1);
  }
});

it('/api/status/history sums up by five minutes, hours and days', async () => {
  const own = await makeDatabase();
  const now = Date.now();
  for (const at of [now - 1, now]) own.write((tx) => recordSample(tx, sampleOf(at)));
  const measured = await startTestSite(own.path);
  for (const [range, stepSeconds] of Object.entries({ '24h': 300, '7d': 3_600, '90d': 86_400 })) {
    const step = stepSeconds * 1_000;
    const since = new Date(Math.floor((now - 1) / step) * step).toISOString();
    const history = await measured.json(`/api/status/history?id=database&range=${range}`);
    expect(history).toMatchObject({ id: 'database', range, stepSeconds, since, uptimePercent: 100 });
  }
  const unmeasured = await measured.json('/api/status/history?id=protection_service');
  expect(unmeasured).toMatchObject({ range: '24h', since: null, uptimePercent: null, steps: [] });
});

it('badges say how the whole and each part is', async () => {
  const db = await makeDatabase();
  db.write((tx) => recordSample(tx, sampleOf(Date.now(), 'starting')));
  const site = await startTestSite(db.path);
  for (const [id, title] of [
    ['status', `Czujka: ${STATUS.health.partly}`],
    ['database', `${STATUS.parts.database}: ${STATUS.healthOf('database', 'good')}`],
    ['chat_platform', `${STATUS.parts.chat_platform}: ${STATUS.healthOf('chat_platform', 'none')}`],
    ['main_bot', `${STATUS.parts.main_bot}: ${STATUS.health.bad}`],
  ] as const) {
    const { text } = await site.get(`/badge/${id}.svg`);
    expect(text).toContain(`<title>${title}</title>`);
    expect(text).not.toMatch(/<script|style=|href=/);
  }
});

it('the feed of outages holds each once, with the notes of its parts, as text', async () => {
  const db = await makeDatabase();
  const at = Date.parse('2026-11-14T02:10:00Z');
  for (const [place, bot] of (['offline', 'offline', 'running', 'running'] as const).entries())
    db.write((tx) => recordSample(tx, sampleOf(at + place * 600_000, bot)));
  db.statement("UPDATE incidents SET note = ? WHERE part = 'main_bot'").run('<b>&"Prąd\u0000\u{FFFE}');
  const site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example' });
  const { text } = await site.get('/status/incidents.atom');
  const ids = text.match(/<id>[^<]*#zdarzenie-\d+<\/id>/g);
  expect(ids).toEqual(['<id>https://czujka.example/status#zdarzenie-1</id>']);
  expect(text).toContain(STATUS.outageParts(['litecoin', 'main_bot']));
  expect(text).toContain('<published>2026-11-14T02:10:00.000Z</published>');
  expect(text).toContain('&lt;b&gt;&amp;&quot;Prąd\ufffd\ufffd</content>');
});

it('the page says first how the whole is, and then what goes on, with its note', async () => {
  const own = await makeDatabase();
  for (const ago of [60_000, 0]) own.write((tx) => recordSample(tx, sampleOf(Date.now() - ago)));
  own.statement('UPDATE incidents SET note = ?').run('<i>Węzeł');
  const page = await (await startTestSite(own.path)).get('/status');
  expect(page.headers['cache-control']).toBe('public, s-maxage=15');
  const text = textOf(page.text);
  const places = [STATUS.listsWork, STATUS.parts.litecoin, '<i>Węzeł', STATUS.services].map((words) =>
    text.indexOf(plain(words)),
  );
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
  expect(text).toContain(plain(STATUS.barsLegend));
});

it('the page explains no bars where the web process is alone and nothing was measured', async () => {
  const { text } = await alone.get('/status');
  expect(textOf(text)).toContain(plain(STATUS.notRecorded(undefined)));
  expect(textOf(text)).not.toContain(plain(STATUS.barsLegend));
});
