// Needs: chromium
/** One visitor on a phone: the four journeys, axe-core on the main pages, and the pages without script. */
import { describe, expect, it } from 'vitest';
import { PAGE_STATES } from '../support/page-states.ts';
import { findViolations } from '../support/browser/axe.ts';
import { describeJourneys } from '../support/browser/journeys.ts';
import { close, expectNoOverflow, useDemoSite } from '../support/browser/visit.ts';

const { open } = useDemoSite();
const PHONE = { width: 390, colorScheme: 'light', script: true } as const;

/** The rest is in tests/slow/browser/every-page.test.ts. */
const MAIN = (
  'check check-listed check-risk check-trusted check-none check-nick-same list-scammers list-scammers-empty ' +
  'list-entry proofs-images donation-pending status text-odwolania text-docs error-404'
).split(' ');
const STATES = PAGE_STATES.filter(({ name }) => MAIN.includes(name));

describe('on a phone', () => describeJourneys(PHONE, open));

it('meets no fault that axe-core knows, on fifteen pages', async () => {
  expect(STATES).toHaveLength(MAIN.length);
  const visitor = await open(PHONE);
  for (const { name, path } of STATES) {
    await visitor.page.goto(path);
    expect(await findViolations(visitor.page), name).toEqual([]);
  }
  await close(visitor);
});

it('reads whole pages without script, none wider than 320 px', async () => {
  const visitor = await open({ width: 320, colorScheme: 'dark', script: false });
  for (const { name, path } of STATES) {
    await visitor.page.goto(path);
    await expectNoOverflow(visitor.page);
    expect(await visitor.page.locator('h1').count(), name).toBe(1);
  }
  await close(visitor);
});
