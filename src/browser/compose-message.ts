/** Composes the text of a message to the operator: empty on the server, filled in by the browser. */

export interface MessagePart {
  readonly heading: string;
  readonly text: string;
}

/** One heading a line, what belongs to it below. */
export function composeMessage(parts: readonly MessagePart[]): string {
  // A mail needs no non-breaking spaces.
  return parts
    .map(({ heading, text }) => `${heading.replaceAll('\u00a0', ' ')}:\n${text.trim()}\n`)
    .join('\n');
}

/** @returns a `mailto:` link that holds the whole message */
export function mailLink(address: string, subject: string, body: string): string {
  // Lines of a mail end so (RFC 6068 section 5), and an `@` stays readable.
  const lines = encodeURIComponent(body.replaceAll(/\p{Surrogate}/gu, '\ufffd').replaceAll('\n', '\r\n'));
  const to = encodeURIComponent(address).replaceAll('%40', '@');
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${lines}`;
}
