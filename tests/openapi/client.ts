/** Clients as other people would write them, with what three generators make of `/openapi.json`. */
import createClient from 'openapi-fetch';
import type { components, paths } from './made/czujka.d.ts';
import { client as heyClient } from './made/hey/client.gen.js';
import * as hey from './made/hey/index.js';
import * as oazapfts from './made/oazapfts.ts';

type Entry = components['schemas']['ListEntry'];

const [origin = ''] = process.argv.slice(2);
const czujka = createClient<paths>({ baseUrl: origin });
const names = ({ name }: Entry): string => name;

const { data: answer } = await czujka.GET('/api/check', { params: { query: { id: '7' } } });
const found: [kind: 'scammers' | 'servers' | 'legit', names: string[]][] =
  answer?.results.map(({ kind, entries }) => [kind, entries.map(names)]) ?? [];
const { data: page } = await czujka.GET('/api/scammers', {
  params: { query: { sort: 'az', status: 'risk', limit: 2, skip: 0 } },
});
const proofs: (string | null)[] = page?.data.map(({ proofsId }) => proofsId) ?? [];

const kept = new Map<string, Entry>();
let afterFirst: string | undefined;
for (let since: string | undefined, hasMore = true; hasMore;) {
  const query = { limit: 1, ...(since !== undefined && { since }) };
  const { data, error } = await czujka.GET('/api/changes', { params: { query } });
  if (!data) throw new Error(error.error);
  for (const change of data.changes) {
    if (change.op === 'removed') kept.delete(change.tombstone._id);
    else kept.set(change.entry._id, change.entry);
  }
  since = data.next;
  afterFirst ??= since;
  hasMore = data.hasMore;
}
const { data: status } = await czujka.GET('/api/status');
const states: { id: 'database' | 'litecoin' | 'chat_platform' | 'protection_service' }[] =
  status?.checks ?? [];

heyClient.setConfig({ baseUrl: origin });
const { data: verdict, error } = await hey.verdict({ query: { id: '7' } });
if (!verdict) throw new Error(error.error);
const word: 'reported' | 'risk' | 'trusted' | 'unknown' = verdict.verdict;
const stop = new AbortController();
const { stream } = await hey.followChanges({
  query: { since: afterFirst ?? '' },
  signal: stop.signal,
});
let list: string | undefined;
for await (const event of stream) {
  if ('op' in event) list = event.list;
  break;
}
stop.abort();

oazapfts.defaults.baseUrl = origin;
const checked = await oazapfts.check({ id: '7' });
const kinds = checked.status === 200 ? checked.data.results.map(({ kind }) => kind) : [];

// What the types have to refuse.
// @ts-expect-error: there is no such order
void (() => czujka.GET('/api/scammers', { params: { query: { sort: 'random' } } }));
// @ts-expect-error: an ID is a text
void (() => hey.check({ query: { id: 1572250755006587457 } }));
// @ts-expect-error: null is one of its values
const always: string[] = proofs;
void always;

console.log(
  JSON.stringify({
    found,
    total: page?.total,
    proofs,
    kept: kept.size,
    states: states.length,
    word,
    kinds,
    list,
  }),
);
