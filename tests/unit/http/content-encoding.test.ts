import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { chooseEncoding } from '#src/http/content-encoding.ts';

describe('the choice of an encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000, gzip;q=0', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['*;q=0.1, gzip;q=0.2', 'gzip'],
    ['identity', 'identity'],
    ['brotli', 'identity'],
  ])('takes from "%s" %s', (header, encoding) => {
    const request = { headers: { 'accept-encoding': header } } as unknown as IncomingMessage;
    expect(chooseEncoding(request)).toBe(encoding);
  });
});
