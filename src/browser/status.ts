/**
 * Refreshes the status page while it is visible: fetches the page and replaces only the parts that differ, so that nothing
 * flickers.
 */
import { addDrawings } from './add-drawings.ts';
import { announce } from './announce.ts';

const EVERY_MS = 15_000;
/** After this many failures in a row, the page says that it is old. */
const FAILURES_MAX = 2;

let failures = 0;

setInterval(() => void renew(), EVERY_MS);
document.addEventListener('visibilitychange', () => void renew());

async function renew(): Promise<void> {
  if (document.hidden) return;
  try {
    const response = await fetch(location.pathname, { headers: { Accept: 'text/html' } });
    if (!response.ok) throw new Error(String(response.status));
    replace(new DOMParser().parseFromString(await response.text(), 'text/html'));
    failures = 0;
  } catch {
    failures += 1;
    if (failures >= FAILURES_MAX) showStale();
  }
}

function replace(fresh: Document): void {
  const before = wordOf(document);
  addDrawings(fresh);
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const next = fresh.querySelector<HTMLElement>(`[data-live="${part.dataset['live']}"]`);
    if (!next || next.innerHTML === part.dataset['html']) continue;
    part.dataset['html'] = next.innerHTML;
    part.dataset['word'] = next.dataset['word'] ?? '';
    part.replaceChildren(...next.cloneNode(true).childNodes);
  }
  const stale = fresh.querySelector('[data-stale]');
  if (stale) document.querySelector('[data-stale]')?.replaceWith(stale);
  document.title = fresh.title;
  const after = wordOf(document);
  if (after !== before) announce(after);
}

function wordOf(page: Document): string {
  return page.querySelector<HTMLElement>('[data-live="overall"]')?.dataset['word'] ?? '';
}

function showStale(): void {
  const overall = document.querySelector<HTMLElement>('[data-live="overall"]');
  const stale = document.querySelector<HTMLTemplateElement>('[data-stale]');
  if (!overall || !stale || overall.dataset['html'] === 'stale') return;
  overall.replaceChildren(stale.content.cloneNode(true));
  overall.dataset['html'] = 'stale';
  const word = overall.querySelector('h1')?.textContent.trim() ?? '';
  overall.dataset['word'] = word;
  document.title = document.title.replace(/^[^–]*/, `${word} `);
  announce(word);
}
