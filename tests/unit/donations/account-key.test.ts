import { HDKey } from '@scure/bip32';
import { expect, it } from 'vitest';
import { parseAccountKey } from '#src/donations/account-key.ts';

/** BIP84's own test vector; the keys are the same whatever coin the path names. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const FIRST_SCRIPTS = [
  '0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2',
  '00149c90f934ea51fa0f6504177043e0908da6929983',
];

const SEED = new Uint8Array(32).fill(7);
const MASTER = HDKey.fromMasterSeed(SEED);

/** @param version the bytes that the written key begins with */
const keyAt = (path: string, version: number): string =>
  HDKey.fromMasterSeed(SEED, { public: version, private: 0 }).derive(path).publicExtendedKey;

function problemOf(key: string, network: 'main' | 'regtest' = 'main'): string {
  const parsed = parseAccountKey(key, network);
  return parsed.ok ? 'taken' : parsed.problem;
}

it('gives the addresses of BIP84, written as Litecoin writes them', () => {
  const parsed = parseAccountKey(ZPUB, 'main');
  if (!parsed.ok) throw new Error(parsed.problem);
  for (const [index, script] of FIRST_SCRIPTS.entries()) {
    const derived = parsed.key.derive(index);
    expect(derived.script).toBe(script);
    expect(derived.address).toMatch(/^ltc1q/);
  }
});

it.each([
  ['xpub', 0x0488b21e],
  ['zpub', 0x04b24746],
  ['Ltub', 0x019da462],
])('is the same key written as %s', (_name, version) => {
  const parsed = parseAccountKey(keyAt("m/84'/2'/0'", version), 'main');
  const plain = parseAccountKey(MASTER.derive("m/84'/2'/0'").publicExtendedKey, 'main');
  if (!parsed.ok || !plain.ok) throw new Error('refused');
  expect(parsed.key.keyId).toBe(plain.key.keyId);
  expect(parsed.key.derive(7)).toEqual(plain.key.derive(7));
});

it('is refused with the reason, which never repeats it', () => {
  const account = MASTER.derive("m/84'/2'/0'");
  const wrong: [string, RegExp][] = [
    [account.privateExtendedKey, /is no zpub/],
    [ZPUB.replace('zpub6r', 'zpub6s'), /or a letter of it is wrong/],
    ['', /is no zpub/],
    [MASTER.publicExtendedKey, /not the key of an account.*depth is 0/],
    [account.deriveChild(0).publicExtendedKey, /depth is 4/],
    [MASTER.derive("m/84'/2'/0").publicExtendedKey, /not the key of an account/],
    [keyAt("m/84'/1'/0'", 0x043587cf), /is no zpub.* as LITECOIN_NETWORK=main wants/],
    // An Mtub, whose addresses are of another kind.
    [keyAt("m/49'/2'/0'", 0x01b26ef6), /is no zpub/],
  ];
  for (const [key, reason] of wrong) {
    expect(problemOf(key)).toMatch(reason);
    if (key) expect(problemOf(key)).not.toContain(key);
  }
  expect(problemOf(ZPUB, 'regtest')).toMatch(/is no vpub, tpub or ttub/);
});
