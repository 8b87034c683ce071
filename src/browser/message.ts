/**
 * Composes a message to the operator from the visitor's answers, in the browser. Only the ID or the report number is sent to
 * the service, as a check.
 */
import { announce } from './announce.ts';
import { composeMessage, mailLink } from './compose-message.ts';
import { fetchPage } from './fetch-page.ts';

/** The longest press of a finger that is a tap. */
const PRESS_MS = 300;
/** The longest time that the next step waits for a look-up. */
const WAIT_MS = 2_000;

/** The address of the last look-up, empty after a failed one, and whether it shows an entry, or nothing. */
let asked = '';
let result: Promise<boolean | undefined> = Promise.resolve(undefined);

type Field = HTMLInputElement | HTMLTextAreaElement;

const valueOf = (field: HTMLElement): string =>
  (field instanceof HTMLFieldSetElement
    ? field.querySelector<HTMLInputElement>(':checked')
    : (field as Field)
  )?.value ?? '';

for (const form of document.querySelectorAll<HTMLElement>('.message')) {
  form.addEventListener('input', () => write(form));
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches('[data-look-up=report]')) void lookUp(target);
  });
  form.addEventListener('click', (event) => {
    const pressed = (event.target as Element).closest<HTMLAnchorElement>('.button, .message-text > .copy');
    if (!pressed) return;
    // On the way to the next step, only what stands before it is asked for.
    const step = pressed.closest('.message-steps');
    const missing = findMissing(step ?? form);
    const field = missing ?? step?.querySelector<Field>('[data-look-up]');
    if (!field) return;
    event.preventDefault();
    event.stopPropagation();
    if (missing) askFor(missing, form);
    else void goOn(field, pressed.hash);
  });
  form.addEventListener('keydown', (event) => {
    const { key, target, isComposing } = event;
    if (key !== 'Enter' || isComposing || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    target.closest('section')?.querySelector<HTMLElement>('.button')?.click();
  });
  write(form);
  // Browsers restore earlier input.
  addEventListener('pageshow', () => write(form));
}

function write(form: HTMLElement): void {
  const parts = [...form.querySelectorAll<HTMLElement>('[data-heading]')].map((field) => ({
    heading: field.dataset['heading'] ?? '',
    text: valueOf(field),
  }));
  const written = parts.filter((part) => part.text.trim() !== '');
  const text = composeMessage(written.length > 0 ? written : parts);
  const preview = form.querySelector('pre');
  if (preview) preview.textContent = text;
  const link = form.querySelector<HTMLAnchorElement>('[data-to]');
  const { to, subject = '' } = link?.dataset ?? {};
  if (link && to !== undefined) link.href = mailLink(to, subject, text);
}

/** The first required field that is empty. */
function findMissing(part: Element): Field | undefined {
  return [...part.querySelectorAll<Field>('[data-missing]')].find((field) => field.value.trim() === '');
}

function askFor(field: Field, form: HTMLElement): void {
  if (field.getClientRects().length === 0) location.hash = field.closest('section')?.id ?? '';
  field.focus();
  if (field.ariaInvalid) return;
  const notice = document.createElement('p');
  notice.className = 'notice';
  notice.dataset['kind'] = 'error';
  notice.id = `${field.id}-brak`;
  notice.textContent = field.dataset['missing'] ?? '';
  field.before(notice);
  field.ariaInvalid = 'true';
  const clear = (): void => {
    notice.remove();
    field.ariaInvalid = null;
  };
  form.addEventListener('input', clear, { once: true });
}

const pause = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, ms, undefined));

const noteOf = (field: Field): HTMLElement | null | undefined =>
  field.closest('.message')?.querySelector<HTMLElement>('[data-none]');

/** The page that shows the entry: the one on which an appeal is written, or the check. */
const addressOf = (field: Field): string =>
  field.dataset['lookUp'] === 'appeal'
    ? `/odwolania?${new URLSearchParams({ nr: field.value.trim() })}`
    : `/?${new URLSearchParams({ search: field.value.trim() })}`;

/**
 * Opens the next step, and says there what the look-up found, or that it failed. It stops once to say that the text names
 * nothing; an appeal goes to the page of its entry.
 */
async function goOn(field: Field, hash: string): Promise<void> {
  const note = noteOf(field);
  const isRead = note?.hidden === false && addressOf(field) === asked;
  const isFound = await Promise.race([lookUp(field), pause(WAIT_MS)]);
  if (isFound && field.dataset['lookUp'] === 'appeal') return location.assign(addressOf(field));
  if (isFound === false && !isRead) return field.focus();
  if (note && (isFound || asked === '')) document.querySelector(`${hash} > div`)?.after(note);
  location.hash = hash;
}

/** Asks once for the same text. @returns undefined for a new ID, and where the lists have not answered */
function lookUp(field: Field): Promise<boolean | undefined> {
  const address = addressOf(field);
  if (address !== asked) result = findEntry(field, address);
  asked = address;
  return result;
}

async function findEntry(field: Field, address: string): Promise<boolean | undefined> {
  const note = noteOf(field);
  const isEmpty = field.value.trim() === '';
  // What moved now would move the button under the finger that is leaving the field.
  const [fetched] = await Promise.all([isEmpty ? undefined : fetchPage(address), pause(PRESS_MS)]);
  // The visitor may have typed meanwhile.
  if (!note || addressOf(field) !== address) return undefined;
  field.before(note);
  note.hidden = isEmpty;
  if (isEmpty) return undefined;
  const { failed = '', none = '', unreadable = none, more = '', see = '' } = note.dataset;
  // An error says nothing about the ID.
  if (!fetched?.response.ok) {
    asked = '';
    say(note, failed);
    return undefined;
  }
  const answer = fetched.page.querySelector<HTMLElement>('.answer[data-by="id"], .message > .person');
  if (!answer || answer.dataset['role'] === 'none') {
    const removed = fetched.page.querySelector('[data-removed]')?.textContent.trim().replace(/\s+/g, ' ');
    say(note, removed ?? (answer ? none : unreadable));
    // A report may be of an ID that is on no list.
    return answer ? undefined : false;
  }
  note.hidden = field.dataset['lookUp'] === 'appeal';
  if (note.hidden) return true;
  const title = answer.querySelector('#wynik')?.textContent.trim() ?? '';
  say(note, `${title}. ${more} `);
  const link = document.createElement('a');
  link.href = address;
  link.target = '_blank';
  link.textContent = see;
  note.append(link);
  return true;
}

function say(note: HTMLElement, text: string): void {
  note.textContent = text;
  announce(text.trim());
}
