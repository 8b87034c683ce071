/** The page's one place that screen readers hear; it stands empty in the HTML from the start. */
export function announce(text: string): void {
  const region = document.getElementById('status');
  if (region) region.textContent = text;
}
