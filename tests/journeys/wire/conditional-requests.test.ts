/** What the client has already, and what does not change an answer. */
import { describe, expect, it } from 'vitest';
import { dial, expectError } from '../../support/wire.ts';
import { NOT_FOUND, serveSmallLists } from '../../support/wire-server.ts';

describe('conditional requests on the wire', () => {
  const server = serveSmallLists();
  const { get } = server;

  it.each(['/api/scammers', '/api/servers', '/api/legit', '/api/check?search=a', '/'])(
    'answers 304 for %s when the client has it already',
    async (target) => {
      const first = await get(target);
      const etag = first.field('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const known of [etag, `W/${etag}`, '*', `"x", ${etag}`, `W/"x",W/${etag}`]) {
        const answer = await get(target, [`If-None-Match: ${known}`]);
        expect(answer.status).toBe(304);
        expect(answer.field('etag')).toBe(etag);
        expect(answer.field('cache-control')).toBe(first.field('cache-control'));
        expect(answer.field('date')).toBeDefined();
        expect(answer.field('ratelimit-limit')).toBe('1000');
        expect(answer.field('ratelimit-remaining')).toMatch(/^\d+$/);
        expect(answer.field('ratelimit-reset')).toMatch(/^\d+$/);
        expect(answer.field('content-length')).toBeUndefined();
        expect(answer.field('access-control-allow-origin')).toBe(first.field('access-control-allow-origin'));
      }
      for (const stale of ['"x"', etag.replaceAll('"', ''), `${etag}x`, '']) {
        const answer = await get(target, [`If-None-Match: ${stale}`]);
        expect(answer.status).toBe(200);
        expect(answer.text).toBe(first.text);
      }
    },
  );

  it('sends nothing after a 304, so that the connection can go on', async () => {
    const wire = dial(server.port);
    wire.write('GET /api/legit HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n');
    wire.write('HEAD /api/legit HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n');
    wire.write('GET /api/nope HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n');
    expect((await wire.answer()).status).toBe(304);
    expect((await wire.answer(true)).status).toBe(304);
    expectError(await wire.answer(), 404, NOT_FOUND);
    wire.hangUp();
  });

  it('does not let If-Modified-Since or Range change an answer', async () => {
    const plain = await get('/api/scammers');
    for (const field of [
      'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT',
      'Range: bytes=0-1',
      'If-Match: "x"',
    ]) {
      const answer = await get('/api/scammers', [field]);
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(plain.text);
    }
  });
});
