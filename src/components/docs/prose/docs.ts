/** The pages of the interface: what the document for tools cannot say. The rest of them comes from that document. */
import { DETAILS_PATH } from '#src/paths.ts';
import { pl } from '../../ui/polish.ts';
import type { Block, ProsePage } from './block.ts';
import { botSample, eventsSample, quickStart, typedClientSample, typesSample } from './code-samples.ts';
import { verdictBlocks } from './verdict-docs.ts';

/** Parts that are made of the document. */
export interface DocsParts {
  readonly version: string;
  /** Requests a minute, of lists and of the status. */
  readonly limits: { readonly lists: string; readonly status: string };
  readonly firstAnswer: string;
  readonly operations: readonly Block[];
}

export interface ErrorStatus {
  readonly status: string;
  readonly when: string;
  readonly texts: readonly string[];
}

/** The same for what one looks up. */
export interface DetailsParts {
  readonly version: string;
  readonly fields: readonly Block[];
  /** Addresses, and how many requests a minute. */
  readonly limits: readonly (readonly string[])[];
  readonly errors: readonly ErrorStatus[];
  /** Cache-Control of the lists. */
  readonly listsCache: string;
}

export function docsPage(baseUrl: string, parts: DocsParts): ProsePage {
  return {
    title: 'API',
    lead: pl`Listy i sprawdzanie jako JSON. Bez klucza i bez logowania, z dowolnej domeny (CORS jest otwarty). Wersja interfejsu: ${parts.version}.`,
    blocks: [
      ...firstSteps(baseUrl, parts.firstAnswer),
      ...rules(parts.limits),
      ...parts.operations,
      { heading: pl`Pola, błędy, limity, własna kopia`, id: 'pola' },
      pl`Znaczenie pól, teksty błędów, kopia list u siebie, typy dla TypeScriptu: [szczegóły API](${DETAILS_PATH}). Opis dla narzędzi: [OpenAPI 3.1](/openapi.json).`,
      ...verdictBlocks(),
    ],
  };
}

export function detailsPage(baseUrl: string, parts: DetailsParts): ProsePage {
  const { version, fields, limits, errors, listsCache } = parts;
  return {
    title: pl`Szczegóły API`,
    lead: pl`Błędy, pola odpowiedzi, limity, własna kopia list, opis dla narzędzi i wersje.`,
    blocks: [
      { heading: pl`Błędy`, id: 'bledy' },
      pl`Każdy błąd to JSON z polem \`error\` po polsku.`,
      {
        list: errors.map(
          ({ status, when, texts }) =>
            pl`**${status}**: ${when} Tekst: ${texts.map((text) => `„${text}”`).join(', ')}.`,
        ),
      },
      { heading: pl`Pola odpowiedzi`, id: 'pola' },
      pl`Nieznane pola pomijaj: mogą dochodzić. Czasy to ISO 8601 w UTC.`,
      ...fields,
      ...limitTable(limits),
      ...caching(listsCache),
      ...mirror(baseUrl),
      ...tools(baseUrl),
      ...versions(version),
    ],
  };
}

function firstSteps(baseUrl: string, firstAnswer: string): Block[] {
  return [
    { heading: pl`Pierwsze zapytanie`, id: 'pierwsze' },
    { tabs: quickStart(baseUrl), label: pl`Zapytanie` },
    { sample: firstAnswer, label: pl`Odpowiedź` },
    { heading: pl`Pusta odpowiedź`, id: 'pusta' },
    pl`Pusta tablica \`results\` to brak wpisu, nie potwierdzenie uczciwości. Nie pokazuj jej na zielono i nie pisz „bezpieczny” ani „czysty”.`,
  ];
}

