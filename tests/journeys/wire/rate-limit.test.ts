/** The limits of SPEC 8 as clients of the real web process meet them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../support/server-process.ts';
import { makeSmallLists } from '../../support/small-lists.ts';
import { dial, expectError } from '../../support/wire.ts';
import type { Answer } from '../../support/wire.ts';

let databasePath: string;
beforeAll(async () => {
  databasePath = await makeSmallLists();
});

describe('the rate limit on the wire', () => {
  it('8 does not count OPTIONS, not even when the limit is used up', async () => {
    const wire = dial((await startServer({ DATABASE_PATH: databasePath })).port);
    for (let sent = 0; sent < 31; sent += 1) {
      for (const method of ['OPTIONS', 'GET'])
        wire.write(`${method} /api/status HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect((await wire.answer()).status).toBe(204);
      expect((await wire.answer()).status).toBe(sent < 30 ? 200 : 429);
    }
    wire.write('OPTIONS /api/status HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await wire.answer()).status).toBe(204);
    wire.hangUp();
  });

  it('8 admits 30 requests of status and donation, and tells the 31st when to come back', async () => {
    const server = await startServer({ DATABASE_PATH: databasePath });
    const targets = [
      '/api/status',
      '/api/donate/status?id=ltc_00000000000000000000000000000000',
      '/api/donate/status',
    ];
    const wire = dial(server.port);
    for (let sent = 0; sent < 30; sent += 1) {
      wire.write(`GET ${targets[sent % 3]} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const answer = await wire.answer();
      expect(answer.status).toBe([200, 404, 400][sent % 3]);
      expect(answer.field('ratelimit-limit')).toBe('30');
      expect(answer.field('ratelimit-remaining')).toBe(String(29 - sent));
      expect(answer.field('retry-after')).toBeUndefined();
    }
    for (const target of targets) {
      wire.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expectRefusal(await wire.answer(), 30);
    }
    // Other buckets and other addresses are not touched.
    wire.write('GET /api/check?search=a HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await wire.answer()).field('ratelimit-remaining')).toBe('999');
    wire.hangUp();
    const neighbour = dial(server.port, '127.0.0.2');
    neighbour.write('GET /api/status HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await neighbour.answer()).field('ratelimit-remaining')).toBe('29');
    neighbour.hangUp();
  });

  it('8 T16 admits 1000 requests of lists and check, whatever X-Forwarded-For says', async () => {
    const server = await startServer({ DATABASE_PATH: databasePath });
    const targets = ['/api/check?search=a', '/api/scammers?limit=1', '/api/servers', '/api/legit'];
    const spoof = (sent: number): string =>
      ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'X-Client-IP']
        .map((name) => `${name}: 198.51.100.${sent % 256}\r\n`)
        .concat(`Forwarded: for=198.51.100.${sent % 256}\r\n`)
        .join('');
    const wire = dial(server.port);
    for (let sent = 0; sent < 1000; sent += 1) {
      wire.write(`GET ${targets[sent % 4]} HTTP/1.1\r\nHost: a\r\n${spoof(sent)}\r\n`);
      const answer = await wire.answer();
      if (answer.status !== 200 || answer.field('ratelimit-remaining') !== String(999 - sent)) {
        expect.unreachable(
          `request ${sent + 1}: ${answer.status}, ${answer.field('ratelimit-remaining')} left`,
        );
      }
    }
    for (const target of targets) {
      wire.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n${spoof(7)}\r\n`);
      expectRefusal(await wire.answer(), 1000);
    }
    wire.hangUp();
    const another = dial(server.port);
    another.write('HEAD /api/check?search=a HTTP/1.1\r\nHost: a\r\n\r\n');
    const refused = await another.answer(true);
    expect(refused.status).toBe(429);
    expect(refused.field('retry-after')).toBe(refused.field('ratelimit-reset'));
    another.hangUp();
    const neighbour = dial(server.port, '127.0.0.2');
    neighbour.write('GET /api/check?search=a HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await neighbour.answer()).field('ratelimit-remaining')).toBe('999');
    neighbour.hangUp();
  });

  it('8 T16 counts by X-Forwarded-For, read from the right, behind a trusted proxy', async () => {
    const server = await startServer({ DATABASE_PATH: databasePath, TRUST_PROXY: 'loopback' });
    const wire = dial(server.port);
    const askFrom = (forwardedFor: string): Promise<Answer> => {
      wire.write(`GET /api/status HTTP/1.1\r\nHost: a\r\n${forwardedFor}\r\n`);
      return wire.answer();
    };
    for (let sent = 0; sent < 30; sent += 1) {
      const answer = await askFrom(`X-Forwarded-For: 203.0.113.${sent}, 198.51.100.1, 127.0.0.9\r\n`);
      expect(answer.field('ratelimit-remaining')).toBe(String(29 - sent));
    }
    expectRefusal(await askFrom('X-Forwarded-For: 203.0.113.99, 198.51.100.1\r\n'), 30);
    expectRefusal(await askFrom('X-Forwarded-For: 203.0.113.99\r\nX-Forwarded-For: 198.51.100.1\r\n'), 30);
    expect((await askFrom('X-Forwarded-For: 198.51.100.1, 198.51.100.2\r\n')).status).toBe(200);
    expect((await askFrom('X-Forwarded-For: 2001:db8:1:2::1\r\n')).field('ratelimit-remaining')).toBe('29');
    expect((await askFrom('X-Forwarded-For: [2001:db8:1:2::2]:99\r\n')).field('ratelimit-remaining')).toBe(
      '28',
    );
    expect((await askFrom('')).field('ratelimit-remaining')).toBe('29');
    expect((await askFrom('X-Forwarded-For: nonsense\r\n')).field('ratelimit-remaining')).toBe('28');
    wire.hangUp();
  });
});

/** SPEC section 7: one number in three fields and the sentence. */
function expectRefusal(answer: Answer, limit: number): void {
  const seconds = answer.field('ratelimit-reset') ?? '';
  expect(seconds).toMatch(/^(?:[1-9]|[1-5]\d|60)$/);
  expectError(answer, 429, `Za dużo zapytań. Spróbuj ponownie za ${seconds} s.`);
  expect(answer.field('retry-after')).toBe(seconds);
  expect(answer.field('ratelimit-limit')).toBe(String(limit));
  expect(answer.field('ratelimit-remaining')).toBe('0');
}
