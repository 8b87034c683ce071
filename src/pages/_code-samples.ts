/** Programs of the documentation; tests run them. They are as short as they can be and still right; /docs/en translates their comments. */

const CHECKED = '1558644164640031523';

export const quickStart = (baseUrl: string) => [
  { language: 'curl', code: `curl --fail --get \\\n  --data 'id=${CHECKED}' \\\n  '${baseUrl}/api/verdict'` },
  {
    language: 'JavaScript',
    code: `const id = '${CHECKED}'; // tekst, nigdy liczba
const answer = await fetch(\`${baseUrl}/api/verdict?id=\${id}\`);
if (!answer.ok) throw new Error(\`To nie jest wynik: \${answer.status}\`);
const { verdict, warnings } = await answer.json();
console.log(verdict, ...warnings); // unknown: brak wpisu, ale to nie znaczy „bezpiecznie”`,
  },
  {
    language: 'Python',
    code: `import json, urllib.request

id = "${CHECKED}"
# Kod inny niż 200 to wyjątek HTTPError, a nie wynik.
url = f"${baseUrl}/api/verdict?id={id}"
answer = json.load(urllib.request.urlopen(url, timeout=10))
# unknown: brak wpisu, ale to nie znaczy „bezpiecznie”
print(answer["verdict"], *answer["warnings"])`,
  },
];

/** A sample in both languages, for CodeTabs. */
export const tabsOf = (
  { javascript, python }: Readonly<Record<'javascript' | 'python', string>>,
  translate = (code: string): string => code,
) => [
  { language: 'JavaScript', code: translate(javascript) },
  { language: 'Python', code: translate(python) },
];

export const eventsSample = (
  baseUrl: string,
): string => `const since = page.next; // z /api/changes, gdy hasMore to false
// copy: Map z wpisami pod _id. startFromManifest: Twoja funkcja, która wczytuje całość.
const events = new EventSource(\`${baseUrl}/api/changes/events?since=\${since}\`);
events.onmessage = ({ data }) => {
  const change = JSON.parse(data);
  if (change.op === 'removed') copy.delete(change.tombstone._id);
  else copy.set(change.entry._id, { ...change.entry, list: change.list });
};
events.onerror = () => {
  // CONNECTING: wraca samo. CLOSED: odpowiedź inna niż 200, nie wiadomo która.
  if (events.readyState === EventSource.CLOSED) setTimeout(startFromManifest, 30_000);
};`;

/** A ban ends when its entry is removed, no longer confirmed, about another ID, or that of a recovered trusted account. */
export const LIFT_SAMPLE = String.raw`// bans: Map z reportId na ID osoby, zapisane przy banie.
// Wołaj co pół minuty; zwraca kursor na następny raz.
async function liftBans(baseUrl, since, bans, unban) {
  const url = baseUrl + '/api/changes?limit=500&since=' + since;
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  // Po 400 i 410 zacznij od cursor z manifestu i sprawdź wszystkie bany.
  if (!answer.ok) throw new Error(answer.status);
  const { changes, next, hasMore } = await answer.json();
  for (const { list, entry, tombstone } of changes) {
    const { reportId, id, verified, account } = entry ?? tombstone;
    const banned = bans.get(reportId);
    const stands = list === 'legit' ? account === 'hijacked' : verified;
    if (!banned || (stands && id === banned)) continue;
    await unban(banned); // usunięto, nie potwierdzono, inne ID albo zaufany odzyskał konto
    bans.delete(reportId);
  }
  return hasMore ? liftBans(baseUrl, next, bans, unban) : next;
}`;

export const typesSample = (baseUrl: string): string =>
  `npx openapi-typescript@7 ${baseUrl}/openapi.json -o czujka.d.ts`;

export const typedClientSample = (baseUrl: string): string => `import createClient from 'openapi-fetch';
import type { paths } from './czujka.d.ts';

const czujka = createClient<paths>({ baseUrl: '${baseUrl}' });
const { data, error, response } = await czujka.GET('/api/check', {
  params: { query: { id: '${CHECKED}' } },
});
if (!data) throw new Error(\`\${response.status}: \${error?.error}\`); // to nie jest wynik
for (const { kind, entries } of data.results) console.log(kind, entries.length);`;

