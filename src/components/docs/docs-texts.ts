import { pl } from '../ui/polish.ts';

export const DOCS = {
  description: pl`Listy i sprawdzanie jako JSON: bez klucza i bez logowania, z dowolnej domeny.`,
  detailsDescription: pl`Znaczenie pól odpowiedzi API, lista błędów, limity, własna kopia list i historia zmian.`,
  contents: 'Spis treści',
  copy: 'Kopiuj',
  language: pl`Język przykładu`,
  tryIt: 'Wypróbuj',
  answer: pl`Odpowiedź`,
  waiting: pl`Pytamy…`,
  failed: pl`Nie udało się zapytać. To nie jest odpowiedź.`,
  cut: pl`… dalej ucięto`,
} as const;
