/** The page's one live region for screen readers; the HTML holds it empty from the start. */
export function announce(text: string): void {
  const region = document.getElementById('status');
  if (region) region.textContent = text;
}

const SHOWN_MS = 2_000;

/** The button says for a moment what it has done. */
export function showDone(button: HTMLElement): void {
  const { done = '' } = button.dataset;
  const label = button.textContent;
  if (label === done) return;
  button.textContent = done;
  announce(done);
  setTimeout(() => (button.textContent = label), SHOWN_MS);
}
