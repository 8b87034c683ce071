/**
 * The buttons that copy, share and print. It is the model of the small scripts here: every page works without them and loads
 * only those that it needs. announce.ts tells screen readers; only theme-boot.js runs before the page is drawn.
 */
import { announce, showDone } from './announce.ts';

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('.copy, [data-share], [data-print]');
  if (!button) return;
  const { share: url, print } = button.dataset;
  if (print !== undefined) void printWhole();
  else if (url !== undefined) void share(button, url);
  else {
    const source = button.closest('[data-copied]') ?? button.parentElement?.querySelector('[data-copied]');
    if (source) void copy(button, source.querySelector('.id') ?? source);
  }
});

async function copy(button: HTMLElement, source: Element): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    showDone(button);
  } catch {
    source.closest('details')?.setAttribute('open', '');
    getSelection()?.selectAllChildren(source);
    announce(button.dataset['byHand'] ?? '');
  }
}

/** Hands an address to the menu of the device; where there is none, copies it. */
async function share(button: HTMLElement, url: string): Promise<void> {
  // Browsers without a menu lack the function; it also rejects when the visitor closes the menu.
  if (typeof navigator.share === 'function')
    return navigator.share({ title: document.title, url }).catch(() => undefined);
  // The address bar has what the clipboard refuses; without HTTPS there is none.
  try {
    await navigator.clipboard.writeText(url);
    showDone(button);
  } catch {
    location.assign(url);
  }
}

/** Pictures that were not scrolled to are loaded first. */
async function printWhole(): Promise<void> {
  const images = [...document.images];
  for (const image of images) image.loading = 'eager';
  // One that cannot be loaded must not keep the others from being printed.
  await Promise.allSettled(images.map((image) => image.decode()));
  print();
}
