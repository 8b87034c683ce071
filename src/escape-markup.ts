const MARKS = /[&<>"']/;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and quoted attributes in HTML and XML. */
export function escapeMarkup(text: string): string {
  return MARKS.test(text) ? text.replace(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark) : text;
}
