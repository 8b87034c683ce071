import { pl } from '../ui/polish.ts';

/** Texts of the error pages: no colour, no jargon, and nothing that reads like an answer. */
export const ERRORS = {
  notResult: pl`To nie jest wynik sprawdzenia.`,
  again: pl`Spróbuj ponownie`,
  status: pl`Zobacz, co teraz działa`,
  notFound: {
    title: pl`Nie ma takiej strony`,
    text: pl`Sprawdź, czy adres jest cały. Wpis mógł też zostać usunięty, na przykład po odwołaniu.`,
  },
  rateLimited: {
    title: pl`Za dużo zapytań`,
    text: (seconds: string) =>
      pl`Spróbuj ponownie za ${seconds} s. W szkole i w sieci komórkowej wiele osób ma wspólny adres, więc i wspólny limit.`,
  },
  overloaded: {
    title: pl`Serwis jest przeciążony`,
    text: (seconds: string) => pl`Za dużo osób korzysta naraz z Czujki. Spróbuj ponownie za ${seconds} s.`,
  },
  internal: {
    title: pl`Coś się zepsuło po naszej stronie`,
    text: pl`Nie udało się wczytać tej strony. Spróbuj ponownie za kilka minut.`,
    incident: (incident: string) => pl`Kod błędu: ${incident}`,
    contact: pl`Błąd się powtarza? Napisz do nas i podaj ten kod:`,
  },
} as const;
