import { pl } from '../ui/polish.ts';

export const DOCS = {
  contents: 'Spis treści',
  copy: 'Kopiuj',
  language: pl`Język przykładu`,
  tryIt: 'Wypróbuj',
  answer: pl`Odpowiedź`,
  waiting: pl`Pytamy…`,
  failed: pl`Nie udało się zapytać. To nie jest odpowiedź.`,
  cut: pl`… dalej ucięto`,
} as const;
