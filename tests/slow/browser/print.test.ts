// Needs: chromium
import { inflateSync } from 'node:zlib';
import { expect } from 'vitest';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { PROOFS_WITH_IMAGES } from '../../support/page-states.ts';
import { DESK, useDemoSite } from '../../support/browser/visit.ts';

const { test } = useDemoSite();

test('every page begins on the first sheet', DESK, async ({ page }) => {
  const answers = Object.values(DEMO_IDS).map((id) => `/?search=${id}`);
  for (const path of [...answers, '/scammers', PROOFS_WITH_IMAGES.path, '/status']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    const margin = { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' };
    const [first = 0] = countTexts(await page.pdf({ format: 'A4', margin }));
    expect(first, path).toBeGreaterThan(100);
  }
});

test('paper names its sender and has no buttons', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  for (const path of [`/?search=${DEMO_IDS.listed}`, '/?search=szybki_handel', PROOFS_WITH_IMAGES.path]) {
    await page.goto(path);
    const paper = await page.locator('body').innerText();
    expect(paper).toMatch(/^\s*Czujka\s+https:\/\/czujka\.example\/\S+\s+wydruk\sz\s\d+\s\p{L}+\s\d{4}/u);
    expect(paper).not.toMatch(/Drukuj|Udostępnij|Kopiuj/);
  }
});

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
