/** Answers of the demo, and code of bots. Times are those of an example. */
export const VERDICT_SAMPLES = {
  verdict: String.raw`{
  "verdict": "unknown",
  "list": null,
  "entries": [],
  "warnings": [
    "looks_like_trusted",
    "looks_like_reported"
  ],
  "lookAlikes": [
    {
      "verdict": "trusted",
      "list": "legit",
      "id": "280864204968068869",
      "name": "Lis_Posrednik",
      "reportId": "R-VJ66A2HBMP",
      "why": "same_shape",
      "differs": [
        {
          "at": 0,
          "from": "L",
          "to": "I",
          "text": "wielkie I zamiast L"
        }
      ]
    },
    {
      "verdict": "reported",
      "list": "scammers",
      "id": "1228899107513245741",
      "name": "Lis_Posrednlk",
      "reportId": "R-33ZJFCMAA8",
      "why": "same_shape",
      "differs": [
        {
          "at": 0,
          "from": "L",
          "to": "I",
          "text": "wielkie I zamiast L"
        },
        {
          "at": 11,
          "from": "l",
          "to": "i",
          "text": "i zamiast l"
        }
      ]
    }
  ],
  "dataAt": "2026-11-20T18:41:03.120Z"
}`,
  verdicts: String.raw`{
  "verdicts": {
    "1558644164640031523": {
      "verdict": "risk",
      "list": "scammers",
      "reportId": "R-QWBYKQ01P1"
    },
    "280864204968068869": {
      "verdict": "trusted",
      "list": "legit",
      "reportId": "R-VJ66A2HBMP"
    },
    "1572250755006587499": {
      "verdict": "unknown",
      "list": null,
      "reportId": null
    }
  },
  "dataAt": "2026-11-20T18:41:03.120Z"
}`,
  javascript: String.raw`async function check(baseUrl, member) {
  const query = new URLSearchParams({ id: member.id, name: member.name });
  const response = await fetch(baseUrl + '/api/verdict?' + query);
  if (!response.ok) return 'not checked';
  const { verdict, warnings } = await response.json();
  if (verdict === 'reported') return 'reported';
  if (verdict === 'risk') return 'risk: ask a moderator';
  if (warnings.includes('looks_like_trusted')) return 'compare the ID';
  return verdict === 'trusted' ? 'trusted' : 'unknown';
}`,
  python: String.raw`def check(base_url, member):
    query = urlencode({"id": member.id, "name": member.name})
    try: answer = json.load(urlopen(f"{base_url}/api/verdict?{query}"))
    except OSError: return "not checked"
    verdict, warnings = answer["verdict"], answer["warnings"]
    if verdict == "reported": return "reported"
    if verdict == "risk": return "risk: ask a moderator"
    if "looks_like_trusted" in warnings: return "compare the ID"
    return "trusted" if verdict == "trusted" else "unknown"`,
} as const;
