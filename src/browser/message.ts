/**
 * Composes a message to the operator from the visitor's answers, in the browser. Only the ID is sent to the service, as a
 * check.
 */
import { announce } from './announce.ts';
import { composeMessage, mailLink } from './compose-message.ts';

/** The longest press of a finger that is a tap. */
const PRESS_MS = 300;

type Field = HTMLInputElement | HTMLTextAreaElement;

const valueOf = (field: HTMLElement): string =>
  (field instanceof HTMLFieldSetElement
    ? field.querySelector<HTMLInputElement>(':checked')
    : (field as Field)
  )?.value ?? '';

for (const form of document.querySelectorAll<HTMLElement>('.message')) {
  form.addEventListener('input', () => write(form));
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches('[data-look-up]')) void lookUp(target);
  });
  form.addEventListener('click', (event) => {
    const pressed = (event.target as Element).closest('.button, .message-text > .copy');
    if (!pressed) return;
    // On the way to the next step, only what stands before it is asked for.
    const field = findMissing(pressed.closest('.message-steps') ?? form);
    if (!field) return;
    event.preventDefault();
    event.stopPropagation();
    askFor(field, form);
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
  const text = composeMessage(parts);
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

async function lookUp(field: HTMLInputElement): Promise<void> {
  const place = field.parentElement?.querySelector<HTMLElement>('.notice');
  const typed = field.value.trim();
  if (!place) return;
  // What moved now would move the button under the finger that is leaving the field.
  await new Promise((resolve) => setTimeout(resolve, PRESS_MS));
  if (typed === '') place.hidden = true;
  if (typed === '') return;
  const { failed = '', none = '', unreadable = '', more = '', see = '' } = place.dataset;
  const address = `/?${new URLSearchParams({ search: typed })}`;
  const found = await ask(address);
  // The visitor may have typed meanwhile.
  if (field.value.trim() !== typed) return;
  if (found === undefined) return say(place, failed);
  const answer = found.querySelector<HTMLElement>('.answer[data-by="id"]');
  if (!answer) return say(place, unreadable);
  if (answer.dataset['role'] === 'none') return say(place, none);
  const title = answer.querySelector('#wynik')?.textContent.trim() ?? '';
  say(place, `${title}. ${more} `);
  const link = document.createElement('a');
  link.href = address;
  link.target = '_blank';
  link.textContent = see;
  place.append(link);
}

/** Undefined without an answer or with an error: neither says anything about the ID. */
async function ask(address: string): Promise<Document | undefined> {
  const response = await fetch(address, { cache: 'no-cache' }).catch(() => undefined);
  const html = response?.ok ? await response.text().catch(() => undefined) : undefined;
  return html === undefined ? undefined : new DOMParser().parseFromString(html, 'text/html');
}

function say(place: HTMLElement, text: string): void {
  place.hidden = false;
  place.textContent = text;
  announce(text.trim());
}
