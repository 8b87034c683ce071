/** Programs of the documentation; tests run them. They are as short as they can be and still right. */

const CHECKED = '1558644164640031523';

export const quickStart = (baseUrl: string) => [
  { language: 'curl', code: `curl '${baseUrl}/api/check?id=${CHECKED}'` },
  {
    language: 'JavaScript',
    code: `const id = '${CHECKED}'; // tekst, nigdy liczba
const answer = await fetch(\`${baseUrl}/api/check?id=\${id}\`);
if (!answer.ok) throw new Error(\`To nie jest wynik: \${answer.status}\`);
const { results } = await answer.json();
for (const { kind, entries } of results)
  for (const { name, verified } of entries) console.log(kind, name, verified);
if (results.length === 0) console.log('Brak wpisu. To nie znaczy, że jest bezpiecznie.');`,
  },
  {
    language: 'Python',
    code: `import json, urllib.request

id = "${CHECKED}"
# Kod inny niż 200 to wyjątek HTTPError, a nie wynik.
with urllib.request.urlopen(f"${baseUrl}/api/check?id={id}", timeout=10) as answer:
    results = json.load(answer)["results"]
for result in results:
    for entry in result["entries"]:
        print(result["kind"], entry["name"], entry["verified"])
if not results:
    print("Brak wpisu. To nie znaczy, że jest bezpiecznie.")`,
  },
];

export const eventsSample = (
  baseUrl: string,
): string => `const since = page.next; // z /api/changes, gdy hasMore jest fałszem
const events = new EventSource(\`${baseUrl}/api/changes/events?since=\${since}\`);
events.onmessage = ({ data }) => {
  const change = JSON.parse(data);
  if (change.op === 'removed') copy.delete(change.tombstone._id);
  else copy.set(change.entry._id, change.entry);
};
events.onerror = () => {
  // CONNECTING: wraca samo. CLOSED: odpowiedź inna niż 200, na przykład 410 albo 503; odczekaj i zacznij od manifestu.
  if (events.readyState === EventSource.CLOSED) setTimeout(startFromManifest, 30_000);
};`;

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
): string => `import asyncio, hashlib, http.client, json, os, time, urllib.error, urllib.parse, urllib.request
import discord  # pip install discord.py

BASE = "${baseUrl}"
entries = {}  # _id -> (lista, wpis)
by_id = {}  # ID konta (tekst) -> zbiór _id
fresh_at = float("-inf")  # kiedy kopia była ostatnio aktualna

class Gone(Exception):
    "Kopia jest nieważna: trzeba zacząć od manifestu."

def put(kind, entry):
    drop(entry["_id"])
    entries[entry["_id"]] = (kind, entry)
    by_id.setdefault(entry["id"], set()).add(entry["_id"])

def drop(key):
    if key in entries:
        by_id[entries.pop(key)[1]["id"]].discard(key)

def fetch(path):
    try:
        with urllib.request.urlopen(BASE + path, timeout=30) as answer:
            return answer.read(), 0
    except urllib.error.HTTPError as error:
        if error.code in (400, 404, 410):  # kursor albo plik, którego już nie ma
            raise Gone
        return None, int(error.headers.get("Retry-After") or 30)

async def get(path):
    while True:  # 429, 500 i 503 to nie odpowiedź: czekamy i pytamy jeszcze raz
        body, wait = await asyncio.to_thread(fetch, path)
        if body is not None:
            return body
        await asyncio.sleep(wait)

async def load():
    manifest = json.loads(await get("/snapshots/manifest.json"))
    if manifest["formatVersion"] != 1:
        raise ValueError("nieznana wersja plików")
    fresh = []
    for kind, part in manifest["lists"].items():
        for chunk in part["chunks"]:
            body = await get(chunk["path"])
            if hashlib.sha256(body).hexdigest() != chunk["sha256"]:
                raise ValueError("zła suma SHA-256")
            fresh += [(kind, entry) for entry in json.loads(body)]
    entries.clear(), by_id.clear()
    for kind, entry in fresh:
        put(kind, entry)
    return manifest["cursor"]

async def follow():
    global fresh_at
    cursor = None
    while True:
        try:
            cursor = cursor or await load()
            page = json.loads(await get("/api/changes?limit=500&since=" + urllib.parse.quote(cursor)))
            for change in page["changes"]:
                if change["op"] == "removed":
                    drop(change["tombstone"]["_id"])
                else:
                    put(change["list"], change["entry"])
            cursor = page["next"]
            if not page["hasMore"]:
                fresh_at = time.monotonic()
                await asyncio.sleep(30)
        except Gone:
            cursor = None
            await asyncio.sleep(1)
        except (OSError, http.client.HTTPException, ValueError):  # brak sieci, urwana albo zła odpowiedź
            await asyncio.sleep(30)

class Bot(discord.Client):
    async def setup_hook(self):
        self.following = asyncio.create_task(follow())

    async def on_member_join(self, member):
        channel = member.guild.system_channel
        if channel and time.monotonic() - fresh_at > 600:  # brak wpisu w starej kopii nic nie znaczy
            await channel.send(f"{member.mention}: nie sprawdzono, kopia list nie jest aktualna.")
        for kind, entry in [entries[key] for key in by_id.get(str(member.id), ())]:
            if channel and kind == "scammers":
                word = "Potwierdzone zgłoszenie" if entry["verified"] else "Lista ryzyka (niepotwierdzone)"
                await channel.send(f"{member.mention}: {word}, nr {entry['reportId']}, {BASE}/scammers?id={member.id}")

if __name__ == "__main__":
    intents = discord.Intents.default()
    intents.members = True
    Bot(intents=intents).run(os.environ["DISCORD_TOKEN"])`;
