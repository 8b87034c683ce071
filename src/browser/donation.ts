/**
 * A donation's page that follows its donation: the server says that something changed, the page asks for itself anew
 * and swaps the one region. Where that stream cannot be had, it asks every ten seconds.
 */
import { announce } from './announce.ts';

const ASK_EVERY_MS = 10_000;
const LOST_AFTER_MS = 60_000;
const TICK_MS = 5_000;
/** What is left of the time is shown and said only near its end: before, it would only frighten. */
const SHOWN_PART = 0.25;
const LAST_CALL_MINUTES = 2;
const MINUTE_MS = 60_000;
/** Nothing more is going to happen by itself. */
const SETTLED = new Set(['forwarded', 'failed']);

const region = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-donation]');

let lostTimer: ReturnType<typeof setTimeout> | undefined;
let asking = false;
let said = '';

if (region()) {
  follow();
  setInterval(tick, TICK_MS);
  tick();
}

function follow(): void {
  const stream = new EventSource(`${location.pathname}/events`);
  stream.addEventListener('open', found);
  stream.addEventListener('message', ({ data }) => {
    found();
    if (data !== region()?.dataset['donation']) void refresh();
  });
  stream.addEventListener('error', () => {
    lostTimer ??= setTimeout(showLost, LOST_AFTER_MS);
    // Refused, not interrupted: the browser does not try again by itself.
    if (stream.readyState === EventSource.CLOSED) setInterval(() => void refresh(), ASK_EVERY_MS);
  });
}

function found(): void {
  clearTimeout(lostTimer);
  lostTimer = undefined;
  document.querySelector('[data-lost-notice]')?.remove();
}

function showLost(): void {
  const shown = region();
  if (!shown || document.querySelector('[data-lost-notice]') || SETTLED.has(shown.dataset['status'] ?? ''))
    return;
  const notice = document.createElement('p');
  notice.className = 'notice';
  notice.dataset['lostNotice'] = '';
  notice.textContent = shown.dataset['lost'] ?? '';
  shown.before(notice);
}

const stateOf = ({ dataset }: HTMLElement): string => `${dataset['donation']} ${dataset['status']}`;

async function refresh(): Promise<void> {
  if (asking) return;
  asking = true;
  try {
    const response = await fetch(location.pathname, { cache: 'no-store' });
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const next = page.querySelector<HTMLElement>('[data-donation]');
    const shown = region();
    found();
    if (!next || !shown || stateOf(next) === stateOf(shown)) return;
    swap(shown, next);
    document.title = page.title;
  } catch {
    // The next event or the next ten seconds try again.
  } finally {
    asking = false;
  }
}

function swap(shown: HTMLElement, next: HTMLElement): void {
  const hadFocus = shown.contains(document.activeElement);
  shown.replaceWith(next);
  tick();
  if (hadFocus) next.querySelector<HTMLElement>('h1')?.focus();
  const parts = [next.querySelector('h1'), next.querySelector('.notice') ?? next.querySelector('.lead')];
  announce(parts.map((part) => part?.textContent.trim().replace(/\s+/g, ' ') ?? '').join('. '));
}

/** The time that is left, by the minute; seen by everybody, said at a quarter, at two minutes and at the end. */
function tick(): void {
  const shown = region();
  const line = shown?.querySelector<HTMLElement>('[data-countdown]');
  if (!shown || !line) return;
  const expires = Number(shown.dataset['expires']);
  const leftMs = expires - Date.now();
  if (leftMs <= 0) {
    void refresh();
    return;
  }
  if (leftMs > (expires - Number(shown.dataset['created'])) * SHOWN_PART) return;
  const minutes = Math.floor(leftMs / MINUTE_MS);
  const text =
    (minutes < 1 ? shown.dataset['leftLast'] : shown.dataset['left']?.replace('{N}', String(minutes))) ?? '';
  line.hidden = false;
  if (line.textContent !== text) line.textContent = text;
  const call = minutes < LAST_CALL_MINUTES ? 'last' : 'quarter';
  if (said === call) return;
  said = call;
  announce(text);
}
