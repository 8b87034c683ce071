import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitQuery } from '#src/text/read-query.ts';

describe('splitQuery', () => {
  it('splits as URLSearchParams does', () => {
    const pieces = fc.constantFrom(
      '&',
      '=',
      '?',
      '+',
      '%',
      '%20',
      '%C5%BC',
      '%E0',
      '#',
      ' ',
      'id',
      '0',
      '\u00ff',
      ';',
    );
    const queries = fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 12 });
    fc.assert(
      fc.property(queries, (parts) => {
        const raw = parts.join('');
        expect([...splitQuery(raw)]).toEqual([...new URLSearchParams(raw)]);
      }),
      { numRuns: 5_000 },
    );
  });
});
