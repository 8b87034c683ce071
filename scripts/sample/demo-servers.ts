import type { SampleRecord } from './sample-record.ts';

/** Hand-written reported servers. */
export const DEMO_SERVERS: readonly SampleRecord[] = [
  {
    id: '1224152387227424863',
    name: '🎁 Rozdania Nitro Polska',
    reason:
      'Fałszywe rozdanie: aby odebrać nitro na rok, trzeba zalogować się na `odbierz-nitro.example`. ' +
      'Strona prosi o hasło, kod logowania i kod zapasowy.\n\n' +
      '- zaproszenia przychodzą z przejętych kont\n- podziękowania piszą boty\n' +
      '- kanał `#opinie` jest zamknięty\n\n' +
      'Po zalogowaniu zmień hasło i wyloguj wszystkie urządzenia.',
    verified: true,
    reportedAt: '2026-11-17T20:05:00.000Z',
    views: 8421,
    proofs: {
      private: false,
      items: [
        { url: 'https://example.com/zrzuty/rozdania-kanal.png', caption: 'Ogłoszenie rozdania' },
        { url: 'https://example.com/zrzuty/rozdania-logowanie.png', caption: 'Podrobiona strona logowania' },
        {
          text: '```\nGET https://odbierz-nitro.example/start\n302 -> /loguj\nPOST /loguj  pola: login, haslo, kod\n```',
        },
      ],
    },
  },
  {
    id: '1328883040533363573',
    name: 'Sklep u Żbika – oficjalny',
    reason:
      'Klon sklepu: te same kanały, ikona i regulamin, **inne ID**. Wpłaty idą na prywatne konta. ' +
      'Moderacja prawdziwego sklepu potwierdziła, że to nie jej serwer.',
    verified: true,
    reportedAt: '2026-09-14T16:40:00.000Z',
    views: 2077,
    proofs: {
      private: false,
      items: [{ text: 'Porównanie: prawdziwy serwer działa od 2019 roku, klon od stycznia 2025.' }],
    },
  },
  {
    id: '1422380385857887099',
    name: 'Pomoc Techniczna 24/7',
    reason:
      'Bot „pomocy” prosi o kod z SMS-a. Jedno zgłoszenie, zrzut nieczytelny, czekamy na drugie źródło.',
    verified: false,
    reportedAt: '2026-10-28T08:55:00.000Z',
    views: 319,
  },
  {
    id: '1478189206532397553',
    name: '<b>Weryfikacja</b> "konta" & kod QR',
    reason:
      'Po wejściu na serwer pojawia się kod QR „do potwierdzenia wieku”. Zeskanowanie oddaje dostęp do konta.',
    verified: true,
    reportedAt: '2026-05-03T12:00:00.000Z',
    views: 1466,
    proofs: {
      private: false,
      items: [{ url: 'https://example.org/zrzuty/kod-qr.png', caption: 'Pierwsza wiadomość po wejściu' }],
    },
  },
  {
    id: '1516968432147477591',
    name: '🎁💎🎁',
    reason: 'Losowanie konsoli z „opłatą za wysyłkę” 49,99 zł. Dowody zawierają dane zgłaszających.',
    verified: true,
    reportedAt: '2026-07-29T19:19:00.000Z',
    views: 540,
    proofs: { private: true, items: [{ text: 'Potwierdzenia czterech wpłat po 49,99 zł.' }] },
  },
  {
    id: '938228066776619371',
    name: 'Турнир Восток',
    reason:
      'Zapisy na turniej prowadzą do pliku z `turniej-start.example`, który przejmuje sesję po uruchomieniu.',
    verified: true,
    reportedAt: '2025-08-09T22:30:00.000Z',
    views: 187,
  },
  {
    id: '1177045439101821281',
    name: '100%_Pewne Klucze',
    reason:
      'Klucze z drugiej ręki, część już użyta. Obsługa zwraca pieniądze z opóźnieniem, sprawa niejasna.',
    verified: false,
    reportedAt: '2026-02-11T10:10:00.000Z',
    views: 92,
  },
];
