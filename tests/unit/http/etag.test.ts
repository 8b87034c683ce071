import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesEtag, strongEtag } from '#src/http/etag.ts';

describe('strongEtag', () => {
  it('is quoted, strong, and of characters that a list of tags does not use', () => {
    expect(strongEtag('{"data":[]}')).toMatch(/^"[\w-]{22}"$/);
  });

  it('is the same for the same bytes, however they are held', () => {
    const text = 'Zażółć gęślą jaźń 🦊';
    expect(strongEtag(text)).toBe(strongEtag(text));
    expect(strongEtag(Buffer.from(text, 'utf8'))).toBe(strongEtag(text));
    expect(strongEtag(new TextEncoder().encode(text))).toBe(strongEtag(text));
  });

  it('differs for different bodies (property)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        expect(strongEtag(one) === strongEtag(other)).toBe(one === other);
      }),
    );
  });

  it('tells an empty body from a missing one character', () => {
    expect(strongEtag('')).not.toBe(strongEtag('\0'));
  });
});

describe('matchesEtag', () => {
  const etag = '"abc_-123"';

  it.each([
    ['the tag itself', '"abc_-123"'],
    ['its weak form', 'W/"abc_-123"'],
    ['a list that holds it', '"x", "abc_-123", "y"'],
    ['a list without spaces', '"x","abc_-123"'],
    ['a list with its weak form', 'W/"x",  W/"abc_-123"'],
    ['empty list members', ', ,"abc_-123",'],
    ['any tag', '*'],
    ['any tag with white space', ' * '],
    ['tabs around it', '\t"abc_-123"\t'],
  ])('matches %s', (_name, value) => {
    expect(matchesEtag(value, etag)).toBe(true);
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another tag', '"abc"'],
    ['the tag without quotes', 'abc_-123'],
    ['half the quotes', '"abc_-123'],
    ['another case', '"ABC_-123"'],
    ['a lower-case w', 'w/"abc_-123"'],
    ['W/ twice', 'W/W/"abc_-123"'],
    ['a longer tag that begins with it', '"abc_-1234"'],
    ['the star as one of many', '"x", *'],
    ['a quoted star', '"*"'],
    ['garbage', '\u0000ÿ'],
  ])('does not match %s', (_name, value) => {
    expect(matchesEtag(value, etag)).toBe(false);
  });
});
