import { describe, expect, it } from 'vitest';
import { bitsOf, chunkName, parseChunkName, rangeOf } from '#src/entries/snapshots/chunk-name.ts';

const SHA = 'ab'.repeat(32);

describe('names of chunks', () => {
  it.each(['', '0', '1', '0110', '10'.repeat(20)])('come back from their text: %s', (prefix) => {
    expect(parseChunkName(chunkName(prefix, SHA))).toEqual({ prefix, sha256: SHA });
  });

  it.each([
    '',
    'manifest.json',
    `all-${SHA}`,
    `all-${SHA}.json.br`,
    `2-${SHA}.json`,
    `-${SHA}.json`,
    `all-${SHA.slice(1)}.json`,
    `all-${SHA.toUpperCase()}.json`,
    `../all-${SHA}.json`,
    `all-${SHA}.json\n`,
    `${'0'.repeat(97)}-${SHA}.json`,
  ])('are not read from %j', (name) => {
    expect(parseChunkName(name)).toBeUndefined();
  });
});

describe('bits', () => {
  it('are those of the hexadecimal digits, zeros in front too', () => {
    expect(bitsOf('00f1')).toBe('0000000011110001');
    expect(bitsOf('8000')).toBe('1000000000000000');
  });

  it.each([
    ['', '', 'g'],
    ['0', '0', '8'],
    ['1', '8', 'g'],
    ['01', '4', '8'],
    ['0111', '7', '8'],
    ['11111', 'f8', 'g'],
    ['00001', '08', '1'],
  ])('%s: a range from %s to before %s', (prefix, from, to) => {
    expect(rangeOf(prefix)).toEqual({ from, to });
  });

  it('divide all that there is without a gap: an _id is in the range of its bits and of no others', () => {
    for (const id of ['0', '07', '08', '7f', '80', 'c3', 'ff'].map((start) => start.padEnd(24, '5'))) {
      for (const length of [0, 1, 3, 4, 5, 8]) {
        const prefixes = Array.from({ length: 2 ** length }, (_, index) =>
          length === 0 ? '' : index.toString(2).padStart(length, '0'),
        );
        const holding = prefixes.filter((prefix) => {
          const { from, to } = rangeOf(prefix);
          return id >= from && id < to;
        });
        expect(holding).toEqual([bitsOf(id).slice(0, length)]);
      }
    }
  });
});
