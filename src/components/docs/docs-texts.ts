import { pl } from '../ui/polish.ts';

export const DOCS = {
  contents: 'Spis treści',
  anchor: pl`Link do tego miejsca`,
  copy: 'Kopiuj',
  language: pl`Język przykładu`,
  parameters: 'Parametry i szczegóły',
  more: 'Szczegóły',
  fields: 'Pola odpowiedzi',
  example: pl`Przykład odpowiedzi`,
  tryIt: 'Wypróbuj',
  send: pl`Wyślij zapytanie`,
  answer: pl`Odpowiedź`,
  waiting: pl`Wysyłamy zapytanie…`,
  failed: pl`Zapytanie się nie udało.`,
  cut: pl`… dalszą część pominięto`,
} as const;
