/** Whatever is asked of an endpoint, its answer is one that `/openapi.json` describes, and none is a failure of ours. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Manifest } from '#src/entries/snapshots/manifest.ts';
import { createPrefixPublisher } from '#src/entries/snapshots/publish-prefixes.ts';
import type { ApiDocument, Schema } from '#src/http/openapi.ts';
import { createAnswerChecks } from '../support/answer-checks.ts';
import { openEvents } from '../support/listen.ts';
import { makeDonation } from '../support/make-donation.ts';
import { makeLists } from '../support/make-entries.ts';
import { publish } from '../support/publish.ts';
import { startTestSite, type Answer } from '../support/test-site.ts';
import { trials } from '../support/trials.ts';
import { updateIndexes } from '../support/update-indexes.ts';

const SEED = 20261126;
const RUNS = trials(50, 1_000);
const A_MINUTE_MS = 61_000;
const LISTED = '1558644164640031523';

const db = await makeLists({
  scammers: [
    { id: LISTED, name: 'kupskin' },
    { id: '7', name: 'Żółw', verified: false },
  ],
  servers: [{ name: '<b>&"serwer' }],
  legit: [{ name: 'Lis_Posrednik' }],
});
const donation = makeDonation(db);
await updateIndexes(db);
await publish(db);
await createPrefixPublisher(db).publish();
const site = await startTestSite(db.path);
const document = await site.json<ApiDocument>('/openapi.json');
const { checkAnswer } = createAnswerChecks(document);
const { cursor, lists } = await site.json<Manifest>('/snapshots/manifest.json');
const chunk = lists.scammers.chunks[0]?.path.split('/').at(-1) ?? '';
/** Values that find something. */
const KNOWN = [LISTED, '7', 'kupskin', 'Iis_posrednik', `<@${LISTED}>`, donation, cursor, chunk];
const HOSTILE = [
  ...'__proto__ constructor null undefined 1.5e18 -1 0x10 1e3 , * .. ../x a/b a\\b % %2f <script> \u0000 \u202eabc'.split(
    ' ',
  ),
  ...[' 5 ', "' OR 1=1 --", 'ß'.repeat(70), '9'.repeat(30), 'a'.repeat(12_000), '🦊'.repeat(101)],
];

type Parameter = NonNullable<ApiDocument['paths'][string]['get']['parameters']>[number];

/** This makes values that a client may send as the parameter: none, one or two. */
function valuesFor({ in: place, schema: reference }: Parameter): fc.Arbitrary<readonly string[]> {
  const named = document.components.schemas[reference.$ref?.split('/').at(-1) ?? ''];
  const schema: Schema & { pattern?: string } = { ...named, ...reference };
  const { enum: choices = KNOWN, pattern = '' } = schema;
  const fitting = choices.filter((value) => new RegExp(pattern, 'u').test(value));
  const text = fc
    .oneof(
      { weight: 8, arbitrary: fc.constantFrom(...fitting) },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
    )
    .filter((value) => value.isWellFormed());
  // Node refuses to send others.
  if (place === 'header') return fc.tuple(text.filter((value) => /^[!-~]*$/.test(value)));
  if (place === 'path') return fc.tuple(text.filter((value) => value !== ''));
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(text) },
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(text, text) },
  );
}

async function ask(path: string, isStream: boolean, method: string, headers: Record<string, string>) {
  if (!isStream || method === 'HEAD') return site.get(path, { method, headers });
  const heard = await openEvents(site.port, path, headers);
  const answer: Answer = { status: heard.status, headers: heard.headers, text: heard.text() };
  if (heard.status !== 200) await heard.ended;
  heard.close();
  return { ...answer, text: heard.text() };
}

it.each(Object.keys(document.paths))('GET %s', async (path) => {
  const { parameters = [], responses } = document.paths[path]?.get ?? expect.unreachable();
  const isStream = !('304' in responses);
  const request = fc.record({
    given: fc.record(
      Object.fromEntries(parameters.map((parameter) => [parameter.name, valuesFor(parameter)])),
    ),
    method: fc.constantFrom('GET', 'GET', 'HEAD'),
    etag: fc.constantFrom('none', '*', 'own', 'own', '"other", W/"another"'),
  });
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ given, method, etag }) => {
      site.clock.now += A_MINUTE_MS;
      const placed = (place: Parameter['in']) =>
        parameters
          .filter((parameter) => parameter.in === place)
          .flatMap(({ name }) => (given[name] ?? []).map((value) => [name, value] as const));
      const filled = placed('path').reduce(
        (left, [name, value]) => left.replace(`{${name}}`, () => encodeURIComponent(value)),
        path,
      );
      const query = new URLSearchParams(placed('query').map((pair) => [...pair])).toString();
      const target = query === '' ? filled : `${filled}?${query}`;
      const sent = Object.fromEntries(placed('header'));
      const first = await ask(target, isStream, method, sent);
      checkAnswer(path, first, method);
      expect(first.status, target.slice(0, 300)).not.toBe(500);
      seen.add(first.status);
      if (etag === 'none' || isStream || first.status !== 200) return;
      const asked = etag === 'own' ? (first.headers.etag ?? '') : etag;
      const again = await ask(target, false, method, { ...sent, 'If-None-Match': asked });
      checkAnswer(path, again, method);
      if (etag === '*') expect(again.status, target).toBe(304);
    }),
    { numRuns: parameters.length === 0 ? 6 : RUNS, seed: SEED },
  );
  expect(seen).toContain(200);
});
