/** Texts of the check form, and of its errors. */
import { isolate, pl } from '../ui/polish.ts';

export const CHECK = {
  title: pl`Sprawdź, zanim zapłacisz`,
  label: 'ID, nick albo nazwa serwera',
  button: 'Sprawdź',
  paste: 'Wklej',
  hint: pl`Najlepiej wklej ID, bo nick można podrobić.`,
  empty: pl`Wpisz nick, nazwę albo ID.`,
  tooLong: (max: number, length: number) =>
    pl`To za długie. Zmieści się ${max} znaków, a tu jest ich ${length}.`,
  noId: pl`To nie wygląda na ID. ID ma od 17 do 20 cyfr.`,
  idLength: (digits: number) => pl`To nie jest ID. ID ma od 17 do 20 cyfr, tu jest ${digits}.`,
  invite: pl`Z zaproszenia nie odczytamy ID. Wpisz nazwę serwera.`,
  direct: pl`Ten link prowadzi do prywatnej rozmowy i nie ma w nim ID osoby ani serwera.`,
  link: pl`Z tego linku nie odczytamy, o kogo chodzi. Wklej samo ID albo wpisz nick.`,
  server: pl`Ten link prowadzi na serwer, więc sprawdziliśmy serwer. Osobę sprawdzisz po jej ID.`,
  several: pl`W tym tekście jest kilka ID. Wklej tylko jedno.`,
  cut: pl`Ten tekst był za długi i mógł się urwać w środku ID. Wklej samo ID.`,
  sentence: pl`To wygląda na zdanie. Wpisz sam nick albo ID.`,
  /** One word of a sentence is a nick on the lists. */
  meant: (nick: string) => pl`Szukasz „${isolate(nick)}”?`,
  rounded: pl`To ID mogło stracić ostatnie cyfry, bo jakiś program zapisał je jak liczbę. Skopiuj ID jeszcze raz z aplikacji.`,
  noReport: pl`Nie ma wpisu o tym numerze.`,
  noReportTitle: pl`Nie ma wpisu o tym numerze`,
  live: {
    nothing: pl`Na razie nic. Wpisz całość i naciśnij „Sprawdź”.`,
    failed: pl`Nie udało się sprawdzić. To nie jest wynik sprawdzenia.`,
    again: pl`Sprawdź ponownie`,
    limited: pl`Za dużo zapytań. Spróbuj ponownie za {N} s. To nie jest wynik sprawdzenia.`,
    offline: pl`Brak połączenia z internetem.`,
  },
} as const;

/** For a bad value of the check, which has no default. */
export const badCheckValue = (given: string, parameter: string): string =>
  pl`Nie rozumiemy części adresu: „${parameter}=${isolate(given)}”. Wpisz w pole ID albo nick i sprawdź ponownie.`;
