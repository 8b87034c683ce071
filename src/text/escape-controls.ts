/** Characters that a terminal obeys, or that change the order or lines of what it shows; not tab and line breaks. */
const OBEYED =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/g;

/** Makes a text, in which strangers may have written, safe for a terminal. The value of JSON stays the same. */
export function escapeControls(text: string): string {
  return text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
