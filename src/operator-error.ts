/**
 * Why a verb did not do what it was asked for: a message for people, a code with facts for programs, and the exit code:
 * 1 invalid input (an argument, or a named file or folder); 2 any other failure (settings, database, disk, network).
 */

export const EXIT_BAD_INPUT = 1;
export const EXIT_COULD_NOT_RUN = 2;

const EXIT_CODES = {
  exists: EXIT_BAD_INPUT,
  not_found: EXIT_BAD_INPUT,
  invalid: EXIT_BAD_INPUT,
  removed: EXIT_BAD_INPUT,
  needs_yes: EXIT_BAD_INPUT,
  conflict: EXIT_COULD_NOT_RUN,
  busy: EXIT_COULD_NOT_RUN,
  failed: EXIT_COULD_NOT_RUN,
} as const;
export type OperatorErrorCode = keyof typeof EXIT_CODES;
export const OPERATOR_ERROR_CODES = Object.keys(EXIT_CODES) as OperatorErrorCode[];

export class OperatorError extends Error {
  override name = 'OperatorError';
  readonly code: OperatorErrorCode;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    code: OperatorErrorCode,
    message: string,
    facts: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, { cause });
    this.code = code;
    this.facts = facts;
  }

  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}

/** The operator's input is wrong; the message says what, and what is allowed. */
export class BadInputError extends OperatorError {
  override name = 'BadInputError';

  constructor(message: string, { cause }: ErrorOptions = {}) {
    super('invalid', message, {}, cause);
  }
}
