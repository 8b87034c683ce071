/** More than anybody needs to ask for something. */
import { describe, expect, it } from 'vitest';
import { dial, expectError } from '../../support/wire.ts';
import { HEAD_TOO_LARGE, serveSmallLists } from '../../support/wire-server.ts';

describe('long requests on the wire', () => {
  const server = serveSmallLists();
  const { get } = server;

  it('takes 10,000 parameters, or refuses them for their length', async () => {
    expect((await get(`/api/scammers?${'&'.repeat(10_000)}`)).status).toBe(200);
    expect((await get(`/api/scammers?${'a&'.repeat(7_500)}`)).status).toBe(200);
    expectError(await get(`/api/scammers?${'a=&'.repeat(10_000)}`), 431, HEAD_TOO_LARGE);
    expectError(
      await get(`/api/scammers?${'id=1&'.repeat(2_000)}`),
      400,
      'Nieprawidłowy parametr id: można go podać tylko raz.',
    );
  });

  it.each([
    ['a target of 64 kB', `GET /api/scammers?search=${'a'.repeat(64 * 1024)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a field of 64 kB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(64 * 1024)}\r\n\r\n`],
    ['a name of 64 kB', `GET / HTTP/1.1\r\nHost: a\r\n${'a'.repeat(64 * 1024)}: x\r\n\r\n`],
    ['16,000 fields', `GET / HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(16_000)}\r\n`],
    ['a head that never ends', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(64 * 1024)}`],
  ])('answers 431 to %s and ends the connection', async (_name, request) => {
    const wire = dial(server.port);
    wire.write(request);
    expectError(await wire.answer(), 431, HEAD_TOO_LARGE);
    expect(await wire.rest()).toBe('');
  });

  it('answers a head just under 16 kB', async () => {
    expect((await get(`/api/scammers?x=${'a'.repeat(15_000)}`)).status).toBe(200);
    expect((await get('/', [`X: ${'a'.repeat(15_000)}`])).status).toBe(200);
  });
});
