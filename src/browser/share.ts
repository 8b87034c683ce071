/** Hands the address of an answer to the menu of the device; where there is none, copies it. */
import { announce } from './announce.ts';

const SHOWN_MS = 2_000;

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('[data-share]');
  if (button) void share(button, button.dataset['share'] ?? '');
});

async function share(button: HTMLElement, url: string): Promise<void> {
  // Browsers without a menu lack the function; it also rejects when somebody closes the menu.
  if (typeof navigator.share === 'function')
    return navigator.share({ title: document.title, url }).catch(() => undefined);
  await navigator.clipboard.writeText(url);
  const { done = '' } = button.dataset;
  const label = button.textContent;
  if (label === done) return;
  button.textContent = done;
  announce(done);
  setTimeout(() => (button.textContent = label), SHOWN_MS);
}
