/**
 * Who is asking. X-Forwarded-For is believed only as far as trusted proxies wrote it:
 * it is read from the right, and the first address that is not a trusted proxy is the client. What the client wrote
 * to the left of that never counts.
 */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { LIST_HEADER_MAX_LENGTH } from './request-headers.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type ClientAddressOf = (request: IncomingMessage) => string;

/** Answers that are remembered by what proxies wrote; a bound keeps a flood of clients from growing it. */
const FORWARDED_MAX = 20_000;
/** Longer ones are not what proxies write. */
const FORWARDED_MAX_LENGTH = 100;

/**
 * @param trustedProxies addresses and CIDR ranges
 * @returns the address that the rate limit counts: IPv4 as it is, IPv6 by its /64, since one customer has a whole one
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddressOf {
  const ranges = trustedProxies.map(parseRange);
  const isTrusted = (address: Address): boolean =>
    ranges.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
  // A connection keeps its peer; most visitors send many requests over one.
  const peers = new WeakMap<object, { address: Address | undefined; trusted: boolean; key: string }>();

  const peerOf = (request: IncomingMessage) => {
    const { socket } = request;
    let peer = peers.get(socket);
    if (!peer) {
      const address = parseAddress(socket.remoteAddress ?? '');
      peer = { address, trusted: address !== undefined && isTrusted(address), key: limitKey(address) };
      peers.set(socket, peer);
    }
    return peer;
  };

  /** Empty when nothing that can be believed was written. */
  const clientOf = (forwarded: string): string => {
    let client: Address | undefined;
    const hops = forwarded.slice(-LIST_HEADER_MAX_LENGTH).split(',').reverse();
    // Of a longer header the first piece may be a part of an address.
    if (forwarded.length > LIST_HEADER_MAX_LENGTH) hops.pop();
    for (const hop of hops) {
      const address = parseAddress(hop.trim());
      if (!address) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client ? limitKey(client) : '';
  };
  const known = new LRUCache<string, string>({ max: FORWARDED_MAX });

  return (request) => {
    const peer = peerOf(request);
    if (!peer.trusted) return peer.key;
    const forwarded = request.headers['x-forwarded-for'] as string | undefined;
    if (forwarded === undefined) return peer.key;
    let client = known.get(forwarded);
    if (client === undefined) {
      client = clientOf(forwarded);
      if (forwarded.length <= FORWARDED_MAX_LENGTH) known.set(forwarded, client);
    }
    return client === '' ? peer.key : client;
  };
}

/** Undefined for what is no address; IPv4 written as IPv6 becomes IPv4; a port or brackets are ignored. */
function parseAddress(text: string): Address | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  // The strict four-part form only: "1" or "0x7f.1" are not what a proxy writes.
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare);
}

function parseRange(range: string): [Address, number] {
  const [network, bits] = range.includes('/')
    ? ipaddr.parseCIDR(range)
    : ([ipaddr.parse(range), undefined] as const);
  if (network.kind() === 'ipv6' && (network as ipaddr.IPv6).isIPv4MappedAddress()) {
    return [(network as ipaddr.IPv6).toIPv4Address(), (bits ?? 128) - 96];
  }
  return [network, bits ?? (network.kind() === 'ipv4' ? 32 : 128)];
}

function limitKey(address: Address | undefined): string {
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4);
  return parts.map((part) => part.toString(16)).join(':');
}

const LOOPBACK_V6 = limitKey(ipaddr.parse('::1'));

/** @param client as createClientAddress tells it: behind a proxy that is believed, the visitor and not the proxy */
export function isLoopback(client: string): boolean {
  return client.startsWith('127.') || client === LOOPBACK_V6;
}
