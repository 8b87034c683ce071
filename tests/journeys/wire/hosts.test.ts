/** The Host, and what else claims to know where the request came in. */
import { describe, expect, it } from 'vitest';
import { dial, expectError } from '../../support/wire.ts';
import { BAD_REQUEST, serveSmallLists } from '../../support/wire-server.ts';

describe('hosts on the wire', () => {
  const server = serveSmallLists();
  const { ask } = server;

  it('T8 never repeats the Host, nor what claims to be a proxy', async () => {
    const headerLines = [
      'Host: evil.example:81',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: evil',
      'X-Forwarded-Port: 81',
      'X-Original-URL: /evil',
      'X-Rewrite-URL: /evil',
      'X-Astro-Path: /evil',
      'Forwarded: host=evil.example',
    ];
    for (const path of ['/', '/nope', '/scammers', '/api/scammers', '/api/nope']) {
      const plain = await ask(`GET ${path} HTTP/1.1`, ['Host: a']);
      const answer = await ask(`GET ${path} HTTP/1.1`, headerLines);
      expect(answer.status).toBe(plain.status);
      expect(answer.text).toBe(plain.text);
      expect(JSON.stringify(answer.fields)).not.toContain('evil');
    }
  });

  it.each(['Host: a b', 'Host: a/b', 'Host: u@a', 'Host: http://a', 'Host: a:b', 'Host: \xc5\xbc', 'Hos: a'])(
    'T9 answers 400 to %j',
    async (headerLine) => {
      for (const path of ['/api/scammers', '/']) {
        expectError(await ask(`GET ${path} HTTP/1.1`, [headerLine]), 400, BAD_REQUEST);
      }
    },
  );

  it('T9 serves HTTP/1.0 without a Host', async () => {
    const wire = dial(server.port);
    wire.write('GET /api/scammers HTTP/1.0\r\n\r\n');
    expect((await wire.answer()).status).toBe(200);
    expect(await wire.rest()).toBe('');
  });

  it('T11 answers 400 to two Hosts, equal or not', async () => {
    expectError(await ask('GET /api/scammers HTTP/1.1', ['Host: a', 'Host: b']), 400, BAD_REQUEST);
    expectError(await ask('GET /api/scammers HTTP/1.1', ['Host: a', 'X: y', 'hOST: a']), 400, BAD_REQUEST);
    expectError(await ask('GET / HTTP/1.1', ['Host: a', 'Host: b']), 400, BAD_REQUEST);
    expectError(await ask('GET http://a/api/scammers HTTP/1.1', ['Host: a', 'Host: b']), 400, BAD_REQUEST);
  });
});
