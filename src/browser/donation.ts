/**
 * Refreshes a donation's page: fetches it again and replaces one region when it has changed. An unchanged page costs a
 * 304.
 */
import { addDrawings } from './add-drawings.ts';
import { announce } from './announce.ts';
import { fetchPage } from './fetch-page.ts';

const ASK_EVERY_MS = 5_000;
const ASK_HIDDEN_EVERY_MS = 30_000;
const ASK_AFTER_ERROR_MS = 60_000;
const LOST_AFTER_MS = 60_000;
const TICK_MS = 5_000;
/** The remaining time is shown and spoken only near its end: earlier, it would only frighten. */
const SHOWN_PART = 0.25;
const LAST_CALL_MINUTES = 2;
const MINUTE_MS = 60_000;
/** The donation is final. */
const SETTLED = new Set(['forwarded', 'failed']);

const region = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-donation]');
const lost = document.querySelector<HTMLElement>('[data-lost]');

let lostTimer: ReturnType<typeof setTimeout> | undefined;
let askTimer: ReturnType<typeof setTimeout> | undefined;
let asking = false;
/** ETag of the page as it was last received; a star would match any. */
let tag = '""';
let said = '';
/** The lead of the server's clock over the visitor's, which may be wrong; NaN: not known yet. */
let serverAheadMs = Number.NaN;

if (region()) {
  schedule(ASK_EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) schedule(0);
  });
  setInterval(tick, TICK_MS);
}

function schedule(waitMs: number): void {
  clearTimeout(askTimer);
  askTimer = setTimeout(() => void refresh(), waitMs);
}

function showLost(): void {
  if (!lost || SETTLED.has(region()?.dataset['status'] ?? '')) return;
  lost.hidden = false;
  announce(lost.textContent.trim());
}

const stateOf = ({ dataset }: HTMLElement): string => `${dataset['donation']} ${dataset['status']}`;

async function refresh(): Promise<void> {
  if (asking) return;
  asking = true;
  const answer = await fetchPage(location.pathname, { headers: { 'If-None-Match': tag } });
  asking = false;
  if (!answer?.response.ok && answer?.response.status !== 304) {
    lostTimer ??= setTimeout(showLost, LOST_AFTER_MS);
    return schedule(ASK_AFTER_ERROR_MS);
  }
  const { response, page } = answer;
  clearTimeout(lostTimer);
  lostTimer = undefined;
  if (lost) lost.hidden = true;
  serverAheadMs = Date.parse(response.headers.get('Date') ?? '') - Date.now();
  if (response.ok) {
    tag = response.headers.get('ETag') ?? tag;
    show(page);
  }
  tick();
  schedule(document.hidden ? ASK_HIDDEN_EVERY_MS : ASK_EVERY_MS);
}

function show(page: Document): void {
  const next = page.querySelector<HTMLElement>('[data-donation]');
  const shown = region();
  if (!next || !shown || stateOf(next) === stateOf(shown)) return;
  addDrawings(page);
  document.title = page.title;
  const hadFocus = shown.contains(document.activeElement);
  shown.replaceWith(next);
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
  const leftMs = expires - Date.now() - serverAheadMs;
  if (!(leftMs > 0)) return;
  if (leftMs > (expires - Number(shown.dataset['created'])) * SHOWN_PART) return;
  const minutes = Math.floor(leftMs / MINUTE_MS);
  const text =
    shown.dataset[['leftLast', 'leftOne'][minutes] ?? 'left']?.replace('{N}', String(minutes)) ?? '';
  line.hidden = false;
  if (line.textContent !== text) line.textContent = text;
  const call = minutes < LAST_CALL_MINUTES ? 'last' : 'quarter';
  if (said === call) return;
  said = call;
  announce(text);
}
