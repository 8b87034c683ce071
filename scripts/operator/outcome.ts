/** How a command ends: exit code 0, 1 for bad input, 2 when it could not run (DESIGN section 2). */

/** The operator's input is wrong; the message says what, and what is allowed. */
export class BadInputError extends Error {
  override name = 'BadInputError';
}

export const EXIT_BAD_INPUT = 1;
export const EXIT_COULD_NOT_RUN = 2;

/** For machines one JSON value, for people the text. */
export function print(asJson: boolean | undefined, value: unknown, text: string): void {
  process.stdout.write(`${asJson ? JSON.stringify(value) : text}\n`);
}
