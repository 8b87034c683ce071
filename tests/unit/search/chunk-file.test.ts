import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildChunk } from '#src/entries/search/build-chunk.ts';
import { eraseFromChunk, openSearchChunk, writeChunk } from '#src/entries/search/chunk-file.ts';
import type { SearchChunk } from '#src/entries/search/chunk-file.ts';
import { BITMAP_WORDS, CHUNK_ROWS, joinFields, listPlaces, setBit } from '#src/entries/search/grams.ts';
import type { FoldedTexts } from '#src/entries/search/grams.ts';
import { createRandom } from '../../../scripts/bench/questions.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const EVERYWHERE = new Uint32Array(BITMAP_WORDS).fill(0xffffffff);
/** So many that what they share is common: the index then holds longer grams too. */
const ROWS = 9_000;
const SHARED = 'oszustwo na platformie, ';
const WORDS = [
  'konto',
  'kont',
  'ą',
  '😀',
  '😃',
  '%',
  '_',
  '"',
  '*',
  '\0',
  'щит',
  'aaaa',
  ' ',
  "'",
  '\\',
  'nie',
];

function write(fields: readonly (FoldedTexts | undefined)[], path = join(makeFolder(), 'chunk')): string {
  const build = buildChunk(fields.map((each) => each && joinFields(each)));
  let step = build.next();
  while (!step.done) step = build.next();
  writeChunk(path, step.value);
  return path;
}

function find(chunk: SearchChunk, text: string, allowed = EVERYWHERE): number[] {
  const needle = Buffer.from(text);
  const candidates = chunk.listCandidates(needle, allowed);
  if (!candidates) return [];
  const { places, areExact } = candidates;
  return [...listPlaces(areExact ? places : chunk.verify(places, needle, () => {}))];
}

function findNaively(fields: readonly (FoldedTexts | undefined)[], text: string): number[] {
  return fields.flatMap((each, place) =>
    each && [each.name, each.chatId, each.reason].some((field) => field.includes(text)) ? [place] : [],
  );
}

describe('a chunk of the search index', () => {
  const fields: (FoldedTexts | undefined)[] = [];
  let path: string;
  let chunk: SearchChunk;

  beforeAll(() => {
    const random = createRandom(5);
    const words = (count: number): string =>
      Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join('');
    for (let row = 0; row < ROWS; row += 1) {
      const isMissing = random() < 0.05;
      const reason = (random() < 0.7 ? SHARED : '') + words(Math.floor(random() * 12));
      fields.push(isMissing ? undefined : { name: words(2), chatId: String(row * 7), reason });
    }
    // The very last place, and an entry with nothing to find.
    fields[CHUNK_ROWS - 1] = { name: 'ostatni', chatId: '1', reason: '' };
    fields[CHUNK_ROWS - 2] = { name: '', chatId: '', reason: '' };
    path = write(Array.from(fields));
    chunk = openSearchChunk(path);
  });

  it('finds what a look into every text finds', () => {
    const piece = fc
      .tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 30 }), fc.constantFrom('name', 'chatId', 'reason'))
      .map(([which, from, length, field]) => {
        const letters = [...(fields[which % ROWS]?.[field as 'name'] ?? '')];
        return letters
          .slice(from % (letters.length + 1))
          .slice(0, length)
          .join('');
      });
    const made = fc.array(fc.constantFrom(...WORDS, 'o', 'k', '7', SHARED), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.oneof(
          piece,
          made.map((parts) => parts.join('')),
        ),
        (text) => {
          if (text !== '') expect(find(chunk, text), JSON.stringify(text)).toEqual(findNaively(fields, text));
        },
      ),
      { numRuns: 400, seed: 3 },
    );
  });

  it('finds nothing across two fields', () => {
    const small = openSearchChunk(write([{ name: 'abc', chatId: 'def', reason: 'ghi' }]));
    for (const text of ['cd', 'abcdef', 'fg', 'bcde', '\u00ff']) expect(find(small, text)).toEqual([]);
    for (const text of ['c', 'abc', 'de', 'ghi']) expect(find(small, text)).toEqual([0]);
  });

  it('looks only where it is allowed to', () => {
    const allowed = new Uint32Array(BITMAP_WORDS);
    const all = findNaively(fields, SHARED);
    for (const place of all.slice(0, 10)) setBit(allowed, place);
    expect(find(chunk, SHARED, allowed)).toEqual(all.slice(0, 10));
    expect(find(chunk, 'kontoą', allowed)).toEqual(
      findNaively(fields, 'kontoą').filter((place) => all.slice(0, 10).includes(place)),
    );
  });

  it('ends a search that nobody waits for', () => {
    const needle = Buffer.from('kontokonto');
    const places = chunk.listCandidates(needle, EVERYWHERE)?.places ?? EVERYWHERE;
    const end = (): never => {
      throw new Error('nobody waits');
    };
    expect(() => chunk.verify(places, needle, end)).toThrow('nobody waits');
  });

  it('may be empty', () => {
    expect(find(openSearchChunk(write([])), 'a')).toEqual([]);
  });

  it('refuses a file that is cut off or something else', () => {
    const cut = write([{ name: 'abc', chatId: 'def', reason: 'ghi' }]);
    truncateSync(cut, readFileSync(cut).length - 1);
    expect(() => openSearchChunk(cut)).toThrow('cut off');
    truncateSync(cut, 8);
    expect(() => openSearchChunk(cut)).toThrow();
  });

  it('erases a text and its grams, and nothing else', () => {
    const marked = Array.from(fields);
    marked[100] = { name: 'MARKERimie', chatId: 'MARKERid', reason: `${SHARED}MARKERpowod` };
    marked[101] = { name: 'zmieniony', chatId: 'ZMIENIONY', reason: 'ZMIENIONY' };
    const copy = write(marked);
    expect(readFileSync(copy).includes('MARKERimie')).toBe(true);
    const before = openSearchChunk(copy);
    expect(find(before, 'MARKERid')).toEqual([100]);
    const whatOf = (place: number) => (place === 100 ? 'all' : place === 101 ? 'text' : 'nothing');
    expect(eraseFromChunk(copy, whatOf)).toBe(2);
    expect(eraseFromChunk(copy, whatOf)).toBe(0);
    const bytes = readFileSync(copy);
    for (const text of ['MARKER', 'ZMIENIONY']) expect(bytes.includes(text)).toBe(false);
    const rest = marked.map((each, place) => (place === 100 ? undefined : each));
    // Also for a search that had the file open before, and for grams that only the erased entry had.
    for (const opened of [before, openSearchChunk(copy)]) {
      for (const text of ['MAR', 'KER', 'M', 'o', SHARED, 'kontokont', 'na platformie']) {
        expect(find(opened, text), text).toEqual(findNaively(rest, text));
      }
    }
  });
});
