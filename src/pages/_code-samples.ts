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
console.log(verdict, ...warnings); // unknown: brak wpisu, co nie znaczy, że jest bezpiecznie`,
  },
  {
    language: 'Python',
    code: `import json, urllib.request

id = "${CHECKED}"
# Kod inny niż 200 to wyjątek HTTPError, a nie wynik.
with urllib.request.urlopen(f"${baseUrl}/api/verdict?id={id}", timeout=10) as answer:
    answer = json.load(answer)
print(answer["verdict"], *answer["warnings"])  # unknown: brak wpisu, co nie znaczy, że jest bezpiecznie`,
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
  // CONNECTING: wraca samo. CLOSED: odpowiedź inna niż 200; EventSource nie mówi która, więc odczekaj i zacznij od manifestu.
  if (events.readyState === EventSource.CLOSED) setTimeout(startFromManifest, 30_000);
};`;

/** A ban ends when its entry is removed, no longer confirmed, or turns out to be about another ID. */
export const LIFT_SAMPLE = String.raw`// bans: Map z reportId na ID osoby, zapisane przy banie.
// Wołaj co pół minuty; zwraca kursor na następny raz.
async function liftBans(baseUrl, since, bans, unban) {
  const url = baseUrl + '/api/changes?limit=500&since=' + since;
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(answer.status); // po 400 i 410 zacznij od cursor z manifestu i sprawdź wszystkie bany
  const { changes, next, hasMore } = await answer.json();
  for (const { entry, tombstone } of changes) {
    const { reportId, id, verified } = entry ?? tombstone;
    const banned = bans.get(reportId);
    if (!banned || (verified && id === banned)) continue;
    await unban(banned); // wpis usunięto, nie jest potwierdzony albo dotyczy innego ID
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
entries = {}  # _id -> wpis z listy zgłoszonych osób; serwery to inna lista
fresh_at = float("-inf")  # kiedy kopia była ostatnio aktualna

def get(path):
    while True:
        try:
            with urllib.request.urlopen(BASE + path, timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code in (400, 404, 410):  # kursor albo plik, którego już nie ma
                raise
            time.sleep(int(error.headers.get("Retry-After") or 30))  # 429, 500 i 503 to nie odpowiedź

def load():
    manifest = json.loads(get("/snapshots/manifest.json"))
    if manifest["formatVersion"] != 1:
        raise ValueError("nieznana wersja plików")
    fresh = {}
    for chunk in manifest["lists"]["scammers"]["chunks"]:
        body = get(chunk["path"])
        if hashlib.sha256(body).hexdigest() != chunk["sha256"]:
            raise ValueError("zła suma SHA-256")
        fresh.update((entry["_id"], entry) for entry in json.loads(body))
    return fresh, manifest["cursor"]

def follow():
    global entries, fresh_at
    cursor = None
    while True:
        try:
            if cursor is None:
                entries, cursor = load()
            page = json.loads(get("/api/changes?limit=500&since=" + urllib.parse.quote(cursor)))
            for change in page["changes"]:
                if change["op"] == "removed":
                    entries.pop(change["tombstone"]["_id"], None)
                elif change["list"] == "scammers":
                    entries[change["entry"]["_id"]] = change["entry"]
            cursor = page["next"]
            if page["hasMore"]:
                continue
            fresh_at = time.monotonic()
        except urllib.error.HTTPError:
            cursor = None  # kopia jest nieważna: zaczynamy od manifestu
        except Exception as error:  # brak sieci, urwana albo zła odpowiedź: kopia zostaje, pytamy znowu
            print("kopia nie jest odświeżana:", error)
        time.sleep(30)

class Bot(discord.Client):
    async def setup_hook(self):
        threading.Thread(target=follow, daemon=True).start()

    async def on_member_join(self, member):
        channel = self.get_channel(int(os.environ["MODERATORS_CHANNEL"]))  # nie publiczny: wpis to nie wyrok
        if time.monotonic() - fresh_at > 600:  # brak wpisu w starej kopii nic nie znaczy
            await channel.send(f"{member.id}: nie sprawdzono, kopia list nie jest aktualna.")
        for entry in list(entries.values()):  # ID to tekst, nigdy liczba
            if entry["id"] == str(member.id):
                word = "Potwierdzone zgłoszenie" if entry["verified"] else "Zgłoszenie niepotwierdzone"
                word += ", konto przejęte" if entry["account"] == "hijacked" else ""
                await channel.send(f"{member.id}: {word}, {BASE}/wpis/{entry['reportId']}")

if __name__ == "__main__":
    Bot(intents=discord.Intents(guilds=True, members=True)).run(os.environ["DISCORD_TOKEN"])`;

/** The functions that read a verdict. */
export const VERDICT_SAMPLES = {
  javascript: String.raw`// Zwraca verdict albo kod ostrzeżenia z API, a gdy nie udało się sprawdzić, not_checked.
async function check(baseUrl, member) {
  const query = new URLSearchParams({ id: member.id, name: member.name });
  const answer = await fetch(baseUrl + '/api/verdict?' + query, { signal: AbortSignal.timeout(10_000) })
    .then((response) => (response.ok ? response.json() : undefined)).catch(() => undefined);
  if (!answer) return 'not_checked'; // błąd to nie wynik: spróbuj później
  const { verdict, warnings } = answer;
  if (verdict === 'reported' || verdict === 'risk') return verdict; // risk: niech zdecyduje moderacja
  const doubt = warnings.find((code) => code.startsWith('id_') || code === 'looks_like_trusted');
  if (doubt) return doubt; // id_…: pobierz ID jeszcze raz; looks_like_trusted: porównaj ID
  if (verdict === 'trusted') return verdict;
  return warnings[0] ?? verdict; // ostrzeżenie pokaż człowiekowi
}`,
  python: String.raw`import http.client, json, urllib.parse, urllib.request

# Zwraca verdict albo kod ostrzeżenia z API, a gdy nie udało się sprawdzić, not_checked.
def check(base_url, member):
    query = urllib.parse.urlencode({"id": member.id, "name": member.name})
    try: answer = json.load(urllib.request.urlopen(f"{base_url}/api/verdict?{query}", timeout=10))
    except (OSError, ValueError, http.client.HTTPException): return "not_checked"  # błąd to nie wynik
    verdict, warnings = answer["verdict"], answer["warnings"]
    if verdict in ("reported", "risk"): return verdict  # risk: niech zdecyduje moderacja
    doubts = [code for code in warnings if code.startswith("id_") or code == "looks_like_trusted"]
    if doubts: return doubts[0]  # id_…: pobierz ID jeszcze raz; looks_like_trusted: porównaj ID
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
  const answer = await fetch(baseUrl + '/snapshots/prefixes', { headers, signal: AbortSignal.timeout(10_000) });
  if (answer.status !== 200 && answer.status !== 304) throw new Error('skróty: ' + answer.status);
  if (answer.status === 200) {
    if (answer.headers.get('content-type') !== 'application/octet-stream') throw new Error('to nie skróty');
    const bytes = new DataView(await answer.arrayBuffer());
    prefixes = new Set(Array.from({ length: bytes.byteLength / 4 }, (_, at) => bytes.getUint32(4 * at)));
    etag = answer.headers.get('etag');
  }
  freshAt = Date.now();
}

export async function check(baseUrl, id) { // ID to tekst
  if (!prefixes || Date.now() - freshAt > 600_000) return 'not_checked';
  if (!prefixes.has(createHash('sha256').update(id).digest().readUInt32BE())) {
    if (!/^[1-9]\d{16,19}$/.test(id)) return 'id_malformed'; // id_…: pobierz ID jeszcze raz
    return String(Number(id)) === id ? 'id_rounded' : 'unknown';
  }
  const answer = await fetch(baseUrl + '/api/verdict?id=' + id, { signal: AbortSignal.timeout(10_000) })
    .then((response) => (response.ok ? response.json() : undefined)).catch(() => undefined);
  return answer?.verdict ?? 'not_checked';
}`,
  python: String.raw`import decimal, hashlib, http.client, json, re, struct, time, urllib.error, urllib.request

prefixes, etag, fresh_at = None, "", float("-inf")

# Wołaj co 30 s. Gdy się nie uda, zostaje to, co było.
def refresh(base_url):
    global prefixes, etag, fresh_at
    request = urllib.request.Request(base_url + "/snapshots/prefixes", headers={"If-None-Match": etag})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            if answer.headers["Content-Type"] != "application/octet-stream": raise ValueError("to nie skróty")
            prefixes = {prefix for (prefix,) in struct.iter_unpack(">I", answer.read())}
            etag = answer.headers["ETag"]
    except urllib.error.HTTPError as error:
        if error.code != 304: raise
    fresh_at = time.monotonic()

def check(base_url, id):  # ID to tekst
    if prefixes is None or time.monotonic() - fresh_at > 600: return "not_checked"
    (prefix,) = struct.unpack(">I", hashlib.sha256(id.encode()).digest()[:4])
    if prefix not in prefixes:
        if not re.fullmatch("[1-9][0-9]{16,19}", id): return "id_malformed"  # id_…: pobierz ID jeszcze raz
        return "id_rounded" if f"{decimal.Decimal(repr(float(id))):f}" == id else "unknown"
    try: return json.load(urllib.request.urlopen(base_url + "/api/verdict?id=" + id, timeout=10))["verdict"]
    except (OSError, ValueError, http.client.HTTPException): return "not_checked"`,
} as const;

/** Comments and texts of the samples in English; longer ones first. */
const IN_ENGLISH = Object.entries({
  'CONNECTING: wraca samo. CLOSED: odpowiedź inna niż 200; EventSource nie mówi która, więc odczekaj i zacznij od manifestu.':
    'CONNECTING: it returns by itself. CLOSED: an answer other than 200; EventSource does not say which, so wait and start from the manifest.',
  'bans: Map z reportId na ID osoby, zapisane przy banie.':
    'bans: Map from reportId to the ID of the person, stored with the ban.',
  'Wołaj co pół minuty; zwraca kursor na następny raz.':
    'Call every half minute; returns the cursor for the next time.',
  'Zwraca verdict albo kod ostrzeżenia z API, a gdy nie udało się sprawdzić, not_checked.':
    'Returns the verdict or the code of a warning, and not_checked when the check failed.',
  'copy: Map z wpisami pod _id. startFromManifest: Twoja funkcja, która wczytuje całość.':
    'copy: Map of entries by _id. startFromManifest: your function that loads everything.',
  'po 400 i 410 zacznij od cursor z manifestu i sprawdź wszystkie bany':
    'after 400 and 410 start from cursor of the manifest and check all bans',
  'wpis usunięto, nie jest potwierdzony albo dotyczy innego ID':
    'the entry is removed, not confirmed, or about another ID',
  'id_…: pobierz ID jeszcze raz; looks_like_trusted: porównaj ID':
    'id_…: read the ID again; looks_like_trusted: compare the IDs',
  'brak sieci, urwana albo zła odpowiedź: kopia zostaje, pytamy znowu':
    'no network, a cut or bad answer: the copy stays, we ask again',
  '_id -> wpis z listy zgłoszonych osób; serwery to inna lista':
    '_id -> entry of the list of reported people; servers are another list',
  'unknown: brak wpisu, co nie znaczy, że jest bezpiecznie': 'unknown: no entry, which does not mean safe',
  'Wołaj co 30 s. Gdy się nie uda, zostaje to, co było.': 'Call every 30 s. If it fails, the old data stay.',
  'Kod inny niż 200 to wyjątek HTTPError, a nie wynik.':
    'A status other than 200 raises HTTPError; it is no result.',
  'id_…: pobierz ID jeszcze raz': 'id_…: read the ID again',
  'kopia jest nieważna: zaczynamy od manifestu': 'the copy is invalid: start from the manifest',
  'kursor albo plik, którego już nie ma': 'a cursor or a file that is gone',
  'brak wpisu w starej kopii nic nie znaczy': 'no entry in an old copy means nothing',
  'nie sprawdzono, kopia list nie jest aktualna.': 'not checked, the copy of the lists is out of date.',
  'kiedy kopia była ostatnio aktualna': 'when the copy was last up to date',
  'z /api/changes, gdy hasMore to false': 'of /api/changes, when hasMore is false',
  '429, 500 i 503 to nie odpowiedź': '429, 500 and 503 are no answer',
  'nie publiczny: wpis to nie wyrok': 'not a public one: an entry is no verdict of a court',
  'błąd to nie wynik: spróbuj później': 'an error is no result: try later',
  'ostrzeżenie pokaż człowiekowi': 'show a warning to a human',
  'risk: niech zdecyduje moderacja': 'risk: let moderators decide',
  'kopia nie jest odświeżana:': 'the copy is not refreshed:',
  'ID to tekst, nigdy liczba': 'an ID is a text, never a number',
  'To nie jest wynik': 'This is no result',
  'to nie jest wynik': 'this is no result',
  'tekst, nigdy liczba': 'a text, never a number',
  'Potwierdzone zgłoszenie': 'Confirmed report',
  'Zgłoszenie niepotwierdzone': 'Unconfirmed report',
  'nieznana wersja plików': 'unknown version of the files',
  'zła suma SHA-256': 'wrong SHA-256',
  'konto przejęte': 'account taken over',
  'błąd to nie wynik': 'an error is no result',
  'ID to tekst': 'an ID is a text',
  'to nie skróty': 'these are no prefixes',
  skróty: 'prefixes',
});

export function inEnglish(code: string): string {
  return IN_ENGLISH.reduce((text, [polish, english]) => text.replaceAll(polish, english), code);
}
