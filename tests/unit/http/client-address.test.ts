import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createClientAddress, isLoopback } from '#src/http/rate-limit.ts';
import { measureHeap } from '../../support/measure-heap.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** @param socket of several requests */
function makeRequest(
  remoteAddress: string | undefined,
  forwardedFor?: string,
  socket: object = { remoteAddress },
): IncomingMessage {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return { socket, headers } as unknown as IncomingMessage;
}

function addressOf(trusted: readonly string[], peer: string | undefined, forwardedFor?: string): string {
  return createClientAddress(trusted)(makeRequest(peer, forwardedFor));
}

it.each([
  ['v4-mapped IPv6 as IPv4', '::ffff:192.0.2.7', '192.0.2.7'],
  ['IPv6 by its /64', '2001:db8::2:3:4:5:6', '2001:db8:0:2'],
  ['IPv6 with a zone', 'fe80::1%eth0', 'fe80:0:0:0'],
  ['closed connections as one client', undefined, 'unknown'],
])('counts %s', (_name, peer, key) => {
  expect(addressOf([], peer)).toBe(key);
  expect(addressOf(LOOPBACK, peer, '192.0.2.1')).toBe(key);
});

it('remembers each header of a trusted peer, and no header of another', () => {
  const texts = ['198.51.100.1', '203.0.113.9, 198.51.100.2', '127.0.0.1', 'nonsense', '', '2001:db8::1'];
  const clientAddressOf = createClientAddress(LOOPBACK);
  const ask = (peer: string): string[] => texts.map((text) => clientAddressOf(makeRequest(peer, text)));
  const fresh = texts.map((text) => addressOf(LOOPBACK, '127.0.0.1', text));
  expect(ask('192.0.2.7')).toEqual(texts.map(() => '192.0.2.7'));
  expect(ask('127.0.0.1')).toEqual(fresh);
  const reading = vi.spyOn(ipaddr, 'process');
  onTestFinished(() => reading.mockRestore());
  expect(ask('127.0.0.1')).toEqual(fresh);
  // Only the peer of each connection.
  expect(reading).toHaveBeenCalledTimes(texts.length);
  // A peer stands for clients that it does not name.
  expect(clientAddressOf(makeRequest('::1', 'nonsense'))).toBe('0:0:0:0');
});

it.each([
  ['60,000 clients', 60_000, 80],
  ['1,000 long lists', 1_000, 15_000],
])('keeps at most 6 MB of headers of %s', (_name, count, length) => {
  const clientAddressOf = createClientAddress(LOOPBACK);
  const socket = { remoteAddress: '127.0.0.1' };
  const heapBefore = measureHeap();
  for (let client = 0; client < count; client += 1) {
    // Each is a text of its own, as one that was received is.
    const text = Buffer.from(`${`${client}`.padStart(length, 'x')}, 198.51.100.1`).toString('latin1');
    clientAddressOf(makeRequest(undefined, text, socket));
  }
  expect(measureHeap() - heapBefore).toBeLessThan(6 * 1024 * 1024);
  // It is still in use, so what it holds was alive until here.
  expect(clientAddressOf(makeRequest('127.0.0.1', '198.51.100.1'))).toBe('198.51.100.1');
});

// Trusted proxies, peer, X-Forwarded-For, client.
it.each([
  ['no trusted proxy', [], '127.0.0.1', '198.51.100.1', '127.0.0.1'],
  ['proxies of different ranges', ['10.0.0.0/8', '::1'], '::1', '198.51.100.1, 10.1.0.1', '198.51.100.1'],
  ['only proxies: the farthest', ['10.0.0.0/8'], '10.0.0.1', '10.3.0.1, 10.2.0.1', '10.3.0.1'],
  ['a range with host bits', ['10.0.0.77/24'], '10.0.0.5', '198.51.100.1', '198.51.100.1'],
  ['one past the range', ['10.0.0.0/24'], '10.0.1.0', '198.51.100.1', '10.0.1.0'],
  ['not the neighbour of a single address', ['10.0.0.1'], '10.0.0.2', '198.51.100.1', '10.0.0.2'],
  ['everybody of IPv4, nobody of IPv6', ['0.0.0.0/0'], '2001:db8::1', '198.51.100.1', '2001:db8:0:0'],
  ['not another one of its /64', ['2001:db8::1'], '2001:db8::2', '198.51.100.1', '2001:db8:0:0'],
  ['a v4-mapped range', ['::ffff:10.0.0.0/104'], '10.200.0.1', '198.51.100.1', '198.51.100.1'],
  ['a port', LOOPBACK, '127.0.0.1', '198.51.100.1:51234', '198.51.100.1'],
  ['brackets and a port', LOOPBACK, '127.0.0.1', '[2001:db8:1:2::1]:443', '2001:db8:1:2'],
  ['white space', LOOPBACK, '127.0.0.1', ' \t198.51.100.1\t ', '198.51.100.1'],
  ['no header', LOOPBACK, '127.0.0.1', undefined, '127.0.0.1'],
  ['garbage between proxies', ['10.0.0.0/8'], '10.0.0.1', '198.51.100.1, ?, 10.5.0.1', '10.5.0.1'],
] as const)('names the client behind %s', (_name, trusted, peer, forwardedFor, client) => {
  expect(addressOf(trusted, peer, forwardedFor)).toBe(client);
});