export const botSample = (
  baseUrl: string,
): string => `import hashlib, json, os, threading, time, urllib.error, urllib.parse, urllib.request
import discord  # pip install discord.py

BASE = "${baseUrl}"
entries = {}  # _id -> zgłoszona osoba albo przejęte konto zaufanej; bez serwerów
fresh_at = float("-inf")  # kiedy kopia była ostatnio aktualna

def get(path):
    while True:
        try:
            with urllib.request.urlopen(BASE + path, timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code in (400, 404, 410):  # kursor albo plik, którego już nie ma
                raise
            # 429, 500 i 503 to nie odpowiedź
            time.sleep(int(error.headers.get("Retry-After") or 30))

def keep(copy, kind, entry):
    copy.pop(entry["_id"], None)
    if kind == "scammers" or (kind == "legit" and entry["account"] == "hijacked"):
        copy[entry["_id"]] = {**entry, "list": kind}

def load():
    manifest = json.loads(get("/snapshots/manifest.json"))
    if manifest["formatVersion"] != 1:
        raise ValueError("nieznana wersja plików")
    fresh = {}
    for kind in ("scammers", "legit"):
        for chunk in manifest["lists"][kind]["chunks"]:
            body = get(chunk["path"])
            if hashlib.sha256(body).hexdigest() != chunk["sha256"]:
                raise ValueError("zła suma SHA-256")
            for entry in json.loads(body):
                keep(fresh, kind, entry)
    return fresh, manifest["cursor"]

def follow():
    global entries, fresh_at
    cursor = None
    while True:
        try:
            if cursor is None:
                entries, cursor = load()
            since = urllib.parse.quote(cursor)
            page = json.loads(get("/api/changes?limit=500&since=" + since))
            for change in page["changes"]:
                if change["op"] == "removed":
                    entries.pop(change["tombstone"]["_id"], None)
                else:
                    keep(entries, change["list"], change["entry"])
            cursor = page["next"]
            if page["hasMore"]:
                continue
            fresh_at = time.monotonic()
        except urllib.error.HTTPError:
            cursor = None  # kopia jest nieważna: zaczynamy od manifestu
        except Exception as error:  # brak sieci albo zła odpowiedź: kopia zostaje
            print("kopia nie jest odświeżana:", error)
        time.sleep(30)

class Bot(discord.Client):
    async def setup_hook(self):
        threading.Thread(target=follow, daemon=True).start()

    async def on_member_join(self, member):
        # Nie publiczny: wpis to nie wyrok.
        channel = self.get_channel(int(os.environ["MODERATORS_CHANNEL"]))
        if time.monotonic() - fresh_at > 600:  # brak wpisu w starej kopii nic nie znaczy
            await channel.send(f"{member.id}: nie sprawdzono, kopia list jest stara.")
        for entry in list(entries.values()):  # ID to tekst, nigdy liczba
            if entry["id"] == str(member.id):
                confirmed = entry["verified"]
                word = "Potwierdzone zgłoszenie" if confirmed else "Zgłoszenie niepotwierdzone"
                word = "Zaufana osoba" if entry["list"] == "legit" else word
                word += ", konto przejęte" if entry["account"] == "hijacked" else ""
                await channel.send(f"{member.id}: {word}, {BASE}/wpis/{entry['reportId']}")

if __name__ == "__main__":
    bot = Bot(intents=discord.Intents(guilds=True, members=True))
    bot.run(os.environ["DISCORD_TOKEN"])`;

