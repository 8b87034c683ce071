// Needs: chromium
/** Pages stay within their bytes on the wire (brotli 5). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, it } from 'vitest';
import { demoDonationId } from '../../../scripts/sample/demo-donations.ts';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { PROOFS_WITH_IMAGES } from '../../support/page-states.ts';
import { DETAILS_PATH, ENGLISH_DOCS_PATH } from '#src/paths.ts';
import { useDemoSite } from '../../support/browser/visit.ts';

const { site } = useDemoSite();
const CLIENT = join(import.meta.dirname, '../../../dist/client');
const KB = 1_000;

it.each([
  { name: 'home', path: '/', html: 4.5, script: 5, total: 35 },
  { name: 'answer', path: `/?search=${DEMO_IDS.listed}`, html: 6, script: 5, total: 35 },
  { name: 'answer by nick', path: '/?search=szybki_handel', html: 6, script: 5, total: 35 },
  { name: 'list of 30', path: '/scammers', html: 10, script: 5, total: 42 },
  { name: 'list of 30, another order', path: '/scammers?sort=oldest', html: 10, script: 5, total: 42 },
  { name: 'servers', path: '/servers', html: 10, script: 5, total: 42 },
  { name: 'entry', path: '/scammers?id=867207539610419821', html: 14, script: 4, total: 42 },
  { name: 'appeals', path: '/odwolania', html: 6, script: 4, total: 35 },
  { name: 'status', path: '/status', html: 9, script: 4, total: 38 },
  { name: 'proofs', path: PROOFS_WITH_IMAGES.path, html: 14, script: 4, total: 42 },
  { name: 'donation', path: `/donate/${demoDonationId('pending')}`, html: 8, script: 5, total: 40 },
  { name: 'docs', path: '/docs', html: 16.2, script: 8, total: 45 },
  { name: 'docs in English', path: ENGLISH_DOCS_PATH, html: 17, script: 5, total: 45 },
  { name: 'details of the interface', path: DETAILS_PATH, html: 14, script: 4, total: 40 },
])('$name stays within its size', async ({ path, html, script, total }) => {
  const page = await (await fetch(site().origin + path)).text();
  const body = compressed(Buffer.from(page));
  const files = [...new Set(page.match(/\/_astro\/[\w.-]+/g))];
  const scripts = files.filter((file) => file.endsWith('.js'));
  const imported = importedBy(scripts);
  const sheets = files.filter((file) => file.endsWith('.css'));
  // The sheet of all pages, and at most a small one of its own.
  const [shared = 0, own = 0, ...more] = sheets.map(sizeOf).sort((a, b) => b - a);
  expect(body).toBeLessThanOrEqual(html * KB);
  expect(sumOf([...scripts, ...imported])).toBeLessThanOrEqual(script * KB);
  expect(shared).toBeLessThanOrEqual(6.9 * KB);
  expect(own).toBeLessThanOrEqual(1 * KB);
  expect(more).toEqual([]);
  expect(body + sumOf([...files, ...imported])).toBeLessThanOrEqual(total * KB);
});

it('all pages share stylesheets of at most 23.6 kB and two fonts of at most 17.4 kB', () => {
  const files = readdirSync(join(CLIENT, '_astro'));
  for (const name of files.filter((file) => file.endsWith('.css'))) {
    const sheet = readFileSync(join(CLIENT, '_astro', name), 'utf8');
    expect(sheet.length).toBeLessThanOrEqual(23.6 * KB);
    // Safari has it from 17.5 on.
    expect(sheet).not.toContain('light-dark(');
  }
  const fonts = files.filter((file) => file.endsWith('.woff2')).map((file) => `/_astro/${file}`);
  expect(fonts).toHaveLength(2);
  expect(sumOf(fonts)).toBeLessThanOrEqual(17.4 * KB);
});

function sizeOf(path: string): number {
  const file = readFileSync(join(CLIENT, path));
  return path.endsWith('.woff2') ? file.length : compressed(file);
}

/** Files that these scripts import, which the page does not name. */
function importedBy(scripts: readonly string[]): string[] {
  const named = new Set(scripts);
  const imported = scripts.flatMap((script) =>
    [...readFileSync(join(CLIENT, script), 'utf8').matchAll(/(?:from|import)"\.\/([\w.-]+)"/g)].map(
      ([, file]) => `/_astro/${file}`,
    ),
  );
  return [...new Set(imported)].filter((file) => !named.has(file));
}

function compressed(body: Buffer): number {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
}

function sumOf(paths: readonly string[]): number {
  return paths.reduce((total, path) => total + sizeOf(path), 0);
}
