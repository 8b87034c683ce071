/** The page's one live region for screen readers; the HTML holds it empty from the start. */
export function announce(text: string): void {
  const region = document.getElementById('status');
  if (region) region.textContent = text;
}

const SHOWN_MS = 2_000;

/** The button says for a moment what it has done; one that has only an icon shows a tick. */
export function showDone(button: HTMLElement): void {
  const { done = '' } = button.dataset;
  const shown = button.matches('.icon-only') ? '✓' : done;
  if (button.textContent === shown) return;
  const label = [...button.childNodes];
  button.textContent = shown;
  announce(done);
  setTimeout(() => button.replaceChildren(...label), SHOWN_MS);
}
