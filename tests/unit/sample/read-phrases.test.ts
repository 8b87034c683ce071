import { describe, expect, it } from 'vitest';
import { drawFacts } from '../../../scripts/sample/phrase.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { readPhraseSet } from '../../../scripts/sample/read-phrases.ts';

const lines = { openings: ['o'], details: ['d'], quotes: ['q'], steps: ['s'], messages: ['m'] };
const theme = { share: 1, proofs: 'plain', ...lines };
const file = {
  proofs: { plain: { proofTexts: ['text'], proofCaptions: ['caption'] } },
  themes: { first: { ...theme, share: 2, items: 'accounts' }, second: { ...theme, messages: 'first' } },
  details: [],
  closings: [],
  words: [],
  headings: [],
  nextCaseHeading: '',
  bulletIntros: [],
  bullets: [],
  stepIntros: [],
  quoteIntros: [],
  tableHead: '',
  tableRows: [],
};

describe('readPhraseSet', () => {
  it('holds a theme as often as its share says, with the proofs and messages that it names', () => {
    const [first, again, second, ...others] = readPhraseSet(file).themes;
    expect(again).toBe(first);
    expect(others).toEqual([]);
    expect(second?.messages).toBe(first?.messages);
    const random = new Random(1);
    const facts = drawFacts(random, { createdMs: 0, reportedMs: 0 }, {});
    expect(first?.proofCaptions.map((phrase) => phrase(facts, random))).toEqual(['caption']);
    expect(first?.items?.[0]?.nom).toBe('konto z wysoką rangą');
  });

  it.each([
    ['proofs that are not there', { ...theme, proofs: 'none' }, 'no proofs named none'],
    ['messages that no theme has', { ...theme, messages: 'none' }, 'messages that no other theme has'],
    ['nouns that are not there', { ...theme, items: 'none' }, 'items'],
    ['a slot that is not there', { ...theme, quotes: ['{amuont}'] }, '{amuont}'],
    ['a field that nobody reads', { ...theme, quote: [] }, 'quote'],
  ])('refuses %s', (_name, wrong, problem) => {
    expect(() => readPhraseSet({ ...file, themes: { wrong } })).toThrow(problem);
  });
});
