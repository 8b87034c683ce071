/**
 * Exit codes of a command: 0 success; 1 invalid input (an argument, or a named file or folder); 2 any other failure
 * (settings, database, disk, network).
 */

export const EXIT_BAD_INPUT = 1;
export const EXIT_COULD_NOT_RUN = 2;

/** Why a verb did not do what it was asked for, for programs; with the exit code. */
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
export type ErrorCode = keyof typeof EXIT_CODES;

/** A verb's error. The message is for people; `facts` are what a program needs beside the code. */
export class VerbError extends Error {
  override name = 'VerbError';
  readonly code: ErrorCode;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
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
export class BadInputError extends VerbError {
  override name = 'BadInputError';

  constructor(message: string, { cause }: ErrorOptions = {}) {
    super('invalid', message, {}, cause);
  }
}

/** 1 problem, 2 problems. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Problems that a verb lists; the rest is counted. */
export const PROBLEMS_LISTED = 50;
/** Names that a message has; the rest is counted. */
const NAMED_MAX = 10;

export function named(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return names.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const PATH_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'lies below something that is no folder',
  EISDIR: 'is a folder; a file is needed',
  EACCES: 'may not be used by this user',
  EPERM: 'may not be used by this user',
  EEXIST: 'is there already',
  EROFS: 'lies on a disk that cannot be written to',
  ENAMETOOLONG: 'has too long a name',
};

/** The system's objection to a path in words; undefined for every other error. */
export function describePathProblem(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? PATH_PROBLEMS[String(error.code)] : undefined;
}

/**
 * Works with a file or folder that the operator has named.
 * @throws {BadInputError} when the path is the reason that it fails
 */
export async function withNamed<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = describePathProblem(error);
    if (problem === undefined) throw error;
    throw new BadInputError(`${path} ${problem}`, { cause: error });
  }
}
