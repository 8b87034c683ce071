import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAvatarStore } from '#src/avatars/avatar-store.ts';
import { createAvatars } from '#src/avatars/avatars.ts';
import { drawAvatar } from '#src/avatars/draw-avatar.ts';
import { createPlatformAvatars } from '#src/avatars/platform-avatars.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { BAD_SERVICES, startLoopbackServer, startRawLoopbackServer } from '../../support/loopback-server.ts';
import { noteOutages } from '../../support/note-outages.ts';
import { sendJson } from '../../support/outside-answers.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const SECRET = 'S3CRET';
const ID = '80351110224678912';
const DRAWN = { type: 'image/svg+xml; charset=utf-8', body: drawAvatar(ID) };
const WEBP = Buffer.concat([Buffer.from('RIFF\x10\0\0\0WEBPVP8L', 'latin1'), Buffer.alloc(64, 1)]);
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64, 2)]);

interface Options {
  readonly api?: RequestListener;
  readonly cdn?: RequestListener;
  readonly folder?: string;
  readonly callsPerSecond?: number;
  /** Default: all. */
  readonly isShown?: (chatId: string) => boolean;
  readonly waitMs?: number;
  readonly bytesMax?: number;
}

/** User object of Discord REST v10 (docs.discord.com, User). */
function user(avatar: string | null): RequestListener {
  return sendJson({ id: ID, username: 'nelly', discriminator: '0', global_name: 'Nelly', avatar });
}

function image(body: Buffer, type = 'image/webp'): RequestListener {
  return (_request, response) => response.setHeader('Content-Type', type).end(body);
}

const status = (code: number): RequestListener => sendJson({}, code);

async function setUp(options: Options = {}) {
  const api = await startLoopbackServer(options.api ?? user('abc123'));
  const cdn = await startLoopbackServer(options.cdn ?? image(WEBP));
  return { api, cdn, ...makeAvatars(api.origin, cdn.origin, options) };
}

function makeAvatars(apiUrl: string, cdnUrl: string, options: Options = {}) {
  const { folder = makeFolder(), bytesMax = 10_000_000 } = options;
  const clock = { monotonic: 0, now: Date.now() };
  const reasons: string[] = [];
  const store = openAvatarStore(folder, bytesMax, (error) => reasons.push(String(error)));
  const monotonic = (): number => clock.monotonic;
  const platform = createPlatformAvatars(
    createOutbound(monotonic),
    { apiUrl, cdnUrl, token: SECRET, baseUrl: 'https://czujka.example', callsPerSecond: 40, ...options },
    options.isShown ?? (() => true),
    monotonic,
  );
  const outages = noteOutages(reasons);
  const avatars = createAvatars({ store, platform, outages, now: () => clock.now, ...options });
  return { avatars, store, folder, clock, reasons };
}

