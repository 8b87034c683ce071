/** Answers of the demo, and where they are made of times and hashes, answers of their shape; the documentation shows them. */
import type { Example } from '#src/http/operation.ts';

export const EXAMPLES = {
  check: {
    zgłoszony: {
      path: '/api/check?id=1558644164640031523',
      value: {
        results: [
          {
            kind: 'scammers',
            entries: [
              {
                _id: '524c710633b244ed78fd3021',
                name: 'kupskin',
                id: '1558644164640031523',
                descHtml:
                  '<p>Jedno zgłoszenie, bez zapisu rozmowy: <strong>80 zł</strong> za skin, towar nie dotarł przez tydzień. Druga strona twierdzi, że wysyłka się opóźnia. Czekamy na potwierdzenie wpłaty.</p>',
                verified: false,
                proofsId: null,
                reportId: 'R-QWBYKQ01P1',
              },
            ],
          },
        ],
      },
    },
    'bez wpisu': {
      path: '/api/check?id=1572250755006587499',
      value: {
        results: [],
      },
    },
  },
  verdict: {
    'podobny nick': {
      path: '/api/verdict?id=1572250755006587499&name=Iis_posrednik',
      value: {
        verdict: 'unknown',
        list: null,
        entries: [],
        warnings: ['looks_like_trusted', 'looks_like_reported'],
        lookAlikes: [
          {
            verdict: 'trusted',
            list: 'legit',
            id: '280864204968068869',
            name: 'Lis_Posrednik',
            reportId: 'R-VJ66A2HBMP',
            why: 'same_shape',
            differs: [
              {
                at: 0,
                from: 'L',
                to: 'I',
                text: 'wielkie I zamiast L',
              },
            ],
          },
          {
            verdict: 'reported',
            list: 'scammers',
            id: '1228899107513245741',
            name: 'Lis_Posrednlk',
            reportId: 'R-33ZJFCMAA8',
            why: 'same_shape',
            differs: [
              {
                at: 0,
                from: 'L',
                to: 'I',
                text: 'wielkie I zamiast L',
              },
              {
                at: 11,
                from: 'l',
                to: 'i',
                text: 'i zamiast l',
              },
            ],
          },
        ],
        dataAt: '2026-11-20T18:41:03.120Z',
      },
    },
  },
  verdicts: {
    'trzy osoby': {
      path: '/api/verdicts?ids=1558644164640031523,280864204968068869,1572250755006587499',
      value: {
        verdicts: {
          '1558644164640031523': {
            verdict: 'risk',
            list: 'scammers',
            reportId: 'R-QWBYKQ01P1',
          },
          '280864204968068869': {
            verdict: 'trusted',
            list: 'legit',
            reportId: 'R-VJ66A2HBMP',
          },
          '1572250755006587499': {
            verdict: 'unknown',
            list: null,
            reportId: null,
          },
        },
        dataAt: '2026-11-20T18:41:03.120Z',
      },
    },
  },
  scammers: {
    ryzyko: {
      path: '/api/scammers?status=risk&search=szybki&limit=1',
      value: {
        data: [
          {
            _id: 'aebfdd8cdcbfe0058d0d65d1',
            name: 'szybki_handel',
            id: '1362225695322297735',
            descHtml:
              '<p>Ten sam nick co w innych wpisach, <strong>inne ID</strong>. Jedno zgłoszenie: opóźniona wysyłka, sprawa w toku.</p>',
            verified: false,
            proofsId: null,
            reportId: 'R-6GENGNMND1',
          },
        ],
        total: 1,
        hasMore: false,
      },
    },
  },
  servers: {
    serwer: {
      path: '/api/servers?id=1422380385857887099',
      value: {
        data: [
          {
            _id: '2248ed1bf0de4b3f2eccbc28',
            name: 'Pomoc Techniczna 24/7',
            id: '1422380385857887099',
            descHtml:
              '<p>Bot „pomocy” prosi o kod z SMS-a. Jedno zgłoszenie, zrzut nieczytelny, czekamy na drugie źródło.</p>',
            verified: false,
            proofsId: null,
            reportId: 'R-9F7DMG9MVT',
          },
        ],
        total: 1,
        hasMore: false,
      },
    },
  },
  legit: {
    zaufany: {
      path: '/api/legit?search=kowal&limit=1',
      value: {
        data: [
          {
            _id: 'a5b9d36b6a949638c84b2643',
            name: 'kowal_z_targu',
            id: '186641673942725999',
            descHtml: '<p>Wymiana przedmiotów i pośrednictwo, wpis z polecenia 12 osób.</p>',
            verified: true,
            proofsId: null,
            reportId: 'R-H4CDT1KMSS',
          },
        ],
        total: 1,
        hasMore: false,
      },
    },
  },
  status: {
    stan: {
      path: '/api/status',
      value: {
        checks: [
          {
            id: 'database',
            ok: true,
            latencyMs: 3,
          },
          {
            id: 'litecoin',
            ok: true,
            latencyMs: 2140,
          },
          {
            id: 'chat_platform',
            ok: false,
            latencyMs: 6000,
          },
          {
            id: 'protection_service',
            ok: false,
            latencyMs: 0,
          },
        ],
        bots: [
          {
            id: 'main_bot',
            ok: true,
            state: 'running',
            uptimeMs: 273600000,
            memoryBytes: 182452224,
            cpuPercent: 3.417,
          },
          {
            id: 'protection_public_bot',
            ok: false,
            state: 'starting',
            uptimeMs: 41000,
            memoryBytes: 61865984,
            cpuPercent: 0,
          },
          {
            id: 'protection_admin_bot',
            ok: false,
            state: 'not_configured',
            uptimeMs: 0,
            memoryBytes: 0,
            cpuPercent: 0,
          },
        ],
        checkedAt: '2026-11-20T18:40:21.346Z',
      },
    },
  },
  history: {
    baza: {
      path: '/api/status/history?id=database&range=7d',
      value: {
        id: 'database',
        range: '7d',
        stepSeconds: 3600,
        since: '2026-11-20T17:00:00.000Z',
        uptimePercent: 99.5,
        steps: [
          {
            at: '2026-11-20T17:00:00.000Z',
            samples: 240,
            okSamples: 239,
            slowSamples: 1,
            latencyMs: 4,
            latencyMsMax: 2140,
          },
        ],
      },
    },
  },
  donation: {
    przekazana: {
      path: '/api/donate/status?id=ltc_d86a1cc7ecc49359cf6c9de33c7f2fd0',
      value: {
        donation: {
          id: 'ltc_d86a1cc7ecc49359cf6c9de33c7f2fd0',
          address: 'ltc1q9xexample',
          status: 'forwarded',
          receivedLtc: 0.5,
          amountPln: 168.4,
          confirmations: 42,
          requiredConfirmations: 6,
          minimumLtc: 0.125,
          txId: 'd2f0c0f6c4e1d0d5a3c39f4d2a9c1a5e8f0b7c6d5e4f3a2b1c0d9e8f7a6b5c4d',
          forwardTxId: 'd2f0c0f6c4e1d0d5a3c39f4d2a9c1a5e8f0b7c6d5e4f3a2b1c0d9e8f7a6b5c4d',
          roleStatus: 'done',
          premiumTier: 'lifetime',
          premiumMonthPln: 20,
          premiumLifetimePln: 150,
          error: null,
          createdAt: '2026-11-20T15:35:00.000Z',
          expiresAt: '2026-11-20T16:35:00.000Z',
        },
      },
    },
  },
  manifest: {
    manifest: {
      path: '/snapshots/manifest.json',
      value: {
        formatVersion: 1,
        generation: 2041,
        generatedAt: '2026-11-20T18:40:21.346Z',
        cursor: 'AZ6yrrBasoNPAAAAAAf5whOUNVva',
        lists: {
          scammers: {
            total: 362,
            chunks: [
              {
                path: '/snapshots/scammers/0-6b0f4c7be1d24a02c1d5f3a9b8e7d6c5b4a3928170f6e5d4c3b2a1908f7e6d5c.json',
                sha256: '6b0f4c7be1d24a02c1d5f3a9b8e7d6c5b4a3928170f6e5d4c3b2a1908f7e6d5c',
                bytes: 241377,
                entries: 362,
              },
            ],
          },
          servers: {
            total: 0,
            chunks: [],
          },
          legit: {
            total: 0,
            chunks: [],
          },
        },
      },
    },
  },
  changes: {
    zmiany: {
      path: '/api/changes?limit=2',
      value: {
        changes: [
          {
            seq: 2042,
            at: '2026-11-20T18:41:03.120Z',
            op: 'added',
            list: 'scammers',
            entry: {
              _id: '524c710633b244ed78fd3021',
              name: 'kupskin',
              id: '1558644164640031523',
              descHtml: '<p>Jedno zgłoszenie, bez zapisu rozmowy.</p>',
              verified: false,
              proofsId: null,
              reportId: 'R-QWBYKQ01P1',
              reportedAt: '2026-11-19T08:15:00.000Z',
              updatedAt: '2026-11-20T18:41:03.120Z',
            },
          },
          {
            seq: 2043,
            at: '2026-11-20T18:44:57.004Z',
            op: 'removed',
            list: 'scammers',
            tombstone: {
              list: 'scammers',
              _id: 'aebfdd8cdcbfe0058d0d65d1',
              reportId: 'R-6GENGNMND1',
              removedAt: '2026-11-20T18:44:57.004Z',
              reasonCode: 'appeal',
            },
          },
        ],
        next: 'AZ6yrrBasoNPAAAAAAf7mK0c11dA',
        hasMore: false,
      },
    },
  },
} satisfies Record<string, Readonly<Record<string, Example>>>;
