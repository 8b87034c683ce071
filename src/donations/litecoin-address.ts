import { Address, OutScript } from '@scure/btc-signer';
import { ADDRESS_FORMATS, decodeBase58, type Network } from './litecoin-network.ts';

export type ParsedAddress =
  | {
      readonly ok: true;
      /** In its canonical form. */
      readonly address: string;
      /** Script of the outputs, in hex. */
      readonly script: string;
    }
  | { readonly ok: false; readonly problem: string };

const NETWORK_NAMES: Readonly<Record<Network, string>> = {
  main: 'the main network',
  test: 'the test network',
  regtest: 'a regtest network',
};
const BITCOIN_P2PKH = 0;
/** `3…`: Bitcoin's script addresses, and Litecoin's before `M…`. */
const AMBIGUOUS_P2SH = 5;
const TEST_VERSIONS = [111, 58, 196];

/** @returns a problem for the operator when the address cannot be used on this network */
export function parseLitecoinAddress(text: string, network: Network): ParsedAddress {
  const foreign = findForeignKind(text, network);
  if (foreign !== undefined) return { ok: false, problem: foreign };
  const coder = Address(ADDRESS_FORMATS[network]);
  try {
    const decoded = coder.decode(text);
    return {
      ok: true,
      address: coder.encode(decoded),
      script: Buffer.from(OutScript.encode(decoded)).toString('hex'),
    };
  } catch {
    return { ok: false, problem: 'is no Litecoin address, or a letter of it is wrong' };
  }
}

/** @returns the problem, as far as the format shows it */
function findForeignKind(text: string, network: Network): string | undefined {
  const prefix = /^(ltcmweb|tmweb|ltc|tltc|rltc|bc|tb|bcrt)1/.exec(text.toLowerCase())?.[1];
  if (prefix?.endsWith('mweb'))
    return 'is an MWEB address: the chain hides payments to it, so they cannot be watched';
  if (prefix === 'bc' || prefix === 'tb' || prefix === 'bcrt') return 'is a Bitcoin address';
  if (prefix !== undefined)
    return prefix === ADDRESS_FORMATS[network].bech32 ? undefined : otherNetwork(prefix, network);
  const version = decodeBase58(text)?.[0];
  if (version === BITCOIN_P2PKH) return 'is a Bitcoin address';
  if (version === AMBIGUOUS_P2SH)
    return 'begins with 3, as Bitcoin addresses do: give the form of it that begins with M';
  if (version === undefined) return undefined;
  const isOfTest = TEST_VERSIONS.includes(version);
  return isOfTest === (network === 'main') ? otherNetwork(isOfTest ? 'tltc' : 'ltc', network) : undefined;
}

function otherNetwork(prefix: string, network: Network): string {
  const found = prefix === 'ltc' ? 'main' : prefix === 'tltc' ? 'test' : 'regtest';
  return `is an address of ${NETWORK_NAMES[found]}, but LITECOIN_NETWORK is ${network}`;
}
