/** How a bot reads a verdict. */
export const VERDICT_SAMPLES = {
  javascript: String.raw`async function check(baseUrl, member) {
  const query = new URLSearchParams({ id: member.id, name: member.name });
  const response = await fetch(baseUrl + '/api/verdict?' + query);
  if (!response.ok) return 'not checked';
  const { verdict, warnings } = await response.json();
  if (verdict === 'reported' || verdict === 'risk') return verdict; // risk: ask a moderator
  if (warnings.some((warning) => warning.startsWith('id_'))) return 'not checked';
  if (warnings.includes('looks_like_trusted')) return 'compare the ID';
  return verdict === 'trusted' ? 'trusted' : 'unknown';
}`,
  python: String.raw`def check(base_url, member):
    query = urlencode({"id": member.id, "name": member.name})
    try: answer = json.load(urlopen(f"{base_url}/api/verdict?{query}", timeout=10))
    except (OSError, ValueError): return "not checked"
    verdict, warnings = answer["verdict"], answer["warnings"]
    if verdict in ("reported", "risk"): return verdict  # risk: ask a moderator
    if any(warning.startswith("id_") for warning in warnings): return "not checked"
    if "looks_like_trusted" in warnings: return "compare the ID"
    return "trusted" if verdict == "trusted" else "unknown"`,
} as const;
