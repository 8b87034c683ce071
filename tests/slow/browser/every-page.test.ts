// Needs: chromium
/** Every page in every state: axe-core, the console, other hosts, width, large text, valid HTML. */
import { HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Database, Transaction } from '#src/db/database.ts';
import example from '#src/pages/_examples/status.json' with { type: 'json' };
import { listIncidents, writeIncidentNote } from '#src/status/incidents.ts';
import { recordSample } from '#src/status/record-sample.ts';
import type { Status } from '#src/status/status.ts';
import { fillDemoHistory } from '../../../scripts/sample/demo-status.ts';
import { startDemoSite, type SitePlan } from '../../support/demo-site.ts';
import { renderFailures } from '../../support/failures.ts';
import { PAGE_STATES } from '../../support/page-states.ts';
import { findViolations } from '../../support/browser/axe.ts';
import { close, expectNoOverflow, useDemoSite, type Visitor } from '../../support/browser/visit.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const { checks, bots } = example.stan.value as Status;

/** All checks are like this, and all bots. */
function statusOf(at: number, isWell: boolean): Status {
  // A wave of no meaning.
  const up = Math.round(60 + 90 * Math.abs(Math.sin(at / HOUR_MS)));
  return {
    checks: checks.map(({ id }) => ({ id, ok: isWell, latencyMs: isWell ? up : 6_000 })),
    bots: bots.map((bot) => ({ ...bot, ok: isWell, state: isWell ? 'running' : 'offline' })),
    checkedAt: new Date(at).toISOString(),
  };
}

/** @returns what writes this status as the one of now */
const keepAt =
  (isWell: boolean) =>
  (tx: Transaction): void =>
    recordSample(tx, statusOf(Date.now(), isWell));

function annotate(db: Database, ...notes: readonly string[]): void {
  for (const [place, { incident }] of listIncidents(db, notes.length).entries())
    db.write((tx) => writeIncidentNote(tx, incident, notes[place] ?? '', Date.now()));
}

/** The status page in states that the demo does not have, each with a database of its own. */
const STATUS_STATES: Readonly<Record<string, SitePlan>> = {
  'status-good': { fill: (db) => fillDemoHistory(db, Date.now()), keepUp: keepAt(true) },
  'status-bad': {
    fill(db) {
      fillDemoHistory(db, Date.now() - HOUR_MS);
      for (const ago of [35, 5])
        db.write((tx) => recordSample(tx, statusOf(Date.now() - ago * MINUTE_MS, false)));
      annotate(
        db,
        'Awaria w serwerowni. Pracujemy nad tym; następna wiadomość o 18:00.',
        `Ten sam powód, długi opis: ${'wymieniamy dysk i odtwarzamy dane z kopii, '.repeat(9)}a potem sprawdzamy listy.`,
      );
    },
    keepUp: keepAt(false),
  },
  // The web process alone: only its database is there to be asked.
  'status-alone': { fill: () => {} },
};

const { open } = useDemoSite();

const FAILURES = await renderFailures();

const CONTRAST = ['color-contrast'];

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // Astro writes HTML5 void elements either way, and white space as the template has it.
    'void-style': 'off',
    'no-trailing-whitespace': 'off',
    'doctype-style': 'off',
    // Names of entries stand in titles.
    'long-title': 'off',
    // Same-origin files of the same build.
    'require-sri': 'off',
  },
});

// One visitor and one navigation a state; the window changes its size and theme.
let visitor: Visitor;
beforeAll(async () => {
  visitor = await open();
});
afterAll(() => visitor.context.close());
afterEach(() => expect(visitor.troubles.splice(0)).toEqual([]));

it.each(PAGE_STATES)('has no fault: $name', async ({ path, status = 200, typed }) => {
  const { page } = visitor;
  const response = await page.goto(path);
  expect(response?.status()).toBe(status);
  if (typed !== undefined) {
    expect(await page.locator('main input[name=search]').inputValue()).toBe(typed);
    expect(
      await page.locator('main img:not(.avatar > img), main script:not([src]), main b:not(.tasks b)').count(),
    ).toBe(0);
  }
  // Hostile texts change words and numbers, not colours.
  await inspect(page, (await response?.text()) ?? '', typed === undefined ? CONTRAST : []);
});

it.each(FAILURES)('has no fault: $name', async ({ html }) => {
  const { page } = visitor;
  onTestFinished(() => page.unrouteAll());
  await page.route('**/broken', (route) =>
    route.fulfill({ status: 200, contentType: 'text/html; charset=utf-8', body: html }),
  );
  await page.goto('/broken');
  await inspect(page, html, CONTRAST);
});

it.each(Object.entries(STATUS_STATES))('has no fault: %s', async (_name, plan) => {
  const own = await startDemoSite(plan);
  try {
    const there = await open({ baseURL: own.origin });
    const response = await there.page.goto('/status');
    const html = (await response?.text()) ?? '';
    expect(html).not.toMatch(/NaN|Infinity|undefined|Invalid Date/);
    await inspect(there.page, html, CONTRAST);
    await close(there);
  } finally {
    await own.close();
  }
});

/** Looks at a page with all its parts open, on a phone, on a wide dark screen, on 320 px and with text twice as large. */
async function inspect(page: Page, html: string, wideRules: readonly string[]): Promise<void> {
  await page.setViewportSize({ width: 390, height: 660 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(() => document.querySelectorAll('details').forEach((part) => (part.open = true)));
  expect(await findViolations(page)).toEqual([]);
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 320, height: 660 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  if (wideRules.length > 0) expect(await findViolations(page, wideRules)).toEqual([]);
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 390, height: 660 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await expectNoOverflow(page);
  const { results } = await validator.validateString(html);
  expect(
    results.flatMap(({ messages }) =>
      messages.map(({ line, ruleId, message }) => `${line} ${ruleId}: ${message}`),
    ),
  ).toEqual([]);
}

it('has no fault while a visitor types, with an open menu, and after a failed request', async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 390, height: 660 });
  await page.goto('/');
  await page.locator('#ask').pressSequentially('kup');
  await page.locator('.live .hits').waitFor();
  expect(await findViolations(page)).toEqual([]);
  onTestFinished(() => page.unrouteAll());
  await page.route('**/?search=*', (route) => route.fulfill({ status: 500, body: '' }));
  await page.keyboard.press('Enter');
  await page.locator('.notice').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.goto('/scammers');
  await page.locator('.menu:visible summary').last().click();
  expect(await findViolations(page)).toEqual([]);
});
