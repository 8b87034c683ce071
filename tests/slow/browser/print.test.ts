// Needs: chromium
/** What comes out of a printer. */
import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { PROOFS_WITH_IMAGES } from '../../support/page-states.ts';
import { close, useDemoSite } from '../../support/browser/visit.ts';

const { open } = useDemoSite();

it.each([
  ...Object.values(DEMO_IDS).map((id) => `/?search=${id}`),
  '/scammers',
  PROOFS_WITH_IMAGES.path,
  '/status',
])('begins on the first page: %s', async (path) => {
  const visitor = await open({ width: 1280, colorScheme: 'light', script: true });
  const { page } = visitor;
  await page.goto(path, { waitUntil: 'networkidle' });
  const margin = '1cm';
  const paper = await page.pdf({
    format: 'A4',
    margin: { top: margin, bottom: margin, left: margin, right: margin },
  });
  const [first = 0] = countTexts(paper);
  expect(first).toBeGreaterThan(100);
  await close(visitor);
});

/** @returns how many pieces of text each page shows */
function countTexts(pdf: Buffer): number[] {
  const text = pdf.toString('latin1');
  const objects = new Map(
    [...text.matchAll(/^(\d+) 0 obj\n([^]*?)^endobj/gm)].map(({ 1: number, 2: body = '' }) => [number, body]),
  );
  return [...objects.values()].flatMap((object) => {
    const number = /\/Type \/Page\b[^]*\/Contents (\d+) 0 R/.exec(object)?.[1];
    if (number === undefined) return [];
    const [, stream = ''] = /stream\n([^]*)\nendstream/.exec(objects.get(number) ?? '') ?? [];
    const content = inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
    return [(content.match(/\bT[jJ]\b/g) ?? []).length];
  });
}