const others = ['', '1', '0xc6.51.100.1', 'for=[2001:db8:1:2::1]', '[2001:db8:1:2::1]:443x'];
it.each(others)('takes "%s" for no address', (forwardedFor) => {
  expect(addressOf(LOOPBACK, '127.0.0.1', forwardedFor)).toBe('127.0.0.1');
});

it.each(['1', '1:', '1.', '[]', ',', '%a'])('ignores 15,000 characters of "%s"', (characters) => {
  const forwardedFor = characters.repeat(15_000 / characters.length);
  expect(addressOf(LOOPBACK, '127.0.0.1', forwardedFor)).toBe('127.0.0.1');
  expect(addressOf(LOOPBACK, '127.0.0.1', `${forwardedFor}, 198.51.100.1`)).toBe('198.51.100.1');
});

it('reads the addresses that stand complete in the last 300 characters', () => {
  const clientBehind = (count: number): string => {
    const hops = Array.from({ length: count }, (_, hop) => `10.0.0.${100 + hop}`);
    return addressOf(['10.0.0.0/8'], '10.0.0.1', ['198.51.100.1', ...hops].join(','));
  };
  expect(clientBehind(26)).toBe('198.51.100.1');
  // The farthest proxy that is read stands for the client.
  expect(clientBehind(27)).toBe('10.0.0.100');
  // 8.51.100.1, the end of the client that lies in these characters, is not its address.
  const hops = Array.from({ length: 26 }, (_, hop) => `10.0.0.${100 + hop}`).join(',');
  expect(addressOf(['10.0.0.0/8'], '10.0.0.1', `198.51.100.1,    ${hops}`)).toBe('10.0.0.100');
});

it('remembers the peer of a connection, and reads the header of each request', () => {
  const clientAddressOf = createClientAddress(LOOPBACK);
  const socket = { remoteAddress: '127.0.0.1' };
  const ask = (header: string): string => clientAddressOf(makeRequest(undefined, header, socket));
  expect(ask('198.51.100.1')).toBe('198.51.100.1');
  expect(ask('198.51.100.2')).toBe('198.51.100.2');
  // Node forgets the address when the peer goes away in the middle of a request.
  socket.remoteAddress = undefined as unknown as string;
  expect(ask('198.51.100.3')).toBe('198.51.100.3');
});

it('ignores everything to the left of the last untrusted address (property)', () => {
  const clientAddressOf = createClientAddress(['10.0.0.0/8']);
  const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.9', '', 'x', '127.0.0.1'));
  const proxy = fc.integer({ min: 0, max: 255 }).map((last) => `10.1.1.${last}`);
  const proxies = fc.array(proxy, { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(address, { maxLength: 6 }), proxies, (spoofed, hops) => {
      const header = [...spoofed, '198.51.100.1', ...hops].join(', ');
      expect(clientAddressOf(makeRequest('10.0.0.1', header))).toBe('198.51.100.1');
    }),
  );
});

it('isLoopback is true for this machine, and false for a visitor behind its proxy', () => {
  for (const peer of ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'])
    expect(isLoopback(addressOf([], peer)), peer).toBe(true);
  for (const peer of ['128.0.0.1', '12.7.0.1', '192.0.2.127', '2001:db8::1', 'fe80::1', undefined])
    expect(isLoopback(addressOf([], peer)), peer).toBe(false);
  for (const client of ['198.51.100.1', '2001:db8::1'])
    expect(isLoopback(addressOf(LOOPBACK, '127.0.0.1', client))).toBe(false);
});
