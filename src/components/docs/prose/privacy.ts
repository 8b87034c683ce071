import { pl } from '../../ui/polish.ts';
import type { ProsePage } from './block.ts';
import { appealsSentence, operatorSentences } from './contact.ts';
import type { OperatorFacts } from './contact.ts';

export const privacyPage = (operator: OperatorFacts): ProsePage => ({
  title: pl`Prywatność`,
  lead: pl`Sprawdzanie nie wymaga konta. Nie zbieramy danych o tym, kto kogo sprawdza.`,
  blocks: [
    { heading: pl`Gdy odwiedzasz tę stronę` },
    {
      list: [
        pl`Nie używamy ciasteczek ani zewnętrznych statystyk. Strona nie łączy się z żadnym innym adresem.`,
        pl`Adres IP służy do limitu zapytań. Serwer trzyma go w pamięci, nie zapisuje na dysku. Jeśli obsługa włączy na jakiś czas dziennik zapytań, z adresu IP trafia do niego tylko początek, a tego, czego ktoś szukał, w nim nie ma.`,
        pl`Liczymy, ile razy otwarto wpis, ale nie zapisujemy, kto to zrobił. Żeby nie liczyć nikogo dwa razy, serwer przez godzinę trzyma w pamięci skrót adresu IP z losowym dodatkiem, który zmienia się co dzień.`,
        pl`Tego, co wpisujesz w pole sprawdzania, Czujka nie zapisuje. Jest jednak w adresie strony, więc zostaje w historii Twojej przeglądarki.`,
        pl`Wybór jasnego albo ciemnego motywu zostaje w Twojej przeglądarce.`,
        pl`Wiek konta odczytujemy z samego ID. O awatar, a przy ID spoza list także o to, czy konto istnieje, nasz serwer pyta platformę. Nie mówi jej, kto sprawdza.`,
      ],
    },
    { heading: pl`Gdy jesteś na liście` },
    pl`Wpis zawiera nick albo nazwę serwera, ID, powód, datę, nr zgłoszenia i dowody. Publikujemy je po to, by ostrzec innych przed stratą pieniędzy albo konta. Jeśli dowody zawierają dane innych osób, nie są publiczne.`,
    pl`Możesz poprosić o wgląd w swoje dane, o ich poprawienie, usunięcie lub ograniczenie przetwarzania i możesz wnieść sprzeciw. Najprościej przez [odwołanie](/odwolania). Skargę przyjmuje Prezes Urzędu Ochrony Danych Osobowych.`,
    pl`To, co usunięto, zostaje w codziennych kopiach zapasowych do 30 dni. Nikt go tam nie ogląda, a po odtworzeniu danych z kopii usunięte wpisy i dowody oraz dawne wersje opisów nie wracają.`,
    { heading: pl`Gdy wysyłasz zgłoszenie` },
    pl`Treść zgłoszenia albo odwołania układa Twoja przeglądarka. Serwer dostaje z niej tylko ID wpisane w zgłoszeniu, jak przy każdym sprawdzeniu; resztę dopiero w wiadomości, którą wyślesz.`,
    pl`Zgłoszenie czyta obsługa. Twoich danych nie pokazujemy we wpisie ani osobie, której on dotyczy.`,
    { heading: pl`Gdy korzystasz z API` },
    pl`Dane wolno pobierać bez klucza. Kto je pokazuje dalej, odpowiada za ich aktualność: wpis usunięty po odwołaniu trzeba usunąć także u siebie.`,
    { heading: pl`Kto odpowiada za dane` },
    ...operatorSentences(operator),
    appealsSentence(operator),
  ],
});
