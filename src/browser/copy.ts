/**
 * Copies the text beside a button. It is the model of the small scripts here: every page works without them and loads only
 * those that it needs. announce.ts tells screen readers; only theme-boot.js runs before the page is drawn.
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
