/** The address formats of Litecoin Core's networks (its src/chainparams.cpp). */
export const NETWORKS = ['main', 'test', 'regtest'] as const;
export type Network = (typeof NETWORKS)[number];

export const ADDRESS_FORMATS = {
  main: { bech32: 'ltc', pubKeyHash: 48, scriptHash: 50, wif: 176 },
  test: { bech32: 'tltc', pubKeyHash: 111, scriptHash: 58, wif: 239 },
  regtest: { bech32: 'rltc', pubKeyHash: 111, scriptHash: 58, wif: 239 },
} as const satisfies Record<Network, object>;
