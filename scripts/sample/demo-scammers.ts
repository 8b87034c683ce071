import { readFileSync } from 'node:fs';
import type { SampleRecord } from './sample-record.ts';

/** Hand-written reported accounts: each shows one state or one kind of name that pages have to cope with. */

const LONG_REASON = readFileSync(new URL('demo-long-reason.md', import.meta.url), 'utf8').trim();

const VERIFIED_WITH_PROOFS: SampleRecord = {
  id: '1572250755006587457',
  name: 'kupskin_24',
  reason:
    'Zaliczka 120 zł za doładowanie, po wpłacie rozmowa została usunięta, ' +
    'a konto zablokowało osobę kupującą.\n\n' +
    'Ogłoszenie na kanale `#giełda` obiecywało doładowanie „w pięć minut”, z zapłatą z góry kodem **BLIK**. ' +
    'Na pytanie o pośrednika przyszła odpowiedź:\n\n' +
    '> pośrednik bierze prowizję, po co przepłacać\n\n' +
    'Kod został użyty po dwóch minutach. Konto powstało dwa dni przed zgłoszeniem.',
  verified: true,
  reportedAt: '2026-11-19T17:42:00.000Z',
  views: 1843,
  proofs: {
    private: false,
    items: [
      { file: 'ogloszenie.webp', caption: 'Ogłoszenie na kanale handlowym, 19 listopada' },
      { file: 'rozmowa.webp', caption: 'Rozmowa przed usunięciem' },
      { url: 'https://example.com/zrzuty/kupskin-profil.png', caption: 'Profil konta' },
      {
        text:
          'Zapis rozmowy przekazany przez osobę kupującą:\n\n' +
          '```\n17:02 kupno: wysyłam kod, proszę o doładowanie\n17:02 konto zgłoszone: ok\n17:09 kupno: i jak\n' +
          '17:11 (brak możliwości wysłania wiadomości)\n```',
      },
    ],
  },
};

const RISK: SampleRecord = {
  id: '1558644164640031523',
  name: 'kupskin',
  reason:
    'Jedno zgłoszenie, bez zapisu rozmowy: **80 zł** za skin, towar nie dotarł przez tydzień. ' +
    'Druga strona twierdzi, że wysyłka się opóźnia. Czekamy na potwierdzenie wpłaty.',
  verified: false,
  reportedAt: '2026-11-12T09:15:00.000Z',
  views: 212,
};

