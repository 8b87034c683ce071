import { Address } from '@scure/btc-signer';
import { expect, it } from 'vitest';
import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import { ADDRESS_FORMATS, type Network } from '#src/donations/litecoin-network.ts';

const HEX = 'c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2';
const hash = Buffer.from(HEX, 'hex');

const legacy = (version: number): string =>
  Address({ ...ADDRESS_FORMATS.main, pubKeyHash: version }).encode({ type: 'pkh', hash });
const segwit = (prefix: string): string =>
  Address({ ...ADDRESS_FORMATS.main, bech32: prefix }).encode({ type: 'wpkh', hash });

/** The scan and spend keys are 33 bytes each, all 2. */
const MWEB =
  'ltcmweb1qqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgmgmkg0';

it.each([
  ['main', segwit('ltc'), `0014${HEX}`],
  ['main', segwit('ltc').toUpperCase(), `0014${HEX}`],
  ['main', legacy(48), `76a914${HEX}88ac`],
  ['main', legacy(50), `a914${HEX}87`],
  ['regtest', segwit('rltc'), `0014${HEX}`],
  ['regtest', legacy(58), `a914${HEX}87`],
] as const)('takes on %s: %s', (network, address, script) => {
  const canonical = address.includes('1Q') ? address.toLowerCase() : address;
  expect(parseLitecoinAddress(address, network)).toEqual({ ok: true, address: canonical, script });
});

it.each<[Network, string]>([
  ['main', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  ['main', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['main', segwit('tltc')],
  ['main', legacy(111)],
  ['main', legacy(58)],
  ['test', segwit('ltc')],
  ['main', MWEB],
  ['main', `${segwit('ltc').slice(0, -1)}q`],
  ['main', segwit('ltc').replace('ltc', 'Ltc')],
  ['main', legacy(48).replace(/.$/, 'x')],
  ['main', ''],
])('refuses on %s: %s', (network, address) => {
  const problem = expect.stringContaining(`LITECOIN_NETWORK=${network}`) as string;
  expect(parseLitecoinAddress(address, network)).toEqual({ ok: false, problem });
});
