import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRequestTarget, type RequestTarget } from '#src/http/request-target.ts';
import { trials } from '../../support/trials.ts';

/** The part of a request that the target is read from. */
function parse(
  url: string,
  hosts: string[] = ['czujka.example'],
  httpVersion = '1.1',
  method = 'GET',
): RequestTarget | undefined {
  const rawHeaders = ['Accept', 'host', ...hosts.flatMap((host) => ['Host', host]), 'Hosts', 'x'];
  return parseRequestTarget({ url, httpVersion, rawHeaders, method } as unknown as IncomingMessage);
}

describe('parseRequestTarget', () => {
  it.each([
    ['a path', '/api/scammers', '/api/scammers', ''],
    ['the root', '/', '/', ''],
    ['a query', '/api/scammers?search=a&id=b', '/api/scammers', 'search=a&id=b'],
    ['an empty query', '/api/scammers?', '/api/scammers', ''],
    ['a question mark in the query', '/a?b=?c', '/a', 'b=?c'],
    ['a malformed query, left as it is', '/a?b=%E0%A4%A&c=%ff&d=100%', '/a', 'b=%E0%A4%A&c=%ff&d=100%'],
    ['encoded characters', '/api/%73cammers', '/api/scammers', ''],
    ['an encoded slash', '/api%2Fscammers', '/api/scammers', ''],
    ['an encoded question mark', '/a%3Fb?c', '/a?b', 'c'],
    ['characters outside ASCII', '/%C5%BC%F0%9F%A6%8A', '/ż🦊', ''],
    ['what decodes to an encoding, decoded once', '/api/%2573cammers', '/api/%73cammers', ''],
    ['a trailing slash', '/api/scammers/', '/api/scammers', ''],
    ['many trailing slashes', '/api/scammers///?a', '/api/scammers', 'a'],
    ['an encoded trailing slash', '/api/scammers%2F', '/api/scammers', ''],
    ['nothing but slashes', '///', '/', ''],
    ['double slashes inside, kept', '//api//scammers', '//api//scammers', ''],
    ['dot segments, kept', '/a/../api/./scammers', '/a/../api/./scammers', ''],
    ['encoded dot segments, decoded and kept', '/%2e%2E/x', '/../x', ''],
    ['a NUL', '/a%00b', '/a\0b', ''],
    ['a backslash', '/a%5Cb', '/a\\b', ''],
    ['a plus sign', '/a+b?c+d', '/a+b', 'c+d'],
    ['upper case', '/API/Scammers', '/API/Scammers', ''],
    ['absolute form', 'http://evil.example/api/scammers?a=b', '/api/scammers', 'a=b'],
    ['absolute form with port and user', 'http://u:p@evil.example:81/x', '/x', ''],
    ['absolute form of https, in any case', 'HTTPS://Evil.Example/x', '/x', ''],
    ['absolute form without a path', 'http://evil.example', '/', ''],
    ['absolute form with only a query', 'http://evil.example?a=/b', '/', 'a=/b'],
    ['absolute form of an address', 'http://[::1]:80/x/', '/x', ''],
    ['absolute form inside a path', '/http://evil.example/x', '/http://evil.example/x', ''],
    ['absolute form twice, once taken', 'http://a/http://b/c', '/http://b/c', ''],
    ['another scheme, as a path', 'ftp://evil.example/x', '/ftp://evil.example/x', ''],
  ])('reads %s', (_name, url, path, query) => {
    expect(parse(url)).toEqual({ path, query });
  });

  it('asks about the server as a whole by OPTIONS only', () => {
    expect(parse('*', undefined, undefined, 'OPTIONS')).toEqual({ path: '/', query: '' });
    for (const method of ['GET', 'HEAD', 'POST'])
      expect(parse('*', undefined, undefined, method)).toBeUndefined();
  });

  it.each(['/%', '/%zz', '/%E0%A4%A', '/%ff', '/a%', '/%C0%AF', '/%ED%A0%80', 'http://a/%'])(
    'refuses %s, which decodes to nothing',
    (url) => {
      expect(parse(url)).toBeUndefined();
    },
  );

  it('accepts a Host of a name or an address, with or without a port', () => {
    const names = 'czujka.example czujka.example:4321 czujka.example: localhost under_score.example';
    const others = 'xn--czujka-abc.example. %C5%BC.example 127.0.0.1:80 [::1] [2001:DB8::1]:4321';
    for (const host of ['', ...names.split(' '), ...others.split(' ')])
      expect(parse('/', [host]), host).toEqual({ path: '/', query: '' });
  });

  it('refuses every other Host', () => {
    const others = 'a/b a?b a#b a\\b u@a http://a a:b a:80:80 <a> "a" [::1 ::1 [g::] [] ż.example';
    for (const host of ['a b', 'a, b', 'a\tb', 'a\0', ' ', ...others.split(' ')])
      expect(parse('/', [host]), host).toBeUndefined();
  });

  it('refuses two Hosts, equal or not', () => {
    expect(parse('/', ['a.example', 'b.example'])).toBeUndefined();
    expect(parse('/', ['a.example', 'a.example'])).toBeUndefined();
    expect(parse('/', ['a.example', 'a.example'], '1.0')).toBeUndefined();
  });

  it('wants a Host in HTTP/1.1 and not in HTTP/1.0', () => {
    expect(parse('/', [])).toBeUndefined();
    expect(parse('/', [], '1.0')).toEqual({ path: '/', query: '' });
  });

  it('reads slashes that are not at the end in one go', () => {
    const path = `/api${'/'.repeat(400_000)}x`;
    expect(parse(path)?.path.length).toBe(path.length);
  });

  it('gives every path a leading slash and no trailing one, or nothing (property)', () => {
    const target = fc.string({
      unit: fc.constantFrom('/', '.', '%', '2', 'f', '5', 'c', 'a', '?', '\\', 'ż', 'http', ':'),
    });
    fc.assert(
      fc.property(target, (url) => {
        const { path } = parse(url) ?? { path: '/' };
        expect(path).toMatch(/^\/(?:.*[^/])?$/);
      }),
      { numRuns: trials(200, 5_000) },
    );
  });

  it('gives one path to every spelling of a target (property)', () => {
    const segment = fc.string({
      unit: fc.constantFrom('a', 'ż', '🦊', ' ', '~', '-'),
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.nat(3), (segments, slashes) => {
        const path = `/${segments.join('/')}`;
        const encodedWhole = [...Buffer.from(path.slice(1))].map(
          (byte) => `%${byte.toString(16).padStart(2, '0')}`,
        );
        for (const spelled of [encodeURI(path), `/${encodedWhole.join('')}`]) {
          expect(parse(spelled + '/'.repeat(slashes))?.path).toBe(path);
          expect(parse(`http://other.example${spelled}`)?.path).toBe(path);
        }
      }),
    );
  });
});
