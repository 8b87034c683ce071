/**
 * Addresses from the public half of the operator's account key (BIP84, m/84'/2'/0'), with which an intruder cannot
 * spend.
 */
import { createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { p2wpkh } from '@scure/btc-signer';
import { ADDRESS_FORMATS, decodeBase58, type Network } from './litecoin-network.ts';

export interface AccountKey {
  /** The key cannot be derived from it. */
  readonly keyId: string;
  /** At this index of the external chain; the script in hex. */
  derive(index: number): { readonly address: string; readonly script: string };
}

export type ParsedAccountKey =
  { readonly ok: true; readonly key: AccountKey } | { readonly ok: false; readonly problem: string };

interface KeyVersion {
  readonly name: string;
  readonly kind: 'main' | 'test' | 'private' | 'wrapped';
}

/** SLIP-132 and the wallets of Litecoin. */
const VERSIONS: Readonly<Record<number, KeyVersion>> = {
  0x0488b21e: { name: 'xpub', kind: 'main' },
  0x04b24746: { name: 'zpub', kind: 'main' },
  0x019da462: { name: 'Ltub', kind: 'main' },
  0x043587cf: { name: 'tpub', kind: 'test' },
  0x045f1cf6: { name: 'vpub', kind: 'test' },
  0x0436f6e1: { name: 'ttub', kind: 'test' },
  0x0488ade4: { name: 'xprv', kind: 'private' },
  0x04b2430c: { name: 'zprv', kind: 'private' },
  0x019d9cfe: { name: 'Ltpv', kind: 'private' },
  0x04358394: { name: 'tprv', kind: 'private' },
  0x045f18bc: { name: 'vprv', kind: 'private' },
  0x0436ef7d: { name: 'ttpv', kind: 'private' },
  0x049d7cb2: { name: 'ypub', kind: 'wrapped' },
  0x01b26ef6: { name: 'Mtub', kind: 'wrapped' },
  0x044a5262: { name: 'upub', kind: 'wrapped' },
};
const KEY_BYTES = 78;
const ACCOUNT_DEPTH = 3;
const HARDENED_FROM = 0x8000_0000;
const EXTERNAL_CHAIN = 0;

/** @returns a problem for the operator, without the key */
export function parseAccountKey(text: string, network: Network): ParsedAccountKey {
  const bytes = decodeBase58(text);
  if (bytes?.length !== KEY_BYTES) return refuse('is no extended key, or a letter of it is wrong');
  const version = Buffer.from(bytes).readUInt32BE(0);
  const known = VERSIONS[version];
  if (known?.kind === 'private')
    return refuse(`is a private key (${known.name}): take it off this machine and give the public key`);
  if (known?.kind === 'wrapped')
    return refuse(`is a ${known.name}, whose addresses begin with M: give a zpub`);
  if (!known) return refuse('is an extended key of a kind that Litecoin does not have');
  const isOfTest = known.kind === 'test';
  if (isOfTest === (network === 'main'))
    return refuse(`is a ${known.name}, but LITECOIN_NETWORK is ${network}`);
  return readKey(text, version, network);
}

function readKey(text: string, version: number, network: Network): ParsedAccountKey {
  let account: HDKey;
  try {
    account = HDKey.fromExtendedKey(text, { public: version, private: 0 });
  } catch {
    return refuse('holds no point of the curve');
  }
  const { publicKey, chainCode } = account;
  if (account.depth !== ACCOUNT_DEPTH || account.index < HARDENED_FROM || !publicKey || !chainCode)
    return refuse(`is not the key of an account (m/84'/2'/0'): its depth is ${account.depth}`);
  const external = account.deriveChild(EXTERNAL_CHAIN);
  const keyId = createHash('sha256').update(publicKey).update(chainCode).digest('hex').slice(0, 16);
  return {
    ok: true,
    key: {
      keyId,
      derive(index) {
        const child = external.deriveChild(index).publicKey;
        if (!child) throw new Error(`no key at index ${index}`);
        const { address, script } = p2wpkh(child, ADDRESS_FORMATS[network]);
        if (address === undefined) throw new Error(`no address at index ${index}`);
        return { address, script: Buffer.from(script).toString('hex') };
      },
    },
  };
}

function refuse(problem: string): ParsedAccountKey {
  return { ok: false, problem };
}
