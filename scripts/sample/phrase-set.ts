import type { FactSources, Phrase } from './phrase.ts';

/** One kind of case with the sentences that fit it, so that a text does not contradict itself. */
export interface PhraseTheme extends FactSources {
  openings: readonly Phrase[];
  details: readonly Phrase[];
  quotes: readonly Phrase[];
  /** In the order of events: a text takes some of them and keeps the order. */
  steps: readonly Phrase[];
  /** Lines of a code block, a conversation or a technical trace, in order too. */
  messages: readonly Phrase[];
  proofTexts: readonly Phrase[];
  proofCaptions: readonly Phrase[];
}

/** Everything that the reasons of one list are composed of. */
export interface PhraseSet {
  themes: readonly PhraseTheme[];
  /** Sentences that fit every theme of the list. */
  details: readonly Phrase[];
  closings: readonly Phrase[];
  /** Whole reasons of one or two words. */
  words: readonly string[];
  headings: readonly string[];
  /** Heading of a further case in a long text. */
  nextCaseHeading: string;
  bulletIntros: readonly Phrase[];
  bullets: readonly Phrase[];
  stepIntros: readonly Phrase[];
  quoteIntros: readonly Phrase[];
  tableHead: string;
  tableRows: readonly Phrase[];
}
