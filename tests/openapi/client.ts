/** A client as somebody else would write it, against the types that openapi-typescript makes of `/openapi.json`. */
import type { components, paths } from './made/api.js';

type Body<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } };
}
  ? Answer
  : never;
type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Given } } }
  ? Given
  : never;
type Entry = components['schemas']['ListEntry'];

async function ask<Path extends keyof paths>(
  origin: string,
  path: Path,
  query?: Query<Path>,
): Promise<Body<Path>> {
  const url = new URL(path, origin);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value));
  const answer = await fetch(url);
  if (!answer.ok) {
    const { error } = (await answer.json()) as components['schemas']['ApiError'];
    throw new Error(`${answer.status}: ${error}`);
  }
  return (await answer.json()) as Body<Path>;
}

const [origin = ''] = process.argv.slice(2);
const { results } = await ask(origin, '/api/check', { id: '7' });
const found: [kind: 'scammers' | 'servers' | 'legit', names: string[]][] = results.map(
  ({ kind, entries }) => [kind, entries.map(({ name }: Entry) => name)],
);
const page = await ask(origin, '/api/scammers', { sort: 'az', status: 'risk', limit: 2, skip: 0 });
const proofs: (string | null)[] = page.data.map(({ proofsId }) => proofsId);

const kept = new Map<string, Entry>();
for (let since: string | undefined, hasMore = true; hasMore;) {
  const {
    changes,
    next,
    hasMore: more,
  } = await ask(origin, '/api/changes', since === undefined ? {} : { since });
  for (const change of changes) {
    if (change.op === 'removed') kept.delete(change.tombstone._id);
    else kept.set(change.entry._id, change.entry);
  }
  since = next;
  hasMore = more;
}
const { checks } = await ask(origin, '/api/status');
const states: { id: 'database' | 'litecoin' | 'chat_platform' | 'protection_service'; ok: boolean }[] =
  checks;

// What the types have to refuse.
// @ts-expect-error: there is no such order
void (() => ask(origin, '/api/scammers', { sort: 'random' }));
// @ts-expect-error: an ID is a text
void (() => ask(origin, '/api/check', { id: 1572250755006587457 }));
// @ts-expect-error: null is one of its values
const always: string[] = proofs;
void always;

console.log(JSON.stringify({ found, total: page.total, proofs, kept: kept.size, states: states.length }));
