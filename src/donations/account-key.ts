/** Addresses from the public half of the operator's account key (BIP84, m/84'/2'/0'), which cannot spend. */
import { createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { p2wpkh } from '@scure/btc-signer';
import { ADDRESS_FORMATS, type Network } from './litecoin-network.ts';

export interface AccountKey {
  /** The key cannot be derived from it. */
  readonly keyId: string;
  /** At this index of the external chain; the script in hex. */
  derive(index: number): { readonly address: string; readonly script: string };
}

/** SLIP-132 and the wallets of Litecoin: zpub, xpub and Ltub; on test networks vpub, tpub and ttub. */
const MAIN_VERSIONS = [0x04b24746, 0x0488b21e, 0x019da462];
const TEST_VERSIONS = [0x045f1cf6, 0x043587cf, 0x0436f6e1];
const ACCOUNT_DEPTH = 3;
const HARDENED_FROM = 0x8000_0000;
const EXTERNAL_CHAIN = 0;

/** @param text no private key, which the settings refuse @returns a problem for the operator, without the key */
export function parseAccountKey(text: string, network: Network) {
  const refuse = (problem: string) => ({ ok: false as const, problem });
  const account = decode(text, network === 'main' ? MAIN_VERSIONS : TEST_VERSIONS);
  if (!account?.publicKey || !account.chainCode) {
    const kinds = network === 'main' ? 'zpub, xpub or Ltub' : 'vpub, tpub or ttub';
    return refuse(`is no ${kinds}, as LITECOIN_NETWORK=${network} wants, or a letter of it is wrong`);
  }
  if (account.depth !== ACCOUNT_DEPTH || account.index < HARDENED_FROM)
    return refuse(`is not the key of an account (m/84'/2'/0'): its depth is ${account.depth}`);
  const external = account.deriveChild(EXTERNAL_CHAIN);
  const keyId = createHash('sha256').update(account.publicKey).update(account.chainCode).digest('hex');
  return {
    ok: true as const,
    key: {
      keyId: keyId.slice(0, 16),
      derive(index: number) {
        const child = external.deriveChild(index).publicKey;
        if (!child) throw new Error(`no key at index ${index}`);
        const { address, script } = p2wpkh(child, ADDRESS_FORMATS[network]);
        if (address === undefined) throw new Error(`no address at index ${index}`);
        return { address, script: Buffer.from(script).toString('hex') };
      },
    },
  };
}

/** @returns undefined for an invalid key, and for one of another version, such as a private one */
function decode(text: string, versions: readonly number[]): HDKey | undefined {
  for (const version of versions)
    try {
      return HDKey.fromExtendedKey(text, { public: version, private: 0 });
    } catch {
      // It may have the next version.
    }
  return undefined;
}
