import { ENGLISH_DOCS_PATH } from '#src/paths.ts';
import { COPY } from '../ui/copy-button-texts.ts';
import { pl } from '../ui/polish.ts';

/** In Polish and in English. */
const TEXTS = {
  contents: ['Spis treści', 'Contents'],
  otherLanguage: ['In English', 'Po polsku'],
  copy: [COPY.button, 'Copy'],
  done: [COPY.done, 'Copied'],
  byHand: [COPY.byHand, 'Selected. Copy it by hand.'],
  language: [pl`Język przykładu`, 'Language of the example'],
  parameters: ['Parametry', 'Parameters'],
  fields: ['Pola', 'Fields of'],
} as const;

/** @param path of the page */
export function docsTexts(path: string) {
  const at = path === ENGLISH_DOCS_PATH ? 1 : 0;
  const texts = Object.entries(TEXTS).map(([name, text]) => [name, text[at]]);
  return Object.fromEntries(texts) as Readonly<Record<keyof typeof TEXTS, string>>;
}

/** Only in Polish: the English page has no forms. */
export const TRY_IT = {
  send: pl`Wyślij zapytanie`,
  answer: pl`Odpowiedź`,
  tried: {
    waiting: pl`Wysyłamy zapytanie…`,
    failed: pl`Zapytanie się nie udało.`,
    cut: pl`… dalszą część pominięto`,
  },
} as const;
