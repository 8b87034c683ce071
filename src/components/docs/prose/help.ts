import { pl } from '../../ui/polish.ts';
import type { ProsePage } from './block.ts';
import type { OperatorFacts } from './contact.ts';

export const helpPage = (operator: OperatorFacts): ProsePage => ({
  title: 'Pomoc',
  lead: pl`Co zrobić, gdy pieniądze już wysłano, skąd wziąć ID i jak sprawdzać.`,
  blocks: [
    { heading: pl`Pieniądze już wysłane`, id: 'po-wplacie' },
    {
      steps: [
        pl`Zadzwoń do banku i poproś o wstrzymanie lub reklamację (przelew, BLIK, karta).`,
        pl`Nie usuwaj rozmowy, zrób zrzuty z ID i datą.`,
        pl`Zawiadom policję i podaj nr zgłoszenia z Czujki.`,
        pl`Fałszywa strona lub SMS: [incydent.cert.pl](https://incydent.cert.pl).`,
        operator.platformName === undefined
          ? pl`Zgłoś konto na platformie, na której doszło do rozmowy, i [tutaj](/zglos).`
          : pl`Zgłoś konto na platformie ${operator.platformName} i [tutaj](/zglos).`,
      ],
    },
    pl`Hasło albo kod logowania już podane? Zmień hasło i wyloguj wszystkie urządzenia. Kto obiecuje odzyskanie pieniędzy za opłatą z góry, chce kolejnej wpłaty.`,
    { heading: pl`Skąd wziąć ID`, id: 'skad-id' },
    {
      steps: [
        pl`W ustawieniach swojego konta, wśród opcji zaawansowanych, włącz tryb dewelopera.`,
        pl`Przytrzymaj nick osoby albo nazwę serwera, a na komputerze kliknij prawym przyciskiem myszy.`,
        pl`Wybierz kopiowanie ID i wklej je w pole [sprawdzania](/). ID ma od 17 do 20 cyfr.`,
      ],
    },
    pl`Nazwy w menu zależą od wersji aplikacji. Zamiast ID możesz wkleić wzmiankę albo link do profilu, kanału lub serwera: ID odczytamy sami. Zaproszenie na serwer nie zawiera jego ID.`,
    { heading: pl`Dlaczego ID, a nie nick` },
    pl`Nick można zmienić albo skopiować w minutę, razem z awatarem. ID zostaje z kontem na zawsze i nie da się go powtórzyć. Dlatego tylko sprawdzenie po ID mówi coś o tym jednym koncie.`,
    { heading: pl`Zanim zapłacisz` },
    {
      list: [
        pl`Sprawdź ID sprzedającego, a potem także ID pośrednika.`,
        pl`Ustal cenę i warunki na piśmie, w rozmowie, której nie da się usunąć po cichu.`,
        pl`Nie płać kodem BLIK ani kartą podarunkową komuś, kogo nie znasz.`,
        pl`Nie loguj się przez linki z rozmowy i nie skanuj z niej kodów QR.`,
        pl`Pośpiech, zmiana konta w ostatniej chwili albo prośba o usunięcie rozmowy to powód, żeby przerwać.`,
      ],
    },
    { heading: pl`Wpis jest o mnie` },
    pl`Przejdź do [odwołań](/odwolania). Potrzebny będzie nr zgłoszenia ze strony wpisu.`,
  ],
});
