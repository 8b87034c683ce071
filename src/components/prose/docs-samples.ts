/** Real answers of the demo, as the documentation shows them. */
export const SAMPLES = {
  check: String.raw`{
  "results": [
    {
      "kind": "scammers",
      "entries": [
        {
          "_id": "524c710633b244ed78fd3021",
          "name": "kupskin",
          "id": "1558644164640031523",
          "descHtml": "<p>Jedno zgłoszenie, bez zapisu rozmowy: <strong>80 zł</strong> za skin, towar nie dotarł przez tydzień. Druga strona twierdzi, że wysyłka się opóźnia. Czekamy na potwierdzenie wpłaty.</p>",
          "verified": false,
          "proofsId": null,
          "reportId": "R-QWBYKQ01P1"
        }
      ]
    }
  ]
}`,
  checkEmpty: String.raw`{
  "results": []
}`,
  scammers: String.raw`{
  "data": [
    {
      "_id": "aebfdd8cdcbfe0058d0d65d1",
      "name": "szybki_handel",
      "id": "1362225695322297735",
      "descHtml": "<p>Ten sam nick co w innych wpisach, <strong>inne ID</strong>. Jedno zgłoszenie: opóźniona wysyłka, sprawa w toku.</p>",
      "verified": false,
      "proofsId": null,
      "reportId": "R-6GENGNMND1"
    }
  ],
  "total": 1,
  "hasMore": false
}`,
  servers: String.raw`{
  "data": [
    {
      "_id": "2248ed1bf0de4b3f2eccbc28",
      "name": "Pomoc Techniczna 24/7",
      "id": "1422380385857887099",
      "descHtml": "<p>Bot „pomocy” prosi o kod z SMS-a. Jedno zgłoszenie, zrzut nieczytelny, czekamy na drugie źródło.</p>",
      "verified": false,
      "proofsId": null,
      "reportId": "R-9F7DMG9MVT"
    }
  ],
  "total": 1,
  "hasMore": false
}`,
  legit: String.raw`{
  "data": [
    {
      "_id": "a5b9d36b6a949638c84b2643",
      "name": "kowal_z_targu",
      "id": "186641673942725999",
      "descHtml": "<p>Wymiana przedmiotów i pośrednictwo, wpis z polecenia 12 osób.</p>",
      "verified": true,
      "proofsId": null,
      "reportId": "R-H4CDT1KMSS"
    }
  ],
  "total": 1,
  "hasMore": false
}`,
  status: String.raw`{
  "checks": [
    {
      "id": "database",
      "ok": true,
      "latencyMs": 3
    },
    {
      "id": "litecoin",
      "ok": true,
      "latencyMs": 2140
    },
    {
      "id": "chat_platform",
      "ok": false,
      "latencyMs": 6000
    },
    {
      "id": "protection_service",
      "ok": false,
      "latencyMs": 0
    }
  ],
  "bots": [
    {
      "id": "main_bot",
      "ok": true,
      "state": "running",
      "uptimeMs": 273600000,
      "memoryBytes": 182452224,
      "cpuPercent": 3.417
    },
    {
      "id": "protection_public_bot",
      "ok": false,
      "state": "starting",
      "uptimeMs": 41000,
      "memoryBytes": 61865984,
      "cpuPercent": 0
    },
    {
      "id": "protection_admin_bot",
      "ok": false,
      "state": "not_configured",
      "uptimeMs": 0,
      "memoryBytes": 0,
      "cpuPercent": 0
    }
  ],
  "checkedAt": "2026-11-20T18:40:21.346Z"
}`,
  donation: String.raw`{
  "error": "Nie znaleziono"
}`,
  limited: String.raw`{
  "error": "Za dużo zapytań. Spróbuj ponownie za 23 s."
}`,
} as const;
