import { Address, OutScript } from '@scure/btc-signer';
import { ADDRESS_FORMATS, type Network } from './litecoin-network.ts';

/** @returns the canonical form and the hexadecimal script; a problem for the operator when the network cannot use it */
export function parseLitecoinAddress(text: string, network: Network) {
  const coder = Address(ADDRESS_FORMATS[network]);
  try {
    const decoded = coder.decode(text);
    return {
      ok: true as const,
      address: coder.encode(decoded),
      script: Buffer.from(OutScript.encode(decoded)).toString('hex'),
    };
  } catch {
    // The chain hides payments to MWEB addresses; Litecoin's old 3… addresses look like Bitcoin's.
    return {
      ok: false as const,
      problem: `is no address that can be watched with LITECOIN_NETWORK=${network} (not of Bitcoin, MWEB or 3…), or a letter of it is wrong`,
    };
  }
}
