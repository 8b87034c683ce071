/**
 * Checks without page loads. While the visitor types, entries with similar names appear, never a verdict. The verdict comes
 * from the form's own URL and disappears with the next keystroke.
 */
import { addDrawings } from './add-drawings.ts';
import { announce } from './announce.ts';
import { fetchPage } from './fetch-page.ts';

const PAUSE_MS = 350;
const BUSY_AFTER_MS = 150;
/** Longer than the pause between two keys: an ID may have three digits more. */
const WHOLE_ID_PAUSE_MS = 700;
const ANNOUNCE_AFTER_MS = 700;
const TYPED_MIN = 2;
/** An ID, alone or in a mention, a link or a sentence, or the number of a report. */
const WHOLE = /\d{17}|^R-[0-9A-Z]{10}$/i;

let request: AbortController | undefined;
let pause: ReturnType<typeof setTimeout> | undefined;
let announcement: typeof pause;
/** The address whose answer is in the page; empty after it was dropped. */
let shown = location.pathname + location.search;

const isField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.id === 'ask';

document.addEventListener('input', (event) => {
  const { target } = event;
  if (!isField(target)) return;
  typed(textOf(target), event instanceof InputEvent && event.inputType === 'insertFromPaste');
});

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest('.paste');
  const field = button?.parentElement?.querySelector('input');
  if (field) void paste(field);
});

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (key === 'Escape' && isField(target)) clear();
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined) return;
  // From the field through what was found, and back.
  const stops = [...document.querySelectorAll<HTMLElement>('#ask, .hits a')];
  const next = stops[stops.indexOf(target as HTMLElement) + step];
  if (!stops.includes(target as HTMLElement) || !next) return;
  event.preventDefault();
  next.focus();
});

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-live]')) return;
  event.preventDefault();
  const text = textOf(form.querySelector<HTMLInputElement>('#ask'));
  // The history keeps the field's text for a visitor who returns.
  history.replaceState({ typed: text }, '');
  void answer(addressOf(text), true);
});

addEventListener('popstate', () => {
  const address = location.pathname + location.search;
  if (address !== shown) void answer(address, false);
  // Back and forward again: the answer that is under way belongs to neither.
  else clear();
});

/** A full field may have cut a pasted text inside of an ID. By the length, the server knows. */
function textOf(field: HTMLInputElement | null): string {
  if (!field) return '';
  return field.value.length < field.maxLength ? field.value.trim() : field.value;
}

async function paste(field: HTMLInputElement): Promise<void> {
  try {
    const text = (await navigator.clipboard.readText()).trim();
    if (text === '') return;
    field.value = text.slice(0, field.maxLength);
    field.form?.requestSubmit();
  } catch {
    // Browsers ask for permission, and have no clipboard without HTTPS: the visitor pastes with the field's own menu.
    field.focus();
  }
}

function typed(text: string, isPasted: boolean): void {
  const isWhole = WHOLE.test(text.replace(/\s/g, ''));
  const isPreviewed = !isWhole && [...text].length >= TYPED_MIN;
  clear(isPreviewed);
  dropVerdict();
  if (isWhole) {
    // A whole ID is answered at once when it is pasted; a typed one may get further digits.
    pause = setTimeout(() => void answer(addressOf(text), true, !isPasted), isPasted ? 0 : WHOLE_ID_PAUSE_MS);
    return;
  }
  if (isPreviewed) pause = setTimeout(() => void preview(text), PAUSE_MS);
}

async function preview(text: string): Promise<void> {
  const page = await load(addressOf(text));
  if (!page) return;
  const live = region();
  const hits = page.querySelector<HTMLTemplateElement>('[data-hits]');
  const message = hits?.dataset['hits'] ?? live.dataset['nothing'] ?? '';
  live.replaceChildren(hits?.content ?? message);
  say(message);
}

function addressOf(text: string): string {
  return `/?${new URLSearchParams({ search: text })}`;
}

/**
 * Shows the page of an address in place of this one.
 * @param staysInField keeps the focus in the field, for a visitor who types
 */
async function answer(address: string, isNew: boolean, staysInField = false): Promise<void> {
  clear();
  // On the way back, the other address has no verdict of this one while it loads.
  const dropping = isNew ? undefined : setTimeout(dropVerdict, BUSY_AFTER_MS);
  const page = await load(address);
  clearTimeout(dropping);
  const main = page?.querySelector('main');
  if (!page || !main) return;
  if (isNew && address !== location.pathname + location.search) history.pushState(null, '', address);
  shown = location.pathname + location.search;
  document.title = page.title;
  const swap = (): void => document.querySelector('main')?.replaceWith(main);
  // As between two pages, which CSS sees to.
  if (matchMedia('(prefers-reduced-motion: no-preference)').matches && 'startViewTransition' in document)
    await document.startViewTransition(swap).updateCallbackDone;
  else swap();
  const field = main.querySelector<HTMLInputElement>('#ask');
  // Only into an empty field, so that an answer never belongs to another question.
  if (!isNew && field?.value === '') field.value = (history.state as { typed?: string } | null)?.typed ?? '';
  if (staysInField && field) {
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    say(main.querySelector('#wynik')?.textContent.trim() ?? '');
    return;
  }
  const target = main.querySelector<HTMLElement>('[aria-invalid="true"], #wynik') ?? field ?? main;
  target.focus();
}

/** Undefined when a newer request took over, or when it failed; a failure is shown and is no result. */
async function load(address: string): Promise<Document | undefined> {
  request?.abort();
  const own = new AbortController();
  request = own;
  const live = region();
  const busy = setTimeout(() => live.setAttribute('aria-busy', 'true'), BUSY_AFTER_MS);
  const answered = await fetchPage(address, { request: own });
  clearTimeout(busy);
  live.removeAttribute('aria-busy');
  if (request !== own) return undefined;
  if (!answered) return fail(address, navigator.onLine ? undefined : live.dataset['offline']);
  const { response, page } = answered;
  // The page of a removed report is no failure.
  if (response.status < 429) {
    addDrawings(page);
    return page;
  }
  const seconds = response.status === 429 ? response.headers.get('Retry-After') : null;
  return fail(address, seconds ? live.dataset['limited']?.replace('{N}', seconds) : undefined);
}

function fail(address: string, reason: string | undefined): undefined {
  const live = region();
  const message = reason ?? live.dataset['failed'] ?? '';
  const box = document.createElement('p');
  box.className = 'notice';
  box.dataset['kind'] = 'error';
  const again = document.createElement('a');
  again.href = address;
  again.textContent = live.dataset['again'] ?? '';
  box.append(`${message} `, again);
  live.replaceChildren(box);
  dropVerdict();
  say(message);
}

/** Aborts the running request and empties the preview. @param keepsHits until others come, so that nothing flickers */
function clear(keepsHits = false): void {
  request?.abort();
  request = undefined;
  clearTimeout(pause);
  clearTimeout(announcement);
  if (!keepsHits) region().replaceChildren();
}

/** An answer disappears when the question changes. */
function dropVerdict(): void {
  shown = '';
  const result = document.querySelector<HTMLElement>('[data-result]');
  result?.remove();
  if (!result?.querySelector('#wynik')) return;
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

/** Every check page has it; an answer replaces it, so each call looks it up. */
function region(): HTMLElement {
  return document.querySelector<HTMLElement>('.live') ?? document.createElement('div');
}