/** The functions that read a verdict. */
export const VERDICT_SAMPLES = {
  javascript: String.raw`// Zwraca verdict, kod ostrzeżenia albo not_checked, gdy nie udało się sprawdzić.
async function check(baseUrl, member) {
  const query = new URLSearchParams({ id: member.id, name: member.name });
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(baseUrl + '/api/verdict?' + query, { signal })
    .then((response) => response.ok && response.json()).catch(() => false);
  if (!answer) return 'not_checked'; // błąd to nie wynik: spróbuj później
  const { verdict, warnings } = answer;
  // risk: niech zdecyduje moderacja
  if (verdict === 'reported' || verdict === 'risk') return verdict;
  const doubt = warnings.find((code) => /^id_|looks_like_trusted/.test(code));
  if (doubt) return doubt; // id_…: pobierz ID jeszcze raz; looks_like_trusted: porównaj ID
  if (verdict === 'trusted') return verdict;
  return warnings[0] ?? verdict; // ostrzeżenie pokaż człowiekowi
}`,
  python: String.raw`import http.client, json, urllib.parse, urllib.request

# Zwraca verdict, kod ostrzeżenia albo not_checked, gdy nie udało się sprawdzić.
def check(base_url, member):
    query = urllib.parse.urlencode({"id": member.id, "name": member.name})
    url = f"{base_url}/api/verdict?{query}"
    try: answer = json.load(urllib.request.urlopen(url, timeout=10))
    # Błąd to nie wynik.
    except (OSError, ValueError, http.client.HTTPException): return "not_checked"
    verdict, warnings = answer["verdict"], answer["warnings"]
    if verdict in ("reported", "risk"): return verdict  # risk: niech zdecyduje moderacja
    doubts = [code for code in warnings if code.startswith(("id_", "looks_like_trusted"))]
    # id_…: pobierz ID jeszcze raz; looks_like_trusted: porównaj ID
    if doubts: return doubts[0]
    if verdict == "trusted": return verdict
    return warnings[0] if warnings else verdict  # ostrzeżenie pokaż człowiekowi`,
} as const;

/** Programs that ask without telling whom they ask about. */
export const PREFIX_SAMPLES = {
  javascript: String.raw`import { createHash } from 'node:crypto';

let prefixes, etag, freshAt = 0;

// Wołaj co 30 s. Gdy się nie uda, zostaje to, co było.
export async function refresh(baseUrl) {
  const headers = etag ? { 'If-None-Match': etag } : {};
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(baseUrl + '/snapshots/prefixes', { headers, signal });
  const type = answer.headers.get('content-type');
  if (answer.status === 200) {
    if (type !== 'application/octet-stream') throw new Error('to nie skróty');
    const bytes = new DataView(await answer.arrayBuffer());
    prefixes = new Set();
    for (let at = 0; at < bytes.byteLength; at += 4) prefixes.add(bytes.getUint32(at));
    etag = answer.headers.get('etag');
  } else if (answer.status !== 304) {
    throw new Error('skróty: ' + answer.status);
  }
  freshAt = Date.now();
}

export async function check(baseUrl, id) { // ID to tekst
  if (!prefixes || Date.now() - freshAt > 600_000) return 'not_checked';
  if (!prefixes.has(createHash('sha256').update(id).digest().readUInt32BE())) {
    if (!/^[1-9]\d{16,19}$/.test(id)) return 'id_malformed'; // id_…: pobierz ID jeszcze raz
    return String(Number(id)) === id ? 'id_rounded' : 'unknown';
  }
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(baseUrl + '/api/verdict?id=' + id, { signal })
    .then((response) => response.ok && response.json()).catch(() => false);
  return answer ? answer.verdict : 'not_checked';
}`,
  python: String.raw`import decimal, hashlib, http.client, json, re, struct, time, urllib.error, urllib.request

prefixes, etag, fresh_at = None, "", float("-inf")

# Wołaj co 30 s. Gdy się nie uda, zostaje to, co było.
def refresh(base_url):
    global prefixes, etag, fresh_at
    headers = {"If-None-Match": etag}
    request = urllib.request.Request(base_url + "/snapshots/prefixes", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            if answer.headers["Content-Type"] != "application/octet-stream":
                raise ValueError("to nie skróty")
            prefixes = {prefix for (prefix,) in struct.iter_unpack(">I", answer.read())}
            etag = answer.headers["ETag"]
    except urllib.error.HTTPError as error:
        if error.code != 304: raise
    fresh_at = time.monotonic()

def check(base_url, id):  # ID to tekst
    if prefixes is None or time.monotonic() - fresh_at > 600: return "not_checked"
    (prefix,) = struct.unpack(">I", hashlib.sha256(id.encode()).digest()[:4])
    if prefix not in prefixes:
        # id_…: pobierz ID jeszcze raz
        if not re.fullmatch("[1-9][0-9]{16,19}", id): return "id_malformed"
        return "id_rounded" if f"{decimal.Decimal(repr(float(id))):f}" == id else "unknown"
    url = base_url + "/api/verdict?id=" + id
    try: return json.load(urllib.request.urlopen(url, timeout=10))["verdict"]
    except (OSError, ValueError, http.client.HTTPException): return "not_checked"`,
} as const;

