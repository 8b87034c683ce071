/** How a bot reads a verdict. */
export const VERDICT_SAMPLES = {
  javascript: String.raw`async function check(baseUrl, member) {
  const query = new URLSearchParams({ id: member.id, name: member.name });
  const response = await fetch(baseUrl + '/api/verdict?' + query);
  if (!response.ok) return 'nie sprawdzono';
  const { verdict, warnings } = await response.json();
  if (verdict === 'reported' || verdict === 'risk') return verdict; // risk: zapytaj moderację
  if (warnings.some((warning) => warning.startsWith('id_'))) return 'nie sprawdzono';
  if (warnings.includes('looks_like_trusted')) return 'porównaj ID';
  return verdict === 'trusted' ? 'trusted' : 'unknown';
}`,
  python: String.raw`def check(base_url, member):
    query = urlencode({"id": member.id, "name": member.name})
    try: answer = json.load(urlopen(f"{base_url}/api/verdict?{query}", timeout=10))
    except (OSError, ValueError): return "nie sprawdzono"
    verdict, warnings = answer["verdict"], answer["warnings"]
    if verdict in ("reported", "risk"): return verdict  # risk: zapytaj moderację
    if any(warning.startswith("id_") for warning in warnings): return "nie sprawdzono"
    if "looks_like_trusted" in warnings: return "porównaj ID"
    return "trusted" if verdict == "trusted" else "unknown"`,
} as const;
