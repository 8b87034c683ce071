/** The address and key formats of Litecoin Core's networks (its src/chainparams.cpp). */
import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';

export const NETWORKS = ['main', 'test', 'regtest'] as const;
export type Network = (typeof NETWORKS)[number];

export interface AddressFormat {
  readonly bech32: string;
  readonly pubKeyHash: number;
  readonly scriptHash: number;
  readonly wif: number;
}

export const ADDRESS_FORMATS: Readonly<Record<Network, AddressFormat>> = {
  main: { bech32: 'ltc', pubKeyHash: 48, scriptHash: 50, wif: 176 },
  test: { bech32: 'tltc', pubKeyHash: 111, scriptHash: 58, wif: 239 },
  regtest: { bech32: 'rltc', pubKeyHash: 111, scriptHash: 58, wif: 239 },
};

const base58check = createBase58check((bytes: Uint8Array) =>
  Uint8Array.from(createHash('sha256').update(bytes).digest()),
);

/** @returns undefined for an invalid text or checksum */
export function decodeBase58(text: string): Uint8Array | undefined {
  try {
    return base58check.decode(text);
  } catch {
    return undefined;
  }
}
