/** Bounds what a message repeats of an input: the beginning and the end show which one it is. */
export function shorten(text: string, max = 80): string {
  const tail = Math.floor(max / 4);
  return text.length <= max ? text : `${text.slice(0, max - tail)}…${text.slice(-tail)}`;
}
