/** How a bot reads a verdict. */
export const VERDICT_SAMPLES = {
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