/** Comments and texts of the samples in English; longer ones first. */
const IN_ENGLISH = Object.entries({
  'CONNECTING: wraca samo. CLOSED: odpowiedź inna niż 200, nie wiadomo która.':
    'CONNECTING: it reconnects. CLOSED: the status was not 200; EventSource hides which.',
  'bans: Map z reportId na ID osoby, zapisane przy banie.':
    'bans: Map from reportId to the banned person’s ID, stored with each ban.',
  'Wołaj co pół minuty; zwraca kursor na następny raz.':
    'Call every 30 seconds; returns the cursor for the next call.',
  'Zwraca verdict, kod ostrzeżenia albo not_checked, gdy nie udało się sprawdzić.':
    'Returns the verdict, a warning code, or not_checked if the check failed.',
  'copy: Map z wpisami pod _id. startFromManifest: Twoja funkcja, która wczytuje całość.':
    'copy: Map of entries by _id. startFromManifest: your function that loads it all.',
  'Po 400 i 410 zacznij od cursor z manifestu i sprawdź wszystkie bany.':
    'On 400 or 410, start over from the manifest’s cursor and re-check every ban.',
  'usunięto, nie potwierdzono, inne ID albo zaufany odzyskał konto':
    'removed, not confirmed, another ID, or a trusted account is back',
  'id_…: pobierz ID jeszcze raz; looks_like_trusted: porównaj ID':
    'id_…: get the ID again; looks_like_trusted: compare the IDs',
  'brak sieci albo zła odpowiedź: kopia zostaje': 'no network or a bad answer: keep the copy',
  '_id -> zgłoszona osoba albo przejęte konto zaufanej; bez serwerów':
    '_id -> reported person, or hijacked account of a trusted one; no servers',
  'unknown: brak wpisu, ale to nie znaczy „bezpiecznie”': 'unknown: no entry, which does not mean “safe”',
  'Wołaj co 30 s. Gdy się nie uda, zostaje to, co było.': 'Call every 30 s. If it fails, the old data stays.',
  'Kod inny niż 200 to wyjątek HTTPError, a nie wynik.':
    'A status other than 200 raises HTTPError: it is not a result.',
  'id_…: pobierz ID jeszcze raz': 'id_…: get the ID again',
  'kopia jest nieważna: zaczynamy od manifestu': 'the copy is invalid: start from the manifest',
  'kursor albo plik, którego już nie ma': 'a cursor or file that is gone',
  'brak wpisu w starej kopii nic nie znaczy': 'a stale copy without an entry means nothing',
  'nie sprawdzono, kopia list jest stara.': 'not checked, the copy of the lists is stale.',
  'kiedy kopia była ostatnio aktualna': 'when the copy was last up to date',
  'z /api/changes, gdy hasMore to false': 'from /api/changes, once hasMore is false',
  '429, 500 i 503 to nie odpowiedź': '429, 500 and 503 are not answers',
  'Nie publiczny: wpis to nie wyrok.': 'Not a public one: an entry is a report, not a conviction.',
  'błąd to nie wynik: spróbuj później': 'an error is not a result: try again later',
  'ostrzeżenie pokaż człowiekowi': 'show warnings to a human',
  'risk: niech zdecyduje moderacja': 'risk: let moderators decide',
  'kopia nie jest odświeżana:': 'the copy was not refreshed:',
  'ID to tekst, nigdy liczba': 'an ID is text, never a number',
  'To nie jest wynik': 'Not a result',
  'to nie jest wynik': 'not a result',
  'tekst, nigdy liczba': 'text, never a number',
  'Potwierdzone zgłoszenie': 'Confirmed report',
  'Zgłoszenie niepotwierdzone': 'Unconfirmed report',
  'nieznana wersja plików': 'unknown file version',
  'zła suma SHA-256': 'SHA-256 mismatch',
  'konto przejęte': 'account taken over',
  'Zaufana osoba': 'Trusted person',
  'Błąd to nie wynik.': 'An error is not a result.',
  'ID to tekst': 'an ID is text',
  'to nie skróty': 'not prefixes',
  skróty: 'prefixes',
});

export function inEnglish(code: string): string {
  return IN_ENGLISH.reduce((text, [polish, english]) => text.replaceAll(polish, english), code);
}