const PROOF_STATES: SampleRecord[] = [
  {
    id: '1532909680303084069',
    name: 'kupskin_24_alt',
    reason:
      'Konto pisze, że jest zapasowym kontem `kupskin_24`, i prosi o kod PSC. Związku obu kont nie potwierdzono.',
    verified: false,
    reportedAt: '2026-11-19T21:08:00.000Z',
    views: 61,
    proofs: {
      private: false,
      items: [{ text: 'Wiadomość prywatna: „to ja, tamto konto mam zablokowane, **wyślij kod tutaj**”.' }],
    },
  },
  {
    id: '1273084747608773681',
    name: 'mglisty_borsuk',
    reason:
      'Sprzedaż używanej klawiatury na serwerze z ogłoszeniami: po przelewie 240 zł paczki nie nadano.\n\n' +
      '1. 3 czerwca 2026: umowa i przelew.\n2. 5 czerwca 2026: numer przesyłki, którego przewoźnik nie zna.\n' +
      '3. 9 czerwca 2026: obietnica zwrotu.\n4. 15 czerwca 2026: blokada.',
    verified: true,
    reportedAt: '2026-06-16T18:30:00.000Z',
    views: 402,
  },
  {
    id: '867207539610419821',
    name: 'ZamówieniaOdRęki',
    reason: LONG_REASON,
    verified: true,
    reportedAt: '2026-09-27T11:05:00.000Z',
    views: 12_904,
    proofs: {
      private: false,
      items: [
        { url: 'https://example.org/zrzuty/ogloszenie-1.png', caption: 'Pierwsze ogłoszenie' },
        { url: 'https://example.org/zrzuty/ogloszenie-2.png', caption: 'To samo zdjęcie pod innym nickiem' },
        {
          url: 'https://example.org/zrzuty/zamowienie-z-48213.png',
          caption: 'Potwierdzenie zamówienia Z-48213',
        },
        {
          text: 'Zestawienie wpłat sprawdziły **dwie osoby z moderacji**, każda na podstawie innych zrzutów.',
        },
        { url: 'https://example.org/watek/90412', caption: 'Wątek z ostrzeżeniem' },
      ],
    },
  },
  {
    id: '376533480656971571',
    name: 'nocny_kantor',
    reason:
      'Wymiana kart podarunkowych na przelew. Kod na **500 zł** zrealizowano, przelew nie dotarł. ' +
      'Dowody zawierają dane osoby zgłaszającej, dlatego nie są publiczne.',
    verified: true,
    reportedAt: '2026-03-08T20:44:00.000Z',
    views: 977,
    proofs: {
      private: true,
      items: [
        {
          text: 'Potwierdzenie zakupu karty z widocznym imieniem.',
          file: 'paragon.webp',
          caption: 'Paragon',
        },
        { url: 'https://example.com/zrzuty/kantor-rozmowa.png', caption: 'Rozmowa z numerem telefonu' },
      ],
    },
  },
  {
    id: '711734143473178729',
    name: 'szklany.żuraw',
    reason: 'Pożyczka 60 zł bez zwrotu. Zrzuty przekazano moderacji innego serwera, tu ich nie ma.',
    verified: false,
    reportedAt: '2025-12-29T14:00:00.000Z',
    views: 38,
    proofs: { private: true, items: [] },
  },
  {
    id: '1565526884057709499',
    name: 'odbiór_nagród',
    reason:
      'Konto założone trzy dni przed zgłoszeniem rozsyła link do `odbierz-nagrode.example`. ' +
      'Strona prosi o hasło i kod logowania.',
    verified: false,
    reportedAt: '2026-11-02T08:20:00.000Z',
    views: 145,
    proofs: {
      private: false,
      items: [
        {
          text: 'Strona wygląda jak logowanie komunikatora.',
          url: 'https://example.com/zrzuty/odbior.png',
          caption: 'Strona',
        },
      ],
    },
  },
  {
    id: '1073037018721518479',
    name: 'Ż',
    reason: 'Podszywanie',
    verified: true,
    reportedAt: '2025-05-11T08:00:00.000Z',
    views: 19,
  },
  {
    id: '455897730336213419',
    name: 'wymiana_bez_słów',
    reason: '',
    verified: false,
    reportedAt: '2024-10-02T22:17:00.000Z',
    views: 4,
  },
];

