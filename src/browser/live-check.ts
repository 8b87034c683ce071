/**
 * The check without page loads. While somebody types, entries with similar names appear, never a verdict: the verdict
 * comes from the same address that the form leads to without script, and leaves with the next keystroke.
 */
import { announce } from './announce.ts';

const PAUSE_MS = 350;
const BUSY_AFTER_MS = 150;
const ANNOUNCE_AFTER_MS = 700;
const TYPED_MIN = 2;
const WHOLE_ID = /^\d{17,20}$/;

/** What the history keeps of a page that somebody left by asking. */
interface Visit {
  /** Stood in the field. */
  readonly typed: string;
}

let request = new AbortController();
let pause: ReturnType<typeof setTimeout> | undefined;
let announcement: typeof pause;
let shown = location.pathname + location.search;

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === 'ask') typed(target.value.trim());
});

document.addEventListener('keydown', ({ key, target }) => {
  if (key === 'Escape' && target instanceof HTMLInputElement && target.id === 'ask') clear();
});

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-live]')) return;
  event.preventDefault();
  const field = new FormData(form).get('search');
  const text = typeof field === 'string' ? field.trim() : '';
  // For whoever comes back here.
  history.replaceState({ typed: text } satisfies Visit, '');
  const address = `/?${new URLSearchParams({ search: text })}`;
  void answer(address, true);
});

addEventListener('popstate', () => {
  const address = location.pathname + location.search;
  if (address !== shown) void answer(address, false);
});

function typed(text: string): void {
  clear();
  dropVerdict();
  if ([...text].length >= TYPED_MIN) pause = setTimeout(() => void preview(text), PAUSE_MS);
}

async function preview(text: string): Promise<void> {
  const page = await load(`/?${new URLSearchParams({ search: text })}`);
  if (!page) return;
  const live = region();
  const rows = page.querySelector<HTMLElement>('[data-hits]');
  if (rows) {
    const title = document.createElement('h2');
    title.textContent = rows.dataset['similar'] ?? '';
    live.replaceChildren(title, rows);
    say(rows.dataset['hits'] ?? '');
  } else {
    const entry = page.querySelector('.answer:not([data-role="none"])');
    const isId = WHOLE_ID.test(text.replace(/\s/g, '')) || page.querySelector('[data-by="id"]');
    const message = (isId && entry ? live.dataset['wholeId'] : live.dataset['nothing']) ?? '';
    live.replaceChildren(paragraph(message));
    say(message);
  }
}

/** Shows the page of an address in place of this one. */
async function answer(address: string, isNew: boolean): Promise<void> {
  clear();
  const page = await load(address);
  const main = page?.querySelector('main');
  if (!page || !main) return;
  if (isNew && address !== location.pathname + location.search) history.pushState(null, '', address);
  shown = location.pathname + location.search;
  document.title = page.title;
  document.querySelector('main')?.replaceWith(main);
  const field = main.querySelector<HTMLInputElement>('#ask');
  // Only into an empty field: an old answer never stands under another question.
  if (!isNew && field?.value === '') field.value = (history.state as Visit | null)?.typed ?? '';
  const target = main.querySelector<HTMLElement>('[aria-invalid="true"], #wynik') ?? field ?? main;
  target.focus();
}

/** Undefined when a newer request took over, or when it failed; a failure is shown and is no result. */
async function load(address: string): Promise<Document | undefined> {
  request.abort();
  request = new AbortController();
  const { signal } = request;
  const live = region();
  const busy = setTimeout(() => live.setAttribute('aria-busy', 'true'), BUSY_AFTER_MS);
  const done = (): void => {
    clearTimeout(busy);
    live.removeAttribute('aria-busy');
  };
  try {
    const response = await fetch(address, { signal });
    const text = await response.text();
    done();
    if (response.ok) return new DOMParser().parseFromString(text, 'text/html');
    const seconds = response.headers.get('Retry-After');
    fail(
      address,
      response.status === 429 && seconds ? live.dataset['limited']?.replace('{N}', seconds) : undefined,
    );
  } catch {
    done();
    if (!signal.aborted) fail(address, navigator.onLine ? undefined : live.dataset['offline']);
  }
  return undefined;
}

function fail(address: string, reason: string | undefined): void {
  const live = region();
  const message = reason ?? live.dataset['failed'] ?? '';
  const box = paragraph(`${message} `);
  box.className = 'notice';
  box.dataset['kind'] = 'error';
  const again = document.createElement('a');
  again.href = address;
  again.textContent = live.dataset['again'] ?? '';
  box.append(again);
  live.replaceChildren(box);
  dropVerdict();
  say(message);
}

/** Ends what is under way and empties the preview. */
function clear(): void {
  request.abort();
  clearTimeout(pause);
  clearTimeout(announcement);
  region().replaceChildren();
}

/** An old answer never stands under a new question. */
function dropVerdict(): void {
  const result = document.querySelector<HTMLElement>('[data-result]');
  if (!result?.querySelector('#wynik')) return;
  result.remove();
  const title = document.createElement('h1');
  title.className = 'unseen';
  title.textContent = region().dataset['title'] ?? '';
  document.querySelector('main')?.prepend(title);
  document.title = document.title.replace(/^.*–/, `${title.textContent} –`);
}

function say(message: string): void {
  clearTimeout(announcement);
  announcement = setTimeout(() => announce(message), ANNOUNCE_AFTER_MS);
}

function paragraph(text: string): HTMLParagraphElement {
  const element = document.createElement('p');
  element.textContent = text;
  return element;
}

/** In the HTML of every check page; looked up anew because answers replace it. */
function region(): HTMLElement {
  return document.querySelector<HTMLElement>('.live') ?? document.createElement('div');
}
