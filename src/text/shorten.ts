/** Bounds what a message repeats of an input: the beginning and the end show which one it is. */
export function shorten(text: string, max = 80): string {
  const tail = Math.floor(max / 4);
  return text.length <= max ? text : `${text.slice(0, max - tail)}…${text.slice(-tail)}`;
}

/** The rest is counted. */
const NAMED_MAX = 10;

export function joinSome(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return names.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
