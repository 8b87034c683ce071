import { pl } from '../ui/polish.ts';

/** Pages of things that went wrong: no colour, no jargon, and never to be taken for an answer. */
export const ERRORS = {
  notFound: {
    title: pl`Nie ma takiej strony`,
    text: pl`Sprawdź, czy adres jest cały. Wpis mógł też zostać usunięty, na przykład po odwołaniu.`,
  },
  rateLimited: {
    title: (seconds: string) => pl`Za dużo zapytań. Spróbuj ponownie za ${seconds} s.`,
    text: pl`Limit liczymy dla adresu IP, a ten w szkole lub u operatora bywa wspólny.`,
    notResult: pl`To nie jest wynik sprawdzenia.`,
    again: pl`Spróbuj ponownie`,
  },
  overloaded: (seconds: string) => pl`Serwis jest przeciążony. Spróbuj ponownie za ${seconds} s.`,
  internal: {
    title: pl`Coś się zepsuło po naszej stronie`,
    text: pl`Błąd podczas pobierania danych. To nie jest wynik sprawdzenia.`,
    incident: (incident: string) => pl`Nr zdarzenia ${incident}`,
    check: 'Sprawdź',
  },
} as const;
