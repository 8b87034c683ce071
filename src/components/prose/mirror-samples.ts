/** What mirrors get, in the shapes that they have; entries and numbers are examples. */
export const MIRROR_SAMPLES = {
  manifest: String.raw`{
  "formatVersion": 1,
  "generation": 2041,
  "generatedAt": "2026-11-20T18:40:21.346Z",
  "cursor": "AZ6yrrBasoNPAAAAAAf5whOUNVva",
  "lists": {
    "scammers": {
      "total": 731,
      "chunks": [
        {
          "path": "/snapshots/scammers/0-6b0f…c1.json",
          "sha256": "6b0f…c1",
          "bytes": 241377,
          "entries": 362
        },
        …
      ]
    },
    "servers": { … },
    "legit": { … }
  }
}`,
  changes: String.raw`{
  "changes": [
    {
      "seq": 2042,
      "at": "2026-11-20T18:41:03.120Z",
      "op": "added",
      "list": "scammers",
      "entry": {
        "_id": "524c710633b244ed78fd3021",
        "name": "kupskin",
        "id": "1558644164640031523",
        "descHtml": "<p>Jedno zgłoszenie, bez zapisu rozmowy.</p>",
        "verified": false,
        "proofsId": null,
        "reportId": "R-QWBYKQ01P1",
        "reportedAt": "2026-11-19T08:15:00.000Z",
        "updatedAt": "2026-11-20T18:41:03.120Z"
      }
    },
    {
      "seq": 2043,
      "at": "2026-11-20T18:44:57.004Z",
      "op": "removed",
      "list": "scammers",
      "tombstone": {
        "list": "scammers",
        "_id": "aebfdd8cdcbfe0058d0d65d1",
        "reportId": "R-6GENGNMND1",
        "removedAt": "2026-11-20T18:44:57.004Z",
        "reasonCode": "appeal"
      }
    }
  ],
  "next": "AZ6yrrBasoNPAAAAAAf7mK0c11dA",
  "hasMore": false
}`,
} as const;
