const MARKS = /[&<>"']/;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text between elements and in quoted attributes of HTML and XML. */
export function escapeMarkup(text: string): string {
  // Most texts have none of them.
  return MARKS.test(text) ? text.replace(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark) : text;
}
