/** A call of the command line. Verbs print through it and never touch the process, so that tests call them. */
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { escapeControls } from '../../text/escape-controls.ts';
import { shorten } from '../../text/shorten.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Environment } from '../../environment.ts';
import { BadInputError, OperatorError } from '../../operator-error.ts';

export interface CliStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** A moderator, whose command came by standard input. */
export interface Sender {
  /** The name of the SSH key. */
  readonly key?: string | undefined;
}

export interface Cli extends CliStreams {
  /** The settings. `doctor` and `settings`, which run with wrong ones too, have none. */
  readonly config: Config;
  /** The environment of the settings; undefined: the process's own. */
  readonly environment: Environment | undefined;
  /** Undefined for root. */
  readonly sender: Sender | undefined;
  /** The operator's name for the history of entries; undefined when unknown. */
  readonly by: string | undefined;
  readonly asJson: boolean;
  readonly saysYes: boolean;
  /** Closed when the verb ends. */
  readonly disposables: DisposableStack;
  /** The database that the verb writes, and its newest change before. */
  openedToWrite?: { readonly db: Database; readonly since: number };
  /** A verb that ends without an error sets it where its result is no success. */
  exitCode: number;
}

/** Prints a result on standard output: one JSON value for machines, the text for people. */
export function print({ stdout, asJson }: Cli, value: unknown, text: string): void {
  stdout.write(`${escapeControls(asJson ? JSON.stringify(value) : text)}\n`);
}

export function printNotice(streams: Pick<CliStreams, 'stderr'>, text: string): void {
  printError(streams, `note: ${text}`);
}

/** @param otherwise the option that answers yes without a terminal @throws {OperatorError} unless the answer is yes */
export async function askToGoOn(
  { stdin, stderr, saysYes }: Cli,
  what: string,
  otherwise: string,
): Promise<void> {
  if (saysYes) return;
  if (!stdin.isTTY) throw new OperatorError('needs_yes', `${what}; ${otherwise}`);
  using terminal = createInterface({ input: stdin, output: stderr });
  const answer = await terminal.question(`${escapeControls(what)}. Go on (yes/no)? `);
  if (answer.trim() !== 'yes') throw new BadInputError('nothing was changed');
}

/** No line of input makes a message longer than this. */
const LINE_MAX = 1_000;

/** Prints on standard error. @param given inputs, of which the text repeats the beginning and the end only */
export function printError(
  { stderr }: Pick<CliStreams, 'stderr'>,
  text: string,
  given: readonly string[] = [],
): void {
  stderr.write(`${escapeControls(shortenInputs(text, given))}\n`);
}

export function shortenInputs(text: string, given: readonly string[]): string {
  const long = given.filter((value) => shorten(value) !== value);
  const short = long
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
    .reduce((shorter, value) => shorter.replaceAll(value, shorten(value)), text);
  return short
    .split('\n')
    .map((line) => shorten(line, LINE_MAX))
    .join('\n');
}
