import { ENGLISH_DOCS_PATH } from '#src/paths.ts';
import { COPY } from '../ui/copy-button-texts.ts';
import { pl } from '../ui/polish.ts';

export const DOCS = {
  contents: 'Spis treści',
  otherLanguage: 'In English',
  copy: COPY.button,
  done: COPY.done,
  byHand: COPY.byHand,
  whole: pl`Pokaż całość`,
  language: pl`Język przykładu`,
  parameters: 'Parametry',
  fields: 'Pola',
  send: pl`Wyślij zapytanie`,
  answer: pl`Odpowiedź`,
  tried: {
    waiting: pl`Wysyłamy zapytanie…`,
    failed: pl`Zapytanie się nie udało.`,
    cut: pl`… dalszą część pominięto`,
  },
} as const;

const ENGLISH = {
  contents: 'Contents',
  otherLanguage: 'Po polsku',
  copy: 'Copy',
  done: 'Copied',
  byHand: 'Selected. Copy it by hand.',
  whole: 'Show all',
  language: 'Language of the sample',
  parameters: 'Parameters',
  fields: 'Fields of',
};

/** @param path of the page */
export function docsTexts(path: string) {
  return path === ENGLISH_DOCS_PATH ? ENGLISH : DOCS;
}
