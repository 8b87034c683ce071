import { pl } from '../polish.ts';
import type { Block, ProsePage } from './block.ts';
import { SAMPLES } from './docs-samples.ts';
import { MIRROR_SAMPLES } from './mirror-samples.ts';

export const API_VERSION = '1.0.0';

const PARAMETER_HEAD = ['Parametr', 'Wartość', 'Znaczenie'];

const LIST_PARAMETERS: Block = {
  caption: pl`Parametry list`,
  head: PARAMETER_HEAD,
  table: [
    [
      '`search`',
      pl`do 100 znaków`,
      pl`Szuka w nicku lub nazwie, w ID i w powodzie. Wielkość liter i znaki diakrytyczne nie mają znaczenia.`,
    ],
    ['`id`', pl`do 64 znaków`, pl`Wpis o dokładnie tym ID. Ma pierwszeństwo przed \`search\`.`],
    [
      '`sort`',
      '`newest`, `oldest`, `popular`, `popular_asc`, `az`, `za`',
      pl`Kolejność; domyślnie \`newest\`.`,
    ],
    [
      '`status`',
      '`all`, `verified`, `risk`',
      pl`Wszystkie, potwierdzone albo lista ryzyka; domyślnie \`all\`. Lista zaufanych zawiera tylko potwierdzone.`,
    ],
    [
      '`proofs`',
      '`all`, `with`, `private`',
      pl`Wszystkie, z dowodami albo z niepublicznymi dowodami; domyślnie \`all\`.`,
    ],
    ['`skip`', pl`0–20000`, pl`Ile wpisów pominąć; domyślnie 0.`],
    ['`limit`', pl`1–60`, pl`Ile wpisów podać; domyślnie 30.`],
  ],
};

const ENTRY_FIELDS: Block = {
  caption: pl`Pola wpisu`,
  head: ['Pole', 'Typ', 'Znaczenie'],
  table: [
    ['`_id`', 'tekst', pl`Wewnętrzne ID wpisu.`],
    ['`name`', 'tekst', pl`Nick osoby albo nazwa serwera.`],
    ['`id`', 'tekst', pl`ID osoby albo serwera na platformie. To tekst: liczba straciłaby ostatnie cyfry.`],
    ['`descHtml`', 'tekst', pl`Powód jako HTML. Oczyść go przed wstawieniem na swoją stronę.`],
    ['`verified`', 'prawda lub fałsz', pl`\`false\` oznacza listę ryzyka.`],
    ['`proofsId`', pl`tekst lub \`null\``, pl`Strona dowodów to \`/proofs/{proofsId}\`.`],
    ['`reportId`', 'tekst', pl`Nr zgłoszenia, podawany w odwołaniu.`],
  ],
};

function sampleOf(command: string, answer: string): Block[] {
  return [
    { command, label: pl`Zapytanie` },
    { sample: answer, label: pl`Odpowiedź` },
  ];
}