const NICK_TRAPS: SampleRecord[] = [
  {
    id: '1228899107513245741',
    name: 'Lis_Posrednlk',
    reason:
      'Podszywanie się pod osobę z listy zaufanych o nicku `Lis_Posrednik`: małe „l” zamiast „i”. ' +
      'Przyjęto 350 zł „do depozytu”, wymiany nie było. **Porównaj ID.**',
    verified: true,
    reportedAt: '2026-10-04T19:31:00.000Z',
    views: 5311,
    proofs: {
      private: false,
      items: [
        { url: 'https://example.com/zrzuty/porownanie-nickow.png', caption: 'Oba profile obok siebie' },
        { text: 'Prawdziwa osoba pośrednicząca: „nie prowadzę tej wymiany i nie mam drugiego konta”.' },
      ],
    },
  },
  {
    id: '1047663912189537185',
    name: 'szybki_handel',
    reason: 'Zapłata 45 zł kodem BLIK za pakiet monet, po wpłacie cisza. Trzy zgłoszenia z jednego tygodnia.',
    verified: true,
    reportedAt: '2026-08-21T12:00:00.000Z',
    views: 640,
    proofs: {
      private: false,
      items: [{ url: 'https://example.org/zrzuty/szybki-1.png', caption: 'Rozmowa z 20 sierpnia' }],
    },
  },
  {
    id: '1362225695322297735',
    name: 'szybki_handel',
    reason:
      'Ten sam nick co w innych wpisach, **inne ID**. Jedno zgłoszenie: opóźniona wysyłka, sprawa w toku.',
    verified: false,
    reportedAt: '2026-08-21T12:00:00.000Z',
    views: 88,
  },
  {
    id: '228672718251778269',
    name: 'szybki_handel',
    reason:
      'Sprzedane konto z grami odzyskano po dwóch dniach, zwrotu 180 zł odmówiono. Trzecie konto o tym nicku.',
    verified: true,
    reportedAt: '2025-02-14T07:45:00.000Z',
    views: 1290,
  },
  {
    id: '804875527081897433',
    name: 'NajszybszeDoładowaniaWPolsceBezKolejkiIBezPośrednikówPiszŚmiałoOKażdejPorzeDniaINocyOdpisujęZawsze24',
    reason:
      'Nick ma dokładnie sto znaków bez spacji. Zgłoszenie: 25 zł za doładowanie telefonu, którego nie było.',
    verified: false,
    reportedAt: '2025-09-18T15:10:00.000Z',
    views: 73,
  },
  {
    id: '764281733331578495',
    name: '<b>Gruby</b> "Rabat" & \'50%\'_off',
    reason: 'Nick z kodem HTML i cudzysłowami. Sprzedaż kluczy, które były już użyte, łącznie 95 zł.',
    verified: true,
    reportedAt: '2025-11-05T10:00:00.000Z',
    views: 256,
  },
  {
    id: '1212562973429321365',
    name: 'аdmin_pоmoc',
    reason:
      'Nick zapisany częściowo cyrylicą: litery „а” i „о” nie są łacińskie. ' +
      'Konto podaje się za obsługę i prosi o kod z SMS-a.',
    verified: true,
    reportedAt: '2026-04-22T13:37:00.000Z',
    views: 834,
    proofs: {
      private: false,
      items: [{ text: 'Treść wiadomości:\n\n> tu obsługa, podaj kod, inaczej konto przepadnie' }],
    },
  },
  {
    id: '658836133031146395',
    name: 'торговец_77',
    reason:
      'Oferta skinów z zapłatą na adres portfela Litecoin. Wpłacono 0,35 LTC, przedmiotów nie przekazano.',
    verified: true,
    reportedAt: '2024-12-12T17:00:00.000Z',
    views: 118,
  },
  {
    id: '953085484465635089',
    name: '影の商人',
    reason: 'Grafika na zamówienie za 150 zł. Oddany plik okazał się cudzą pracą, co autorka potwierdziła.',
    verified: true,
    reportedAt: '2025-03-30T06:25:00.000Z',
    views: 94,
  },
  {
    id: '399716487723200119',
    name: 'تاجر الظل',
    reason: 'Zgłoszenie bez zrzutów: obietnica zwrotu nadpłaty, do której nie doszło. Kwota około 70 zł.',
    verified: false,
    reportedAt: '2025-06-01T20:00:00.000Z',
    views: 27,
  },
  {
    id: '1149873116021275469',
    name: 'סוחר_לילה',
    reason: 'Link do fałszywego głosowania, rozesłany do kilkunastu osób. Możliwe, że konto przejęto.',
    verified: false,
    reportedAt: '2025-01-19T11:11:00.000Z',
    views: 51,
  },
  {
    id: '1391574048920746771',
    name: 'ＳＫＩＮＹ＿２４',
    reason:
      'Nick pełnej szerokości. Trzy ogłoszenia ze zdjęciem tego samego skina, wpłaty po 90 zł, towaru brak.',
    verified: true,
    reportedAt: '2026-01-27T18:18:00.000Z',
    views: 333,
  },
  {
    id: '828068265855696713',
    name: 'b̴̨̛̭̈o̶͕̐͜r̷̢̛͇s̸̻̎u̵̞͝k̴̖̃',
    reason: 'Nick z nakładanymi znakami. Zaliczka 30 zł za rangę na serwerze, ranga nie została nadana.',
    verified: false,
    reportedAt: '2024-07-07T07:07:00.000Z',
    views: 66,
  },
  {
    id: '1552101433088901187',
    name: '🦊🔥',
    reason:
      'Rozdanie nitro w wiadomości prywatnej, z prośbą o zeskanowanie kodu QR. Kod loguje cudze urządzenie.',
    verified: true,
    reportedAt: '2026-10-15T21:50:00.000Z',
    views: 702,
  },
  {
    id: '186641673942725999',
    name: 'kowal_z_targu',
    reason:
      'Konto od lat na liście zaufanych. 8 listopada 2026 zaczęło prosić o kody BLIK, najpewniej po przejęciu. ' +
      'Do wyjaśnienia nie wysyłaj pieniędzy.',
    verified: true,
    reportedAt: '2026-11-08T23:02:00.000Z',
    views: 3120,
    proofs: {
      private: false,
      items: [{ url: 'https://example.com/zrzuty/kowal-blik.png', caption: 'Prośba o kod, 8 listopada' }],
    },
  },
];

export const DEMO_SCAMMERS: readonly SampleRecord[] = [
  VERIFIED_WITH_PROOFS,
  RISK,
  ...PROOF_STATES,
  ...NICK_TRAPS,
];
