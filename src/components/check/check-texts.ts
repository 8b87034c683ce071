/** The form of the check, and what is wrong with what somebody gave it. */
import { countOf, isolate, pl } from '../ui/polish.ts';
import type { Role } from '../ui/role.ts';

export const CHECK = {
  title: pl`Sprawdź, zanim zapłacisz`,
  label: 'Nick, nazwa serwera albo ID',
  button: 'Sprawdź',
  hint: pl`Najpewniej po ID: nick można zmienić.`,
  whereIsId: pl`Skąd wziąć ID?`,
  legend: {
    title: 'Co oznacza odpowiedź',
    rows: [
      { role: 'stop', text: pl`**Potwierdzone zgłoszenie** – nie płać.` },
      { role: 'warn', text: pl`**Lista ryzyka** – zgłoszenie jeszcze niepotwierdzone, wstrzymaj się.` },
      { role: 'good', text: pl`**Lista zaufanych** – porównaj ID, nick i awatar da się skopiować.` },
      { role: 'none', text: pl`**Brak wpisu** – to nie znaczy, że jest bezpiecznie.` },
    ] satisfies { role: Role; text: string }[],
  },
  empty: pl`Wpisz nick albo ID.`,
  tooLong: (max: number, length: number) => pl`Za długie: najwyżej ${max} znaków, tu jest ${length}.`,
  noId: pl`To nie wygląda na ID: ma ono od 17 do 20 cyfr.`,
  idLength: (digits: number) =>
    pl`To nie jest ID: ma ${countOf(digits, { one: 'cyfrę', few: 'cyfry', many: 'cyfr' })}, ID ma 17–20.`,
  invite: pl`Zaproszenie nie zawiera ID serwera.`,
  direct: pl`Ten link prowadzi do prywatnej rozmowy i nie zawiera ID osoby ani serwera.`,
  link: pl`Z tego linku nie odczytamy, o kogo chodzi. Wklej samo ID albo wpisz nick.`,
  several: pl`W tym tekście jest kilka ID. Wklej tylko jedno.`,
  rounded: pl`To ID wygląda na zaokrąglone: niektóre programy gubią ostatnie cyfry długich liczb. Skopiuj je jeszcze raz u źródła.`,
  noReport: pl`Nie ma wpisu o tym numerze. Mógł zostać usunięty.`,
  live: {
    nothing: pl`Na razie nic podobnego. Dokończ i naciśnij Sprawdź.`,
    wholeId: pl`Na listach jest wpis z tym ID. Naciśnij Sprawdź.`,
    failed: pl`Nie udało się sprawdzić. To nie jest wynik sprawdzenia.`,
    again: pl`Sprawdź ponownie`,
    limited: pl`Za dużo zapytań. Spróbuj ponownie za {N} s. To nie jest wynik sprawdzenia.`,
    offline: pl`Brak połączenia. Poprzedni wynik może być nieaktualny.`,
  },
} as const;

/** For a value of the check, which has nothing to fall back to. */
export const badCheckValue = (given: string, parameter: string): string =>
  pl`Nie znamy wartości „${isolate(given)}” dla „${parameter}”. Wpisz w pole ID albo nick i sprawdź ponownie.`;
