/** Hands the address of an answer to the menu of the device; where there is none, copies it. */
import { showDone } from './announce.ts';

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('[data-share]');
  if (button) void share(button, button.dataset['share'] ?? '');
});

async function share(button: HTMLElement, url: string): Promise<void> {
  // Browsers without a menu lack the function; it also rejects when the visitor closes the menu.
  if (typeof navigator.share === 'function')
    return navigator.share({ title: document.title, url }).catch(() => undefined);
  await navigator.clipboard.writeText(url);
  showDone(button);
}