describe('the avatar of a user', () => {
  it('comes from the platform once, and from the disk afterwards', async () => {
    const { avatars, api, cdn, folder } = await setUp();
    const got = await Promise.all(Array.from({ length: 50 }, () => avatars.read(ID)));
    for (const avatar of got) expect(avatar).toEqual({ body: WEBP, type: 'image/webp', isSettled: true });
    expect(api.requests).toEqual([`GET /users/${ID}`]);
    expect(cdn.requests).toEqual([`GET /avatars/${ID}/abc123.webp?size=128`]);
    expect(readdirSync(folder)).toEqual([`${ID}.webp`]);
    const again = makeAvatars('http://127.0.0.1:1', 'http://127.0.0.1:1', { folder });
    expect((await again.avatars.read(ID)).body).toEqual(WEBP);
  });

  it('is one of the platform’s own, by its formula, when the user has none', async () => {
    for (const api of [user(null), status(404)]) {
      const { avatars, api: server, cdn, folder } = await setUp({ api, cdn: image(PNG, 'text/html') });
      for (let asked = 0; asked < 2; asked += 1)
        expect(await avatars.read(ID)).toEqual({ body: PNG, type: 'image/png', isSettled: true });
      expect(server.requests).toHaveLength(1);
      const place = Number((BigInt(ID) >> 22n) % 6n);
      expect(cdn.requests).toEqual([`GET /embed/avatars/${place}.png`]);
      expect(readdirSync(folder).toSorted()).toEqual([`${ID}.none`, `default-${place}.png`]);
    }
  });

  it('is fetched again after a day while the old one is shown', async () => {
    const { avatars, clock, cdn, store } = await setUp();
    await avatars.read(ID);
    // And after the clock was set back.
    for (const [times, days] of [1, -1_500].entries()) {
      clock.now += days * (24 * 3_600_000 + 60_000);
      clock.monotonic += 24 * 3_600_000;
      expect((await avatars.read(ID)).body).toEqual(WEBP);
      // Until it is stored, because the next one would wait for a fetch under way.
      await expect.poll(() => store.find(ID)?.fetchedAt).toBe(clock.now);
      expect(cdn.requests.length).toBe(2 + times);
    }
    expect(store.bytes).toBe(4_096);
  });
});

it.each([
  ['with a picture', user('abc123'), true],
  ['without one', user(null), true],
  ['that the platform does not know', status(404), false],
  ['of which nobody could be asked', status(500), false],
])('whether there is an account %s is asked once, together with its picture', async (_name, api, isKnown) => {
  const { avatars, api: server } = await setUp({ api });
  expect(await avatars.knows(ID)).toBe(isKnown);
  await avatars.read(ID);
  expect(await avatars.knows(ID)).toBe(isKnown);
  expect(server.requests).toEqual([`GET /users/${ID}`]);
});

it('whether there is an account is not asked of what is no ID, and not waited for', async () => {
  const { avatars, api } = await setUp({ api: () => {}, waitMs: 20 });
  expect(await avatars.knows('../me')).toBe(false);
  expect(api.requests).toEqual([]);
  expect(await avatars.knows(ID)).toBe(false);
});

