import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRouter, type Endpoint } from '#src/http/endpoint.ts';
import { parseRequestTarget, type RequestTarget } from '#src/http/http-server.ts';

function parse(url: string, hosts: string[] = ['czujka.example'], method = 'GET'): RequestTarget | undefined {
  const rawHeaders = ['Accept', 'host', ...hosts.flatMap((host) => ['Host', host]), 'Hosts', 'x'];
  return parseRequestTarget({ url, httpVersion: '1.1', rawHeaders, method } as unknown as IncomingMessage);
}

// A Host that is missing or stands there twice is in journeys/wire.
describe('parseRequestTarget', () => {
  it.each([
    ['a question mark in the query', '/a?b=?c', '/a', 'b=?c'],
    ['a malformed query, left as it is', '/a?b=%E0%A4%A&c=%ff&d=100%', '/a', 'b=%E0%A4%A&c=%ff&d=100%'],
    ['an encoded slash, kept as one character', '/badge/a%2fb.svg', '/badge/a%2Fb.svg', ''],
    ['an encoded question mark', '/a%3Fb?c', '/a?b', 'c'],
    ['what decodes to an encoding, decoded once', '/api/%2573cammers', '/api/%73cammers', ''],
    ['nothing but slashes', '///', '/', ''],
    ['double slashes and dot segments, kept', '//a/../api/./scammers', '//a/../api/./scammers', ''],
    ['a plus sign', '/a+b?c+d', '/a+b', 'c+d'],
    ['absolute form, in any case', 'HTTPS://Evil.Example/api/scammers?a=b', '/api/scammers', 'a=b'],
    ['absolute form without a path', 'http://evil.example', '/', ''],
    ['another scheme, as a path', 'ftp://evil.example/x', '/ftp://evil.example/x', ''],
  ])('reads %s', (_name, url, path, query) => {
    expect(parse(url)).toEqual({ path, query, isMalformed: false });
  });

  it('takes * with OPTIONS only', () => {
    expect(parse('*', undefined, 'OPTIONS')).toMatchObject({ path: '/', query: '' });
    for (const method of ['GET', 'HEAD', 'POST']) expect(parse('*', undefined, method)).toBeUndefined();
  });

  it.each(['/%zz', '/%E0%A4%A', '/%C0%AF', 'http://a/%'])('marks %s, which does not decode', (url) => {
    expect(parse(url)).toMatchObject({ isMalformed: true });
  });

  it('accepts a Host of a name or an address, with or without a port', () => {
    const names = 'czujka.example czujka.example:4321 czujka.example: localhost under_score.example';
    const others = 'xn--czujka-abc.example. %C5%BC.example 127.0.0.1:80 [::1] [2001:DB8::1]:4321';
    for (const host of ['', ...names.split(' '), ...others.split(' ')])
      expect(parse('/', [host]), host).toMatchObject({ path: '/', query: '' });
  });

  it('refuses every other Host', () => {
    const others = 'a/b a?b a#b a\\b u@a http://a a:b a:80:80 <a> "a" [::1 ::1 [g::] [] ż.example';
    for (const host of ['a b', 'a, b', 'a\tb', 'a\0', ' ', ...others.split(' ')])
      expect(parse('/', [host]), host).toBeUndefined();
  });

  it('reads 400,000 slashes in linear time', () => {
    const path = `/api${'/'.repeat(400_000)}x`;
    expect(parse(path)?.path.length).toBe(path.length);
  });

  it('reads one path from every spelling of a target (property)', () => {
    const unit = fc.constantFrom('a', 'ż', '🦊', ' ', '~', '-');
    const segment = fc.string({ unit, minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.nat(3), (segments, slashes) => {
        const path = `/${segments.join('/')}`;
        const encodedWhole = segments.map((text) =>
          [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
        );
        for (const spelled of [encodeURI(path), `/${encodedWhole.join('/')}`]) {
          expect(parse(spelled + '/'.repeat(slashes))?.path).toBe(path);
          expect(parse(`http://other.example${spelled}`)?.path).toBe(path);
        }
      }),
    );
  });
});

const routeOf = (isCatchAll = false) => ({ isCatchAll }) as Partial<Endpoint> as Endpoint;
const ROUTES = {
  '/api/scammers': routeOf(),
  '/api/chat/avatar/default': routeOf(),
  '/api/chat/avatar/{chatId}': routeOf(),
  '/api/{kind}/of/{id}': routeOf(),
  '/api/faces/{id}': routeOf(true),
};
const matchRoute = createRouter(ROUTES);

describe('createRouter', () => {
  it.each([
    ['a path that is written out', '/api/scammers', '/api/scammers', {}],
    [
      'a parameter of any characters',
      '/api/chat/avatar/%2e🦊 ?\n',
      '/api/chat/avatar/{chatId}',
      { chatId: '%2e🦊 ?\n' },
    ],
    ['several parameters', '/api/a/of/b', '/api/{kind}/of/{id}', { kind: 'a', id: 'b' }],
    ['the first of two routes', '/api/chat/avatar/default', '/api/chat/avatar/default', {}],
    ['slashes for an endpoint that takes the rest', '/api/faces/../\n', '/api/faces/{id}', { id: '../\n' }],
  ] as const)('finds %s', (_what, asked, route, path) => {
    expect(matchRoute(asked)).toEqual({ endpoint: ROUTES[route], route, path });
  });

  it('finds nothing at other paths', () => {
    const near = '/ /api /api/ /api/scammers/ /api/scammers/1 /API/scammers /api/Scammers /x/api/scammers';
    const deep =
      '/api/chat/avatar /api/chat/avatar/ /api/chat/avatar/1/2 /api//of/b /api/faces/ api/scammers';
    const names = '/api/toString /api/__proto__ __proto__ constructor';
    for (const path of ['', ...`${near} ${deep} ${names}`.split(' ')])
      expect(matchRoute(path), path).toBeUndefined();
  });
});