function rules(limits: DocsParts['limits']): Block[] {
  return [
    { heading: pl`Czego nie wolno pomylić`, id: 'pomylki' },
    {
      list: [
        pl`**Błąd to nie „brak wpisu”.** Kody 429, 500 i 503, brak połączenia i przekroczony czas oznaczają tylko tyle, że nie wiadomo. Napisz „nie udało się sprawdzić” i spróbuj ponownie po czasie z \`Retry-After\`. Przy listach i sprawdzaniu kod 404 znaczy, że w adresie jest literówka, a nie, że nie ma wpisu.`,
        pl`**Lista ryzyka to nie potwierdzenie.** \`verified: false\` znaczy, że zgłoszenia nikt jeszcze nie potwierdził. Nie karz za nie automatycznie.`,
        pl`**Zgłoszenie waży więcej niż zaufanie.** To samo ID może być w kopii na liście zaufanych i na liście zgłoszonych, na przykład po przejęciu konta: liczy się zgłoszenie. \`/api/check\` i \`/api/verdict\` pomijają wtedy listę zaufanych; listy i pliki nie pomijają.`,
        pl`**Nick to nie osoba.** Ten sam nick może mieć każdy. Konkretne konto wskazuje tylko zgodne ID; \`search\` służy do szukania, nie do wydawania wyroków.`,
        pl`**Wpis to zgłoszenie, nie wyrok.** Podaj numer zgłoszenia i link do wpisu, żeby ta osoba mogła się odwołać.`,
        pl`**Kopia się starzeje.** Usunięty wpis usuń u siebie od razu: kopia, która tego nie robi, pomawia ludzi.`,
      ],
    },
    { heading: 'ID to tekst', id: 'id' },
    pl`ID ma 17–20 cyfr, więcej, niż mieści liczba w JavaScripcie i w wielu bibliotekach JSON. \`JSON.parse('1572250755006587457')\` daje 1572250755006587400, a to ID kogoś innego albo niczyje. W odpowiedziach ID jest tekstem; nie zamieniaj go na liczbę także u siebie, w bazie i w arkuszu.`,
    { heading: pl`Oczyść descHtml`, id: 'html' },
    pl`\`descHtml\` to HTML zrobiony z tekstu zgłoszenia. Oczyszczamy go przy zapisie, ale **oczyść go jeszcze raz**, zanim wstawisz go na swoją stronę: na przykład DOMPurify albo sanitize-html. Jeśli wystarczy Ci tekst, usuń znaczniki.`,
    { heading: 'Limity', id: 'limity' },
    pl`Listy i sprawdzanie: razem ${limits.lists} zapytań na minutę z jednego IP; stan usług i wpłaty: razem ${limits.status}. Wyniki dla botów, zmiany, pliki kopii, kanały, znaczki, historia i awatary mają osobne limity ([wszystkie limity](${DETAILS_PATH}#limity-adresow)).`,
    pl`Odpowiedzi z tych adresów mają nagłówki \`RateLimit-Limit\`, \`RateLimit-Remaining\` i \`RateLimit-Reset\` (sekundy). Po przekroczeniu przychodzi 429 z \`Retry-After\`: odczekaj tyle sekund. Kto sprawdza wiele osób, niech trzyma [własną kopię](${DETAILS_PATH}#kopia).`,
  ];
}

function limitTable(limits: DetailsParts['limits']): Block[] {
  return [
    { heading: pl`Limity zapytań`, id: 'limity-adresow' },
    {
      caption: pl`Limity zapytań na minutę`,
      head: ['Adresy', 'Zapytań na minutę z jednego IP'],
      table: limits,
    },
  ];
}

function caching(listsCache: string): Block[] {
  return [
    { heading: pl`Pamięć podręczna`, id: 'cache' },
    pl`Listy i sprawdzanie mają \`Cache-Control: ${listsCache}\`. Każda odpowiedź 200, oprócz strumienia, ma \`ETag\`: odeślij go w \`If-None-Match\`, a dostaniesz 304 bez treści, jeśli nic się nie zmieniło. Po 304 wynik jest znowu świeży. Nie przechowuj wyniku dłużej niż pięć minut, a błędów wcale. \`/api/changes\` ma \`s-maxage=30\`: częściej niż co pół minuty pytać nie warto.`,
  ];
}

