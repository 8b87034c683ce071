import { bech32, createBase58check } from '@scure/base';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import type { Network } from '#src/donations/litecoin-network.ts';

const HASH = Buffer.from('c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2', 'hex');
const base58check = createBase58check((bytes: Uint8Array) =>
  Uint8Array.from(createHash('sha256').update(bytes).digest()),
);

function legacy(version: number): string {
  return base58check.encode(Uint8Array.from([version, ...HASH]));
}

function segwit(prefix: string): string {
  return bech32.encode(prefix, [0, ...bech32.toWords(Uint8Array.from(HASH))]);
}

/** Version 0, scan and spend keys of 33 bytes each. */
function mweb(prefix: string): string {
  return bech32.encode(prefix, [0, ...bech32.toWords(new Uint8Array(66).fill(2))], false);
}

const SEGWIT_SCRIPT = `0014${HASH.toString('hex')}`;

describe('addresses of donations', () => {
  it.each([
    ['main', segwit('ltc'), SEGWIT_SCRIPT],
    ['main', segwit('ltc').toUpperCase(), SEGWIT_SCRIPT],
    ['main', legacy(48), `76a914${HASH.toString('hex')}88ac`],
    ['main', legacy(50), `a914${HASH.toString('hex')}87`],
    ['test', segwit('tltc'), SEGWIT_SCRIPT],
    ['regtest', segwit('rltc'), SEGWIT_SCRIPT],
    ['regtest', legacy(58), `a914${HASH.toString('hex')}87`],
  ] as const)('takes on %s: %s', (network, address, script) => {
    const parsed = parseLitecoinAddress(address, network);
    expect(parsed).toMatchObject({ ok: true, script });
    if (parsed.ok && address.includes('1Q')) expect(parsed.address).toBe(address.toLowerCase());
  });

  it.each<[Network, string, RegExp]>([
    ['main', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', /is a Bitcoin address/],
    ['main', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', /is a Bitcoin address/],
    ['main', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', /begins with 3.*begins with M/],
    ['main', segwit('tltc'), /of the test network, but LITECOIN_NETWORK is main/],
    ['main', segwit('rltc'), /of a regtest network, but LITECOIN_NETWORK is main/],
    ['main', legacy(111), /of the test network, but LITECOIN_NETWORK is main/],
    ['main', legacy(58), /of the test network, but LITECOIN_NETWORK is main/],
    ['test', segwit('ltc'), /of the main network, but LITECOIN_NETWORK is test/],
    ['regtest', legacy(48), /of the main network, but LITECOIN_NETWORK is regtest/],
    ['main', mweb('ltcmweb'), /is an MWEB address/],
    ['regtest', mweb('tmweb'), /is an MWEB address/],
    ['main', `${segwit('ltc').slice(0, -1)}q`, /no Litecoin address, or a letter/],
    ['main', segwit('ltc').replace('ltc', 'Ltc'), /no Litecoin address, or a letter/],
    ['main', legacy(48).replace(/.$/, 'x'), /no Litecoin address, or a letter/],
    ['main', '', /no Litecoin address/],
    ['main', 'ltc1', /no Litecoin address/],
    ['main', ' '.repeat(10_000), /no Litecoin address/],
  ])('refuses on %s with the reason: %s', (network, address, reason) => {
    const parsed = parseLitecoinAddress(address, network);
    expect(parsed.ok ? 'taken' : parsed.problem).toMatch(reason);
  });
});
