import { Address, OutScript } from '@scure/btc-signer';
import { ADDRESS_FORMATS, type Network } from './litecoin-network.ts';

export type ParsedAddress =
  | {
      readonly ok: true;
      /** In its canonical form. */
      readonly address: string;
      /** Script of the outputs, in hex. */
      readonly script: string;
    }
  | { readonly ok: false; readonly problem: string };

/** @returns a problem for the operator when the address cannot be used on this network */
export function parseLitecoinAddress(text: string, network: Network): ParsedAddress {
  const coder = Address(ADDRESS_FORMATS[network]);
  try {
    const decoded = coder.decode(text);
    return {
      ok: true,
      address: coder.encode(decoded),
      script: Buffer.from(OutScript.encode(decoded)).toString('hex'),
    };
  } catch {
    // The chain hides payments to MWEB addresses; Litecoin's old 3… addresses look like Bitcoin's.
    return {
      ok: false,
      problem: `is no address that can be watched with LITECOIN_NETWORK=${network} (not of Bitcoin, MWEB or 3…), or a letter of it is wrong`,
    };
  }
}
