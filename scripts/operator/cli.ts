/**
 * A call of the command line: its streams, its settings, its exit code. Verbs print through it and never touch the
 * process, so that a test runs a verb as a function.
 */
import type { Readable, Writable } from 'node:stream';
import type { Config, Environment } from '#src/config.ts';

export interface CliStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable;
}

export interface Cli extends CliStreams {
  /** The settings; verbs that only inspect them read them by themselves. */
  readonly config: Config;
  /** The environment of the settings; undefined: the process's own. */
  readonly environment: Environment | undefined;
  /** The operator's name for the history of entries; undefined when unknown. */
  readonly by: string | undefined;
  /** A verb that ends without an error sets it where its result is no success. */
  exitCode: number;
}

/** Prints a result on standard output: one JSON value for machines, the text for people. */
export function print(
  { stdout }: CliStreams,
  asJson: boolean | undefined,
  value: unknown,
  text: string,
): void {
  stdout.write(`${asJson ? JSON.stringify(value) : text}\n`);
}

/** Prints a notice on standard error. */
export function note({ stderr }: CliStreams, text: string): void {
  stderr.write(`note: ${text}\n`);
}
