import { expect, it } from 'vitest';
import { assertError } from '../support/assert-error.ts';
import { makeLists } from '../support/make-entries.ts';
import { startTestSite } from '../support/test-site.ts';
import type { CheckResponse } from '../support/responses.ts';

/** By views. */
const CROWD = Array.from({ length: 21 }, (_, at) => `tłum ${at}`);

// Which names are found, and in what order, is in property/read-model.
const db = await makeLists({
  scammers: [
    { id: '111', name: 'Marek' },
    { id: 'marek', name: 'ktoś inny' },
    ...CROWD.map((name, at) => ({ name, views: CROWD.length - at })),
  ],
  servers: [
    { id: '111', name: 'Serwer jedenastki' },
    { id: '221', name: 'Marek i spółka', reason: 'Tajemnica w powodzie.' },
  ],
  legit: [
    { id: '111', name: 'Marek' },
    { id: '331', name: 'Zaufany Zenek' },
    { id: '221', name: 'Zaufana Zofia' },
  ],
});
const site = await startTestSite(db.path);

// Rule 1: all lists at once; rule 3: trusted ones only where none is reported.
it.each([
  ['search=marek', { scammers: ['ktoś inny', 'Marek'], servers: ['Marek i spółka'] }],
  ['search=111', { scammers: ['Marek'], servers: ['Serwer jedenastki'] }],
  ['search=zaufany', { legit: ['Zaufany Zenek'] }],
  // Reported under another name.
  ['search=zofia', { servers: ['Marek i spółka'] }],
  // Rule 2: the 20 most viewed.
  ['search=t%C5%82um', { scammers: CROWD.slice(0, 20) }],
  ['id=111', { scammers: ['Marek'], servers: ['Serwer jedenastki'] }],
  ['id=221', { servers: ['Marek i spółka'] }],
  ['id=331', { legit: ['Zaufany Zenek'] }],
  ['id=marek&search=zenek', { scammers: ['ktoś inny'] }],
  // Reasons are not searched, and rule 4.
  ['search=tajemnica', {}],
  ['search=%E2%80%8B', {}],
  ['id=999', {}],
  ['id=MAREK', {}],
])('answers %s', async (query, expected) => {
  const { results } = await site.json<CheckResponse>(`/api/check?${query}`);
  const found = results.map(({ kind, entries }) => [kind, entries.map(({ name }) => name)]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

it('refuses a question without nick and ID, and one that is too long or asked twice', async () => {
  for (const query of ['', '?id=&search=%20&foo=1'])
    assertError(await site.get(`/api/check${query}`), 400, 'Podaj nick albo ID.');
  for (const query of [`id=${'1'.repeat(65)}`, 'id=1&id=1'])
    assertError(await site.get(`/api/check?${query}`), 400, /^Nieprawidłowy parametr id: .+\.$/);
});