describe('whatever the platform does, there is a picture', () => {
  it.each<[string, Options, failures?: number]>([
    ['401', { api: status(401) }],
    ['429', { api: sendJson({}, 429, { 'Retry-After': '65' }) }],
    ['500', { api: status(500) }],
    ['another shape', { api: user('../../secrets') }],
    ['an SVG with script', { cdn: image(Buffer.from('<svg><script>x()</script></svg>'), 'image/png') }],
    ['a missing picture, which is no failure', { cdn: status(404) }, 0],
  ])('after %s', async (_name, options, failures = 1) => {
    const { avatars, reasons, api, cdn, folder } = await setUp(options);
    expect(await avatars.read(ID)).toEqual({ ...DRAWN, isSettled: false });
    expect(reasons).toHaveLength(failures);
    expect(reasons.join()).not.toContain(SECRET);
    const asked = api.requests.length + cdn.requests.length;
    expect(await avatars.read(ID)).toEqual({ ...DRAWN, isSettled: false });
    expect(api.requests.length + cdn.requests.length).toBe(asked);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('within its time when it says nothing', async () => {
    const service = await startRawLoopbackServer(BAD_SERVICES.hang);
    const { avatars } = makeAvatars(service.origin, service.origin, { waitMs: 300 });
    const startedAt = performance.now();
    expect(await avatars.read(ID)).toEqual({ ...DRAWN, isSettled: false });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it.each([401, 500])('and after a %i the platform is left alone for 5 s, as no failure', async (code) => {
    const other = String(BigInt(ID) + 1n);
    const { avatars, api, clock } = await setUp({
      api: (request, response) =>
        (request.url?.endsWith(other) ? user('abc123') : status(code))(request, response),
    });
    for (const id of [ID, other]) expect(await avatars.read(id)).toMatchObject({ isSettled: false });
    expect(api.requests).toHaveLength(1);
    clock.monotonic += 5_000;
    expect((await avatars.read(other)).body).toEqual(WEBP);
  });
});

it('10,000 random IDs in a minute cost no more than the calls allowed, and the disk no more than its limit', async () => {
  const bytesMax = 100_000;
  const platform = { api: status(404), cdn: image(PNG, 'image/png'), callsPerSecond: 5 };
  const { avatars, api, cdn, clock, store } = await setUp({ ...platform, bytesMax });
  for (let second = 0; second < 60; second += 1) {
    const ids = Array.from(
      { length: 167 },
      (_, at) => `${10n ** 17n + BigInt(second * 1_000_003 + at * 7_919)}`,
    );
    const got = await Promise.all(ids.map((id) => avatars.read(id)));
    for (const { type } of got) expect(type).toMatch(/^image\//);
    clock.monotonic += 1_000;
  }
  expect(api.requests.length + cdn.requests.length).toBeLessThanOrEqual(5 * 61);
  expect(api.requests.length).toBeGreaterThan(200);
  expect(store.bytes).toBeLessThanOrEqual(bytesMax);
});

it('a flood of IDs that no list has leaves half of the calls to those of the lists', async () => {
  const { avatars, api } = await setUp({ callsPerSecond: 8, isShown: (chatId) => chatId === ID });
  const flood = Array.from({ length: 20 }, (_, at) => String(10n ** 17n + BigInt(at)));
  await Promise.all(flood.map((chatId) => avatars.read(chatId)));
  expect(api.requests.length).toBeLessThanOrEqual(4);
  expect((await avatars.read(ID)).body).toEqual(WEBP);
});

describe('the store', () => {
  it('forgets what was asked for least recently, on disk too, and cleans up at its start', async () => {
    const folder = join(makeFolder(), 'avatars');
    mkdirSync(folder);
    writeFileSync(join(folder, '1.7.tmp'), 'half');
    for (const [place, key] of ['a', 'b', 'c'].entries()) {
      writeFileSync(join(folder, `${key}.png`), PNG);
      utimesSync(join(folder, `${key}.png`), 1_000 + place, 1_000 + place);
    }
    const store = openAvatarStore(folder, 3 * 4_096, () => {});
    expect(readdirSync(folder)).toEqual(['a.png', 'b.png', 'c.png']);
    expect(store.find('a')).toMatchObject({ format: 'png', fetchedAt: 1_000_000 });
    await store.write('d', 'webp', WEBP, 2_000_000);
    expect(readdirSync(folder)).toEqual(['a.png', 'c.png', 'd.webp']);
    await store.write('d', 'none', Buffer.alloc(0), 2_000_000);
    expect(readdirSync(folder)).toEqual(['a.png', 'c.png', 'd.none']);
    expect(statSync(join(folder, 'd.none')).size).toBe(0);
    expect(store.bytes).toBe(3 * 4_096);
  });

  it('costs a picture, not an answer, where it cannot write', async () => {
    const folder = join(makeFolder(), 'in-the-way');
    writeFileSync(folder, 'a file');
    const outages: unknown[] = [];
    const store = openAvatarStore(folder, 1_000_000, (error) => outages.push(error));
    await store.write('a', 'png', PNG, 2_000_000);
    expect(store.find('a')).toBeUndefined();
    expect(outages).toHaveLength(2);
  });
});

it('drawings are the same for an ID and differ between IDs', () => {
  const drawings = Array.from({ length: 500 }, (_, i) => drawAvatar(String(10n ** 17n + BigInt(i))));
  expect(new Set(drawings).size).toBeGreaterThan(490);
  expect(drawAvatar(ID)).toBe(DRAWN.body);
  // Dots without a ground: nobody takes it for a picture that somebody chose.
  for (const drawing of drawings)
    expect(drawing).toMatch(/^<svg [^>]*><g fill="#74807c">(?:<circle [^>]*\/>)+<\/g><\/svg>$/);
});
