// Needs: chromium
/** One visitor on a phone: the four journeys, and the main pages without script. */
import { describe, expect } from 'vitest';
import { PAGE_STATES } from '../support/page-states.ts';
import { describeJourneys } from '../support/browser/journeys.ts';
import { expectNoOverflow, useDemoSite } from '../support/browser/visit.ts';

const { test } = useDemoSite();

/** The rest is in tests/slow/browser/every-page.test.ts. */
const MAIN = (
  'check check-listed check-risk check-trusted check-none check-nick-same list-scammers list-scammers-empty ' +
  'list-entry proofs-images donation-pending status text-odwolania text-docs error-404'
).split(' ');
const STATES = PAGE_STATES.filter(({ name }) => MAIN.includes(name));

describe('on a phone', () => describeJourneys(test));

const NARROW = { width: 320, colorScheme: 'dark', script: false } as const;
test('reads whole pages without script, none wider than 320 px', NARROW, async ({ page }) => {
  expect(STATES).toHaveLength(MAIN.length);
  for (const { name, path } of STATES) {
    await page.goto(path);
    await expectNoOverflow(page);
    expect(await page.locator('h1').count(), name).toBe(1);
  }
});