export const docsPage = (baseUrl: string): ProsePage => {
  const curl = (path: string): string => `curl '${baseUrl}${path}'`;
  return {
    title: 'API',
    lead: pl`Listy i sprawdzanie jako JSON. Bez klucza i bez logowania, z dowolnej domeny (CORS jest otwarty). Wersja interfejsu: ${API_VERSION}.`,
    blocks: [
      { heading: pl`Pierwsze zapytanie`, id: 'pierwsze' },
      ...sampleOf(curl('/api/check?id=1558644164640031523'), SAMPLES.check),
      { heading: pl`Pusta odpowiedź`, id: 'pusta' },
      pl`Pusta tablica to brak wpisu, nie potwierdzenie uczciwości. Nie pokazuj jej na zielono.`,
      ...sampleOf(curl('/api/check?id=1572250755006587499'), SAMPLES.checkEmpty),
      { heading: pl`Oczyść \`descHtml\``.replaceAll('`', ''), id: 'html' },
      pl`\`descHtml\` to HTML zrobiony z tekstu zgłoszenia. Oczyszczamy go przy zapisie, ale klient **musi oczyścić go jeszcze raz**, zanim wstawi go na swoją stronę: na przykład DOMPurify albo sanitize-html. Jeśli wystarczy Ci tekst, usuń znaczniki.`,
      { heading: 'Limity', id: 'limity' },
      {
        caption: pl`Limity zapytań na minutę`,
        head: ['Adresy', 'Zapytań na minutę z jednego IP'],
        table: [
          [
            '`/api/scammers`, `/api/servers`, `/api/legit`, `/api/check`, `/api/changes`, `/feeds/…`',
            pl`1000, razem`,
          ],
          ['`/snapshots/…`', pl`1000`],
          [
            '`/api/status`, `/api/status/history`, `/badge/{id}.svg`, `/status/incidents.atom`, `/api/donate/status`',
            pl`30, razem`,
          ],
          ['`/healthz`, `/readyz`', pl`30, razem`],
        ],
      },
      pl`Każda odpowiedź ma nagłówki \`RateLimit-Limit\`, \`RateLimit-Remaining\` i \`RateLimit-Reset\` (sekundy). Po przekroczeniu przychodzi 429 z nagłówkiem \`Retry-After\`:`,
      { sample: SAMPLES.limited, label: pl`Odpowiedź 429` },

      { heading: pl`Sprawdzanie: /api/check`, id: 'check' },
      pl`Przeszukuje wszystkie listy naraz. Podaj jeden z parametrów; bez żadnego odpowiedź to 400.`,
      {
        caption: pl`Parametry sprawdzania`,
        head: PARAMETER_HEAD,
        table: [
          ['`id`', pl`1–64 znaki`, pl`Dokładne ID osoby albo serwera. Ma pierwszeństwo.`],
          ['`search`', pl`1–100 znaków`, pl`Nick, nazwa albo ich część, a także dokładne ID.`],
        ],
      },
      ...sampleOf(curl('/api/check?search=kupskin&id=1558644164640031523'), SAMPLES.check),
      pl`\`kind\` to \`scammers\`, \`servers\` albo \`legit\`. Z każdej listy najwyżej 20 wpisów. Gdy coś jest na liście osób lub serwerów, wyników z listy zaufanych nie ma.`,

      { heading: pl`Listy: /api/scammers, /api/servers, /api/legit`, id: 'listy' },
      pl`Zgłoszone osoby, zgłoszone serwery i osoby zaufane. Parametry są wspólne i nieobowiązkowe.`,
      LIST_PARAMETERS,
      { heading: '/api/scammers', level: 3 },
      ...sampleOf(curl('/api/scammers?status=risk&search=szybki&limit=1'), SAMPLES.scammers),
      { heading: '/api/servers', level: 3 },
      ...sampleOf(curl('/api/servers?id=1422380385857887099'), SAMPLES.servers),
      { heading: '/api/legit', level: 3 },
      ...sampleOf(curl('/api/legit?search=kowal&limit=1'), SAMPLES.legit),
      { heading: pl`Pola odpowiedzi`, level: 3 },
      pl`\`data\` to strona wyników, \`total\` liczba wszystkich pasujących wpisów, \`hasMore\` mówi, czy są następne.`,
      ENTRY_FIELDS,

      { heading: pl`Stan usług: /api/status`, id: 'stan' },
      pl`Bez parametrów. Wynik jest ważny 15 sekund; usługa, która nie odpowie w 6 sekund, ma \`ok: false\`. Czego operator nie podłączył, ma \`ok: false\` i zera.`,
      ...sampleOf(curl('/api/status'), SAMPLES.status),
      pl`\`state\` bota to \`running\`, \`starting\`, \`stopping\`, \`offline\`, \`unknown\` albo \`not_configured\`. \`uptimeMs\` jest w milisekundach, \`memoryBytes\` w bajtach, a \`cpuPercent\` w procentach jednego rdzenia: 250 to dwa i pół rdzenia.`,
      { heading: pl`/healthz i /readyz`, level: 3 },
      pl`Dla programów, które pilnują serwisu. \`/healthz\` odpowiada 200, gdy proces żyje. \`/readyz\` odpowiada 200, gdy serwis może odpowiadać na zapytania, a jeśli nie, 503 z listą powodów w \`reasons\`.`,
      { heading: '/api/status/history', level: 3 },
      pl`Jak było wcześniej. \`id\` (wymagane) to ID usługi albo bota z \`/api/status\`, \`range\` to \`24h\` (co 5 minut, domyślnie), \`7d\` (co godzinę) albo \`90d\` (co dzień, w UTC). Kroków bez pomiarów nie ma w odpowiedzi, \`since\` to początek pierwszego z pomiarami (\`uptimePercent\` mówi o czasie od niego), \`latencyMs\` to średnia z dobrych pomiarów, a dla botów \`null\`.`,
      { command: curl('/api/status/history?id=database&range=7d'), label: pl`Zapytanie` },
      { heading: pl`Znaczki i zdarzenia`, level: 3 },
      pl`\`/badge/status.svg\` to obrazek ze stanem całości, a \`/badge/{id}.svg\` jednej usługi albo bota. \`/status/incidents.atom\` to kanał Atom ze zdarzeniami: zdarzenie zaczyna się po dwóch złych pomiarach z rzędu i kończy po dwóch dobrych.`,

      { heading: pl`Awatar: /api/chat/avatar/{chatId}`, id: 'awatar' },
      pl`Obrazek konta o danym ID (17–20 cyfr), zawsze z naszego serwera i zawsze jakiś: gdy platforma nie odpowiada albo jej nie podłączono, rysujemy go z ID. \`kind=server\` to obrazek serwera, zawsze rysowany. Obrazki platformy wysyłamy jako WebP, a komu nagłówek \`Accept\` go wyklucza, jako PNG; rysowane to SVG. Bez limitu zapytań; inne ID to 400.`,

      { heading: pl`Stan wpłaty: /api/donate/status`, id: 'wplata' },
      pl`Publiczny stan wpłaty w Litecoinach. \`id\` ma postać \`ltc_\` i od 16 do 64 cyfr szesnastkowych. Złe ID: 400, nieznane: 404. Danych osoby wpłacającej nie ma w odpowiedzi.`,
      ...sampleOf(curl('/api/donate/status?id=ltc_0123456789abcdef'), SAMPLES.donation),

      { heading: pl`Własna kopia list`, id: 'kopia' },
      pl`Kto sprawdza często, może trzymać listy u siebie. Najpierw pobierz całość z plików, potem tylko zmiany.`,
      {
        steps: [
          pl`Pobierz \`/snapshots/manifest.json\`. Dla każdej listy wymienia części (\`chunks\`) z adresem, sumą SHA-256 i rozmiarem przed kompresją oraz liczbą wpisów.`,
          pl`Pobierz wszystkie części. Każda to tablica wpisów z polami jak w listach oraz \`reportedAt\` i \`updatedAt\`. Odpowiedź 410 oznacza, że części już nie ma: odczekaj sekundę i pobierz manifest ponownie; części o znanej sumie nie musisz pobierać drugi raz.`,
          pl`Pytaj \`/api/changes?since=…\`, za pierwszym razem z \`cursor\` z manifestu, potem z \`next\` z poprzedniej odpowiedzi. Gdy \`hasMore\` jest prawdą, pytaj od razu dalej; gdy nie, wróć za chwilę, na przykład za pół minuty.`,
          pl`\`added\` i \`updated\`: zapisz \`entry\` pod jego \`_id\`, zamiast tego, co tam było. \`removed\`: usuń wpis o \`_id\` z \`tombstone\` wszędzie, gdzie go masz.`,
          pl`Odpowiedź 410 na \`since\`: kursor jest za stary albo baza wróciła do kopii zapasowej. Zacznij od manifestu.`,
          pl`Odpowiedź 503 na manifest: po przywróceniu kopii zapasowej pliki dopiero powstają od nowa, co trwa najwyżej minutę. Odczekaj tyle sekund, ile podaje \`Retry-After\`, i spróbuj ponownie.`,
        ],
      },
      ...sampleOf(curl('/snapshots/manifest.json'), MIRROR_SAMPLES.manifest),
      {
        caption: pl`Parametry /api/changes`,
        head: PARAMETER_HEAD,
        table: [
          [
            '`since`',
            pl`kursor`,
            pl`Podaj zmiany po tym miejscu; bez niego od pierwszej. Nie zaglądaj do środka kursora.`,
          ],
          ['`limit`', '1–500', pl`Ile zmian przejrzeć; domyślnie 100.`],
        ],
      },
      ...sampleOf(curl('/api/changes?limit=2'), MIRROR_SAMPLES.changes),
      pl`Zmiany przychodzą w kolejności. Wpis zmieniony kilka razy jest podany raz, przy ostatniej zmianie i w obecnym stanie, dlatego odpowiedź może mieć mniej zmian, niż prosisz, a nawet żadnej, choć \`hasMore\` jest prawdą. \`reasonCode\` to \`appeal\` (odwołanie), \`mistake\` (pomyłka), \`request\` (prośba osoby), \`duplicate\` (powtórzenie) albo \`other\`.`,
      pl`Kursor działa co najmniej 90 dni. Pobrana część może leżeć w pamięci podręcznej godzinę; na serwerze nieużywane części zostają przez dobę, a te z usuniętym wpisem znikają od razu. **Usunięty wpis usuń także u siebie**: kopia, która tego nie robi, pomawia ludzi.`,

      { heading: pl`Kanały Atom`, id: 'kanaly' },
      pl`\`/feeds/scammers.atom\`, \`/feeds/servers.atom\` i \`/feeds/legit.atom\` podają po 60 najnowszych potwierdzonych wpisów listy, od najpóźniej zgłoszonego. Usunięty wpis znika z kanału od razu.`,

      { heading: pl`Pamięć podręczna`, id: 'cache' },
      pl`Listy i sprawdzanie mają \`Cache-Control: public, s-maxage=30, stale-while-revalidate=300\`, a każda odpowiedź 200 ma \`ETag\`. Zapytanie z \`If-None-Match\` dostaje 304 bez treści.`,
      { heading: pl`Błędy`, id: 'bledy' },
      pl`Każdy błąd to JSON z polem \`error\` po polsku.`,
      {
        caption: pl`Błędy`,
        head: ['Kod', 'Kiedy', 'Tekst'],
        table: [
          [
            '400',
            pl`zły albo powtórzony parametr`,
            pl`Nieprawidłowy parametr sort: jedna z wartości newest, oldest, popular, popular_asc, az, za.`,
          ],
          ['400', pl`sprawdzanie bez pytania`, pl`Podaj nick albo ID.`],
          ['404', pl`nieznany adres albo wpłata`, pl`Nie znaleziono`],
          [
            '410',
            pl`nieważny kursor`,
            pl`Ten kursor jest już nieważny. Pobierz listy od nowa, zaczynając od ${baseUrl}/snapshots/manifest.json`,
          ],
          [
            '410',
            pl`nie ma już części kopii`,
            pl`Tego pliku już nie ma. Pobierz ponownie manifest: ${baseUrl}/snapshots/manifest.json`,
          ],
          ['405', pl`metoda inna niż GET, HEAD i OPTIONS`, pl`Metoda niedozwolona`],
          ['429', pl`przekroczony limit`, pl`Za dużo zapytań. Spróbuj ponownie za 23 s.`],
          [
            '431',
            pl`adres i nagłówki są za długie`,
            pl`Nagłówki lub adres zapytania są za długie: najwyżej 16 kB.`,
          ],
          ['500', pl`błąd po naszej stronie`, pl`Błąd podczas pobierania danych.`],
          ['503', pl`za dużo wyszukiwań naraz`, pl`Serwis jest przeciążony. Spróbuj ponownie za 2 s.`],
          [
            '503',
            pl`pliki kopii powstają od nowa`,
            pl`Migawki list powstają od nowa. Spróbuj ponownie za 10 s.`,
          ],
        ],
      },
      { heading: 'Wersje', id: 'wersje' },
      pl`To jest wersja ${API_VERSION}. Adresy nie zawierają numeru wersji. Nieznanych pól w odpowiedzi nie traktuj jako błędu.`,
    ],
  };
};
