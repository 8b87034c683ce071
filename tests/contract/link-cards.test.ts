/** What a chat shows of a link: every page in every state says it in its head, and accuses nobody there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoSite } from '../support/demo-site.ts';
import type { DemoSite } from '../support/demo-site.ts';
import { renderFailures } from '../support/failures.ts';
import { PAGE_STATES } from '../support/page-states.ts';
import { demoRecords } from '../../scripts/sample/demo-records.ts';

const BASE_URL = 'https://czujka.example';
/** Chats cut what is longer. */
const TITLE_MAX = 60;
const DESCRIPTION_MAX = 110;
const REPORTED = ['scammers', 'servers'] as const;
/** Shorter names are parts of words that are there anyway. */
const NAME_MIN = 5;

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
    meta[name] = toText(content);
  }
  const address = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
  return {
    html,
    title: toText(/<title>([^<]*)/.exec(html)?.[1] ?? ''),
    canonical: address === undefined ? undefined : toText(address),
    meta,
  };
}

function toText(html: string): string {
  return html
    .replaceAll('&#38;', '&')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"');
}

describe('links in chats', () => {
  let site: DemoSite;
  beforeAll(async () => {
    site = await startDemoSite();
  });
  afterAll(() => site.close());

  const ask = async (path: string) => {
    const response = await fetch(site.origin + path);
    return { status: response.status, head: readHead(await response.text()) };
  };

  it.each(PAGE_STATES)('has title, description and picture: $name', async ({ path }) => {
    const { status, head } = await ask(path);
    const { title, meta, canonical } = head;
    expect(title).toMatch(/^\S.* – Czujka$/);
    for (const text of [meta['og:title'] ?? '', title]) {
      expect([...text].length, text).toBeLessThanOrEqual(TITLE_MAX);
      expect(text).not.toMatch(/undefined|null|\*\*|\]\(/);
    }
    const description = meta['description'] ?? '';
    expect(meta['og:description']).toBe(description);
    expect([...description].length, description).toBeLessThanOrEqual(DESCRIPTION_MAX);
    expect(description).toMatch(/^\S.*[.?]$/);
    expect(description).not.toMatch(/undefined|null|\*\*|\]\(/);
    expect(meta).toMatchObject({
      'og:type': 'website',
      'og:site_name': 'Czujka',
      'og:locale': 'pl_PL',
      'og:image:width': '1200',
      'og:image:height': '630',
      'twitter:card': 'summary_large_image',
    });
    // The general picture says what the service is for, whatever the page is about.
    const isGeneral = meta['og:image']?.endsWith('/preview/check.png') === true;
    expect(meta['og:image:alt']).toBe(isGeneral ? 'Sprawdź, zanim zapłacisz' : meta['og:title']);
    expect(meta['og:image']).toMatch(/^https:\/\/czujka\.example\/preview\//);
    if (status === 404 || status === 400) {
      expect(canonical).toBeUndefined();
    } else {
      expect(canonical).toMatch(/^https:\/\/czujka\.example\/[^#]*$/);
      expect(meta['og:url']).toBe(canonical);
    }
  });

  it('draws the picture of every page', async () => {
    const heads = await Promise.all(PAGE_STATES.map(async ({ path }) => (await ask(path)).head));
    const pictures = new Set(heads.map(({ meta }) => (meta['og:image'] ?? '').replace(BASE_URL, '')));
    // More than an address may ask for in a minute would be another test.
    expect(pictures.size).toBeLessThan(60);
    for (const picture of pictures) {
      const response = await fetch(site.origin + picture);
      expect(response.status, picture).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/png');
      await response.arrayBuffer();
    }
  });

  it('names nobody who was reported in the head of any page', async () => {
    const trusted = new Set(demoRecords('legit').map(({ id }) => id));
    const entries = REPORTED.flatMap((list) =>
      demoRecords(list)
        .filter(({ id, name }) => !trusted.has(id) && name.length >= NAME_MIN)
        .map(({ id, name }) => ({ list, id, name })),
    );
    expect(entries.length).toBeGreaterThan(5);
    for (const { list, id, name } of entries) {
      for (const path of [`/?search=${id}`, `/${list}?id=${id}`]) {
        const { head } = await ask(path);
        expect(toText(head.html), `${path}: ${name}`).not.toContain(name);
        expect(head.meta['og:title']).toBe('Jest wpis o\u00a0tym ID');
        expect(head.meta['og:description']).toContain(id);
        expect(head.meta['og:description']).toMatch(/Wpis oznacza zgłoszenie, nie wyrok\. Stan z\u00a0\d/);
        expect(head.meta['og:image']).toBe(`${BASE_URL}/preview/check.png?id=${id}`);
      }
    }
  });

  it('names nobody in the head of a page with proofs', async () => {
    for (const { path } of PAGE_STATES.filter(({ name }) => name.startsWith('proofs-'))) {
      const { head } = await ask(path);
      for (const { name } of REPORTED.flatMap((list) => demoRecords(list)))
        if (name.length >= NAME_MIN) expect(toText(head.html), path).not.toContain(name);
    }
  });

  it('accuses nobody who is only named: a nick in the link says neither yes nor no', async () => {
    const { name = '' } = demoRecords('scammers')[0] ?? {};
    for (const nick of [name, 'nikt_taki_nie_istnieje']) {
      const { head } = await ask(`/?${new URLSearchParams({ search: nick })}`);
      expect(head.meta).toMatchObject({
        'og:title': 'Wynik sprawdzenia nicku',
        'og:image': `${BASE_URL}/preview/check.png`,
      });
      expect(head.meta['description']).not.toContain(nick);
    }
  });

  it.each([
    ['/?search=%201572%202507%205500%206587%20457', '/?search=1572250755006587457'],
    ['/?search=%3C@1572250755006587457%3E', '/?search=1572250755006587457'],
    ['/?utm=1', '/'],
    ['/scammers?sort=newest&x=1', '/scammers'],
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
