import type { SampleRecord } from './sample-record.ts';

/** Hand-written trusted people. */
export const DEMO_LEGIT: readonly SampleRecord[] = [
  {
    id: '280864204968068869',
    name: 'Lis_Posrednik',
    reason:
      'Pośredniczy w wymianach od 2019 roku, ponad 400 zakończonych spraw. ' +
      'Przed każdą wymianą podaje ID i prosi o porównanie go z tą listą.\n\n' +
      '> trzecia wspólna wymiana, wypłata po kwadransie, polecam\n\n' +
      'Nie przyjmuje kodów BLIK ani kart podarunkowych. Jedno konto, innych nicków nie używa.',
    verified: true,
    reportedAt: '2024-01-15T12:00:00.000Z',
    views: 15_230,
    proofs: {
      private: false,
      items: [
        { url: 'https://example.org/opinie/lis', caption: 'Wątek z opiniami' },
        { text: 'Polecenia od moderacji **czterech serwerów**, sprawdzone w grudniu 2023.' },
      ],
    },
  },
  {
    id: '186641673942725999',
    name: 'kowal_z_targu',
    reason: 'Wymiana przedmiotów i pośrednictwo, wpis z polecenia 12 osób.',
    verified: true,
    reportedAt: '2024-03-03T09:30:00.000Z',
    views: 2205,
  },
  {
    id: '496842889849239947',
    name: 'Żubr.Grafik',
    reason: 'Grafika na zamówienie: szkic przed zapłatą, pliki źródłowe w cenie, poprawki następnego dnia.',
    verified: true,
    reportedAt: '2024-11-20T14:14:00.000Z',
    views: 960,
    proofs: {
      private: false,
      items: [{ url: 'https://example.com/galeria/zubr', caption: 'Przykłady prac' }],
    },
  },
  {
    id: '612802908427488897',
    name: 'ola_montuje',
    reason: 'Montaż filmów. Wycena w godzinę, terminy dotrzymane, zapłata w dwóch częściach.',
    verified: true,
    reportedAt: '2025-04-04T04:40:00.000Z',
    views: 411,
  },
  {
    id: '679852601459549031',
    name: 'Strażniczka Kanału',
    reason: 'Moderacja kanałów handlowych. Pomaga po przejęciu konta, **nigdy nie prosi o hasło ani o kod**.',
    verified: true,
    reportedAt: '2025-10-10T18:00:00.000Z',
    views: 1333,
    proofs: { private: true, items: [{ text: 'Polecenia z danymi osób, którym udzielono pomocy.' }] },
  },
  {
    id: '908158736975761853',
    name: 'szybki_handel_pl',
    reason:
      'Sprzedaż doładowań, zapłata po odbiorze. Nick podobny do kilku zgłoszonych kont, dlatego **sprawdzaj ID**.',
    verified: true,
    reportedAt: '2026-08-25T15:00:00.000Z',
    views: 702,
  },
  {
    id: '983163454484418307',
    name: '雪の案内人',
    reason: 'Nauka gry i budowanie map, po polsku i po japońsku. Pierwsza godzina bez opłat.',
    verified: true,
    reportedAt: '2026-06-06T06:06:00.000Z',
    views: 158,
  },
];