function mirror(baseUrl: string): Block[] {
  return [
    { heading: pl`Własna kopia list`, id: 'kopia' },
    pl`Kto sprawdza często, może trzymać listy u siebie. Najpierw pobierz całość z plików, potem tylko zmiany.`,
    {
      steps: [
        pl`Pobierz \`/snapshots/manifest.json\`. Dla każdej listy wymienia części (\`chunks\`) z adresem, sumą SHA-256 i rozmiarem przed kompresją oraz liczbą wpisów. Inne \`formatVersion\` niż 1 znaczy: nie czytaj dalej.`,
        pl`Pobierz wszystkie części i porównaj ich sumy SHA-256. Każda to tablica wpisów z datami. Odpowiedź 410 oznacza, że części już nie ma: odczekaj sekundę i pobierz manifest ponownie; części o znanej sumie nie musisz pobierać drugi raz.`,
        pl`Pytaj \`/api/changes?since=…\`, za pierwszym razem z \`cursor\` z manifestu, potem z \`next\` z poprzedniej odpowiedzi. Gdy \`hasMore\` jest prawdą, pytaj od razu dalej; gdy nie, wróć za pół minuty albo słuchaj zdarzeń.`,
        pl`\`added\` i \`updated\`: zapisz \`entry\` pod jego \`_id\`, zamiast tego, co tam było. Wpis nie zmienia listy, a ID jest na każdej liście najwyżej raz. \`removed\`: usuń wpis o \`_id\` z \`tombstone\` wszędzie, gdzie go masz.`,
        pl`Odpowiedź 410 albo 400 na \`since\`: kursor jest za stary (działa co najmniej 90 dni), uszkodzony albo bazę przywrócono z kopii zapasowej. Zacznij od manifestu.`,
        pl`Gdy jedno ID jest na kilku listach, liczy się najpierw zgłoszenie potwierdzone, potem lista ryzyka, na końcu lista zaufanych. Tak samo rozstrzyga \`/api/verdict\`.`,
      ],
    },
    { heading: pl`Zmiany od razu`, id: 'zdarzenia', level: 3 },
    pl`\`/api/changes/events\` podaje te same zmiany w chwili, gdy zachodzą. Przeglądarka po zerwaniu wraca sama i niczego nie gubi; inny klient niech zapamięta \`id\` i wyśle go w \`Last-Event-ID\`.`,
    { sample: eventsSample(baseUrl), label: pl`Zdarzenia w JavaScripcie` },
    { heading: pl`Bot sprawdzający nowych członków serwera`, id: 'bot', level: 3 },
    pl`Bot na Discorda w Pythonie. Sprawdza we własnej kopii, więc nie zależy od sieci ani od limitów. Nikogo nie karze: pokazuje wpis i jego numer.`,
    { sample: botSample(baseUrl), label: pl`Bot w Pythonie` },
  ];
}

function tools(baseUrl: string): Block[] {
  return [
    { heading: pl`Opis dla narzędzi`, id: 'openapi' },
    pl`Cały interfejs opisuje [OpenAPI 3.1](/openapi.json). Z niego powstały ta strona i opisy adresów na stronie [API](/docs). Typy dla TypeScriptu:`,
    { command: typesSample(baseUrl), label: pl`Polecenie` },
    { sample: typedClientSample(baseUrl), label: pl`Klient w TypeScripcie` },
  ];
}

function versions(version: string): Block[] {
  return [
    { heading: pl`Wersje i zmiany`, id: 'wersje' },
    pl`To jest wersja ${version}. Adresy nie zawierają numeru wersji.`,
    {
      list: [
        pl`Bez zapowiedzi mogą dojść nowe adresy, parametry, pola odpowiedzi, nagłówki i wartości pól \`state\`, \`status\`, \`roleStatus\`, \`reasonCode\`, \`warnings\` i \`why\`. Nieznane pomijaj, a nieznaną wartość pokaż jako „inne”. Nowe wartości \`verdict\`, \`list\`, \`kind\` i \`op\` zapowiadamy jak zmianę znaczenia.`,
        pl`Usunięcie czegoś, co tu opisano, albo zmianę jego znaczenia zapowiadamy co najmniej **180 dni** wcześniej: na tej stronie i w odpowiedziach, nagłówkami \`Deprecation\` (od kiedy jest przestarzałe) i \`Sunset\` (kiedy zniknie).`,
        pl`Poprawka, która chroni osobę wpisaną albo bezpieczeństwo, może wejść od razu.`,
      ],
    },
    {
      caption: pl`Historia zmian`,
      head: ['Wersja', 'Co się zmieniło'],
      table: [
        [
          '1.0.0',
          pl`Listy, sprawdzanie, wyniki dla botów i podobne nicki, stan usług, wpłaty, awatary, kanały Atom, kopia i zmiany. Dopóki wpłata nie ma transakcji, jej ID to pusty tekst, nie \`null\`.`,
        ],
      ],
    },
  ];
}
