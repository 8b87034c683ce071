/**
 * Small scripts that shorten the way; each page is whole without them, and loads only those that it needs. This one is
 * the model: it copies the text beside a button, an ID or an address. announce.ts says what was done to who listens;
 * theme-boot.js alone runs before the page is drawn.
 */
import { announce, showDone } from './announce.ts';

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('.copy');
  const source = button?.closest('[data-copied]') ?? button?.parentElement?.querySelector('[data-copied]');
  if (button && source) void copy(button, source.querySelector('.id') ?? source);
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
