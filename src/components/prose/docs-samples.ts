/** Real answers of the demo, as the documentation shows them. */
export const SAMPLES = {
  check: String.raw`{
  "results": [
    {
      "kind": "scammers",
      "entries": [
        {
          "_id": "d4106a909124dd498acc9c7a",
          "name": "kupskin",
          "id": "1558644164640031523",
          "descHtml": "<p>Jedno zgłoszenie, bez zapisu rozmowy: <strong>80 zł</strong> za skin, towar nie dotarł przez tydzień. Druga strona twierdzi, że wysyłka się opóźnia. Czekamy na potwierdzenie wpłaty.</p>",
          "verified": false,
          "proofsId": null,
          "reportId": "R-E828NN75CA"
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
      "_id": "0fdb42fc0e36a747046ae1d3",
      "name": "szybki_handel",
      "id": "1362225695322297735",
      "descHtml": "<p>Ten sam nick co w innych wpisach, <strong>inne ID</strong>. Jedno zgłoszenie: opóźniona wysyłka, sprawa w toku.</p>",
      "verified": false,
      "proofsId": null,
      "reportId": "R-EF2C24TEZS"
    }
  ],
  "total": 1,
  "hasMore": false
}`,
  servers: String.raw`{
  "data": [
    {
      "_id": "3bfc9e35b7ecaf4708a80d22",
      "name": "Pomoc Techniczna 24/7",
      "id": "1422380385857887099",
      "descHtml": "<p>Bot „pomocy” prosi o kod z SMS-a. Jedno zgłoszenie, zrzut nieczytelny, czekamy na drugie źródło.</p>",
      "verified": false,
      "proofsId": null,
      "reportId": "R-AQPPJD6YWY"
    }
  ],
  "total": 1,
  "hasMore": false
}`,
  legit: String.raw`{
  "data": [
    {
      "_id": "6a06975e539ca9624f45bda4",
      "name": "kowal_z_targu",
      "id": "186641673942725999",
      "descHtml": "<p>Wymiana przedmiotów i pośrednictwo, wpis z polecenia 12 osób.</p>",
      "verified": true,
      "proofsId": null,
      "reportId": "R-K05A4JWPKW"
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
      "latencyMs": 0
    },
    {
      "id": "litecoin",
      "ok": false,
      "latencyMs": 0
    },
    {
      "id": "chat_platform",
      "ok": false,
      "latencyMs": 0
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
      "ok": false,
      "state": "not_configured",
      "uptimeMs": 0,
      "memoryBytes": 0,
      "cpuPercent": 0
    },
    {
      "id": "protection_public_bot",
      "ok": false,
      "state": "not_configured",
      "uptimeMs": 0,
      "memoryBytes": 0,
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
