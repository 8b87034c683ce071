import { describe, expect, it } from 'vitest';
import { CHUNK_NAME, digitsOf } from '#src/entries/snapshots/chunk-files.ts';

const SHA = 'ab'.repeat(32);

describe('names of chunks', () => {
  it.each(['', '0', '01', '110', 'c3f'])('say which digits the `_id`s begin with: %s', (digits) => {
    const name = `h${digits}-${SHA}.json`;
    expect(CHUNK_NAME.test(name)).toBe(true);
    expect(digitsOf(name)).toBe(digits);
    expect(digitsOf(`/snapshots/scammers/${name}`)).toBe(digits);
  });

  it.each(['all', '0', '01', '110'])('are never taken for those of earlier versions: %s', (bits) => {
    const name = `${bits}-${SHA}.json`;
    expect(CHUNK_NAME.test(name)).toBe(true);
    expect(digitsOf(name)).toBeUndefined();
  });

  it.each([
    '',
    'manifest.json',
    `h0-${SHA}`,
    `h0-${SHA}.json.br`,
    `-${SHA}.json`,
    `h0-${SHA.slice(1)}.json`,
    `h0-${SHA.toUpperCase()}.json`,
    `../h0-${SHA}.json`,
    `h0-${SHA}.json\n`,
    `${'0'.repeat(97)}-${SHA}.json`,
  ])('are not read from %j', (name) => {
    expect(CHUNK_NAME.test(name)).toBe(false);
  });
});
