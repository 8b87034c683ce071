import { expect, it, vi } from 'vitest';
import { readCreationTime } from '#src/changes/change-log.ts';
import { removeEntry } from '../support/change-log.ts';
import { importRecords, makeRecord, NOW, makeLists } from '../support/make-entries.ts';
import { startTestSite } from '../support/test-site.ts';

/** Lists show a change within a second on an idle machine. */
const SEEN_WITHIN = { timeout: 10_000 };

const NAME = `<b>"nick" & 'znaki'</b> ]]> \u{1F600}`;

const db = await makeLists({
  scammers: [
    { id: '1', name: NAME, reason: 'Powód **ważny**.', reportedAt: NOW, reportId: 'R-1' },
    { id: '2', name: 'z listy ryzyka', verified: false },
    { id: '3 &', name: 'starszy', reportedAt: NOW - 1000 },
  ],
});
const settings = { BASE_URL: 'https://czujka.example', OPERATOR_NAME: 'Fundacja "C"' };
const site = await startTestSite(db.path, settings);

const read = async (list = 'scammers'): Promise<string> => (await site.get(`/feeds/${list}.atom`)).text;
const texts = (xml: string, pattern: RegExp): string[] =>
  [...xml.matchAll(pattern)].map(([, text = '']) => text);

it('have everything that RFC 4287 asks for, with absolute addresses', async () => {
  const { headers, text } = await site.get('/feeds/scammers.atom');
  expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8');
  const [head = '', ...entries] = text.split('<entry>');
  for (const part of [
    '<feed xmlns="http://www.w3.org/2005/Atom"',
    '<id>https://czujka.example/feeds/scammers.atom</id>',
    'href="https://czujka.example/feeds/scammers.atom"',
    'href="https://czujka.example/scammers"',
    '<name>Fundacja &quot;C&quot;</name>',
    '<updated>2026-11-20T12:00:00.000Z</updated>',
  ])
    expect(head).toContain(part);
  for (const element of ['id', 'title', 'published', 'updated', 'content'])
    for (const entry of entries)
      expect(entry.match(new RegExp(`<${element}[ >]`, 'g')), element).toHaveLength(1);
  expect(entries[1]).toMatch(/href="https:\/\/czujka\.example\/wpis\/R-\w{10}"/);
});

it('show verified entries only, the newest first, escaped', async () => {
  const xml = await read();
  expect(texts(xml, /<title>(.*?)<\/title>/g).slice(1)).toEqual([
    '&lt;b&gt;&quot;nick&quot; &amp; &#39;znaki&#39;&lt;/b&gt; ]]&gt; \u{1F600}',
    'starszy',
  ]);
  expect(xml).toContain('>&lt;p&gt;Powód &lt;strong&gt;ważny&lt;/strong&gt;.&lt;/p&gt;</content>');
});

it('name an entry for ever: also after a change, and on another address, until it is removed', async () => {
  const record = makeRecord({ reportedAt: NOW });
  const change = (name: string, now: number) => importRecords(db, 'servers', [{ ...record, name }], now);
  const idsOf = (xml: string): string[] => texts(xml, /<id>(urn:uuid:[0-9a-f-]{36})<\/id>/g);
  await change('przedtem', NOW);
  await vi.waitFor(async () => expect(await read('servers')).toContain('przedtem'), SEEN_WITHIN);
  const ids = idsOf(await read('servers'));
  expect(ids).toHaveLength(1);
  await change('potem', NOW + 5000);
  await vi.waitFor(async () => expect(await read('servers')).toContain('potem'), SEEN_WITHIN);
  const moved = await startTestSite(db.path, { BASE_URL: 'https://inny.example' });
  const { text } = await moved.get('/feeds/servers.atom');
  expect(idsOf(text)).toEqual(ids);
  expect(text).toContain('<updated>2026-11-20T12:00:05.000Z</updated>');
  removeEntry(db, 'servers', record.id, 'request', NOW);
  await vi.waitFor(async () => expect(await read('servers')).not.toContain('potem'), SEEN_WITHIN);
});

it('are there for an empty list too, which is as old as the database', async () => {
  const createdAt = new Date(readCreationTime(db)).toISOString();
  expect(await read('legit')).toContain(`<updated>${createdAt}</updated>`);
});
