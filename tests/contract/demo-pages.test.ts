/** Pages of the demo: the card that chats show for a link, which accuses no person, and the drawings of a page. */
import { describe, expect, it } from 'vitest';
import {
  ENTRY_PICTURE,
  ID_CARDS,
  NEUTRAL_PICTURE,
  NICK_CARD,
} from '#src/components/layout/link-card-texts.ts';
import { planDemo } from '../support/demo-site.ts';
import { renderFailures } from '../support/failures.ts';
import { PAGE_STATES } from '../support/page-states.ts';
import { demoRecords } from '../../scripts/sample/demo-records.ts';
import { updateIndexes } from '../support/update-indexes.ts';
import { unescapeHtml } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const BASE_URL = 'https://czujka.example';
/** Chats cut what is longer. */
const TITLE_MAX = 60;
const DESCRIPTION_MAX = 110;
/** Shorter names are parts of words that are there anyway. */
const NAME_MIN = 5;
/** Pages whose cards differ; their other states differ in the main part. */
const CARDS = (
  'check check-error-long check-listed check-trusted check-none check-nick-same check-hostile-quotes ' +
  'list-scammers list-entry list-entry-trusted proofs-images proofs-private donation-pending ' +
  'donation-invalid status text-docs error-404'
).split(' ');

interface Head {
  readonly html: string;
  readonly title: string;
  readonly canonical: string | undefined;
  readonly meta: Readonly<Record<string, string>>;
}

function readHead(page: string): Head {
  const html = page.slice(0, page.indexOf('</head>'));
  const meta: Record<string, string> = {};
  for (const [, name = '', content = ''] of html.matchAll(
    /<meta (?:name|property)="([^"]+)" content="([^"]*)"(?! media)/g,
  )) {
    expect(meta, `${name} stands there twice`).not.toHaveProperty([name]);
    meta[name] = unescapeHtml(content);
  }
  const address = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
  return {
    html,
    title: unescapeHtml(/<title>([^<]*)/.exec(html)?.[1] ?? ''),
    canonical: address === undefined ? undefined : unescapeHtml(address),
    meta,
  };
}

const db = await makeDatabase();
const { fill, keepUp, settings } = planDemo();
await fill(db);
if (keepUp) db.write(keepUp);
await updateIndexes(db);
const site = await startTestSite(db.path, { ...settings, BASE_URL });
const pathOf = (state: string): string => PAGE_STATES.find(({ name }) => name === state)?.path ?? '';

describe('links in chats', () => {
  const ask = async (path: string) => {
    const { status, text } = await site.get(path);
    return { status, head: readHead(text) };
  };

  it.each(CARDS)('has title, description and picture: %s', async (card) => {
    const { status, head } = await ask(pathOf(card));
    const { title, meta, canonical } = head;
    expect(title).toMatch(/^\S.* – Czujka$/);
    const description = meta['description'] ?? '';
    expect(meta['og:description']).toBe(description);
    expect(description).toMatch(/^\S.*[.?]$/);
    for (const [text, lengthMax] of [
      [meta['og:title'] ?? '', TITLE_MAX],
      [title, TITLE_MAX],
      [description, DESCRIPTION_MAX],
    ] as const) {
      expect([...text].length, text).toBeLessThanOrEqual(lengthMax);
      expect(text).not.toMatch(/undefined|null|\*\*|\]\(/);
    }
    expect(meta).toMatchObject({ 'og:type': 'website', 'twitter:card': 'summary_large_image' });
    const picture = meta['og:title'] === ID_CARDS.reported.title ? ENTRY_PICTURE : NEUTRAL_PICTURE;
    expect(meta['og:image']).toBe(BASE_URL + picture.path);
    expect(meta['og:image:alt']).toBe(picture.alt);
    if (status === 404 || status === 400) {
      expect(canonical).toBeUndefined();
    } else {
      expect(canonical).toMatch(/^https:\/\/czujka\.example\/[^#]*$/);
      expect(meta['og:url']).toBe(canonical);
    }
  });

  it('names nobody who was reported in the head of any page', async () => {
    const trusted = new Set(demoRecords('legit').map(({ id }) => id));
    const isNamed = ({ id, name }: { id: string; name: string }) =>
      !trusted.has(id) && name.length >= NAME_MIN;
    const entries = demoRecords('scammers').filter(isNamed);
    for (const { id, name } of entries.slice(0, 6)) {
      for (const path of [`/?search=${id}`, `/scammers?id=${id}`]) {
        const { head } = await ask(path);
        expect(unescapeHtml(head.html), `${path}: ${name}`).not.toContain(name);
        expect(head.meta['og:description']).toContain(id);
        expect(head.meta['og:image']).toBe(BASE_URL + ENTRY_PICTURE.path);
      }
    }
    for (const { path } of PAGE_STATES.filter(({ name }) => name.startsWith('proofs-'))) {
      const html = unescapeHtml((await ask(path)).head.html);
      expect(entries.filter(({ name }) => html.includes(name))).toEqual([]);
    }
  });

  it('accuses nobody who is only named: a nick in the link says neither yes nor no', async () => {
    const { name = '' } = demoRecords('scammers')[0] ?? {};
    for (const nick of [name, 'nikt_taki_nie_istnieje']) {
      const { head } = await ask(`/?${new URLSearchParams({ search: nick })}`);
      const image = BASE_URL + NEUTRAL_PICTURE.path;
      expect(head.meta).toMatchObject({ 'og:title': NICK_CARD.title, 'og:image': image });
      expect(head.meta['description']).not.toContain(nick);
    }
  });

  it.each([
    ['/?search=%201572%202507%205500%206587%20457', '/?search=1572250755006587457'],
    ['/?utm=1', '/'],
    ['/scammers?status=risk&skip=30', '/scammers?status=risk&skip=30'],
    ['/pomoc/?a=b', '/pomoc'],
  ])('has one address for what is the same: %s', async (path, canonical) => {
    expect((await ask(path)).head.canonical).toBe(BASE_URL + canonical);
  });

  it('says in the head of an error what it is, and claims no address', async () => {
    for (const { name, html } of await renderFailures()) {
      const { meta, canonical } = readHead(html);
      expect(meta['og:title'], name).toMatch(/^\S/);
      expect(meta['description']).toMatch(/To nie jest wynik sprawdzenia\.$/);
      expect(canonical).toBeUndefined();
      expect(meta).not.toHaveProperty('og:url');
    }
  });
});

describe('a page', () => {
  const read = async (name: string): Promise<string> => (await site.get(pathOf(name))).text;

  it.each(['check', 'check-nick-similar', 'list-scammers', 'status', 'text-pomoc', 'text-docs'])(
    'draws the marks and icons that it shows, each once: %s',
    async (name) => {
      const page = await read(name);
      const drawn = [...page.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id);
      const shown = [...page.matchAll(/<use href="#([^"]+)"/g)].map(([, id]) => id);
      expect(drawn.toSorted()).toEqual([...new Set(shown)].toSorted());
    },
  );

  it.each<[string, string[]]>([
    ['check', ['lit']],
    ['donate', ['lit']],
    ['error-404', ['dark']],
    ['list-scammers-empty', ['fog']],
    ['donation-forwarded', ['bright']],
    // It would say something else there.
    ...['list-scammers', 'list-scammers-past-end', 'check-none', 'check-listed', 'donation-pending'].map(
      (name): [string, string[]] => [name, []],
    ),
  ])('has the lighthouse of its state: %s', async (name, lamps) => {
    expect((await read(name)).match(/(?<=class="lighthouse" data-lamp=")\w+/g) ?? []).toEqual(lamps);
  });
});
