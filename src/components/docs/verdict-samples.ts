/** How a bot reads a verdict; tests run both. */
export const VERDICT_SAMPLES = {
  javascript: String.raw`async function check(baseUrl, member) {
  const query = new URLSearchParams({ id: member.id, name: member.name });
  const answer = await fetch(baseUrl + '/api/verdict?' + query, { signal: AbortSignal.timeout(10_000) })
    .then((response) => (response.ok ? response.json() : undefined)).catch(() => undefined);
  if (!answer) return 'nie sprawdzono';
  const { verdict, warnings } = answer;
  if (verdict === 'reported' || verdict === 'risk') return verdict; // risk: zapytaj moderację
  if (warnings.some((warning) => warning.startsWith('id_'))) return 'nie sprawdzono';
  if (warnings.includes('looks_like_trusted')) return 'porównaj ID';
  if (verdict === 'trusted') return 'trusted';
  return warnings.length > 0 ? 'pokaż ostrzeżenia człowiekowi' : 'unknown';
}`,
  python: String.raw`import http.client, json, urllib.parse, urllib.request

def check(base_url, member):
    query = urllib.parse.urlencode({"id": member.id, "name": member.name})
    try: answer = json.load(urllib.request.urlopen(f"{base_url}/api/verdict?{query}", timeout=10))
    except (OSError, ValueError, http.client.HTTPException): return "nie sprawdzono"
    verdict, warnings = answer["verdict"], answer["warnings"]
    if verdict in ("reported", "risk"): return verdict  # risk: zapytaj moderację
    if any(warning.startswith("id_") for warning in warnings): return "nie sprawdzono"
    if "looks_like_trusted" in warnings: return "porównaj ID"
    if verdict == "trusted": return "trusted"
    return "pokaż ostrzeżenia człowiekowi" if warnings else "unknown"`,
} as const;
