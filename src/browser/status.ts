/**
 * Refreshes the status page while it is visible: fetches the page and replaces only the parts that differ, so that nothing
 * flickers.
 */
import { addDrawings } from './add-drawings.ts';
import { announce } from './announce.ts';
import { fetchPage } from './fetch-page.ts';

const EVERY_MS = 15_000;
/** After this many failures in a row, the page says that it is old. */
const FAILURES_MAX = 2;

let failures = 0;
let asking = false;

setInterval(() => void renew(), EVERY_MS);
document.addEventListener('visibilitychange', () => void renew());

async function renew(): Promise<void> {
  if (document.hidden || asking) return;
  asking = true;
  const before = wordOfPage();
  const answer = await fetchPage(location.pathname);
  asking = false;
  if (answer?.response.ok) {
    replace(answer.page);
    failures = 0;
  } else {
    failures += 1;
    if (failures === FAILURES_MAX) showStale();
  }
  const after = wordOfPage();
  if (after !== before) announce(after);
}

function replace(fresh: Document): void {
  addDrawings(fresh);
  for (const part of document.querySelectorAll<HTMLElement>('[data-live], [data-stale]')) {
    const { live } = part.dataset;
    const next = fresh.querySelector(live === undefined ? '[data-stale]' : `[data-live="${live}"]`);
    // Templates are always equal: their contents are no children.
    if (next && (live === undefined || !next.isEqualNode(part))) part.replaceWith(next);
  }
  document.title = fresh.title;
}

function wordOfPage(): string {
  return document.querySelector('[data-live="overall"] h1')?.textContent.trim() ?? '';
}

function showStale(): void {
  const stale = document.querySelector<HTMLTemplateElement>('[data-stale]');
  if (!stale) return;
  document.querySelector('[data-live="overall"]')?.replaceChildren(stale.content.cloneNode(true));
  document.title = document.title.replace(/^[^–]*/, `${wordOfPage()} `);
}
