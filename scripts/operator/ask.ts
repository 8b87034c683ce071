import { createInterface } from 'node:readline/promises';
import type { Cli } from './cli.ts';
import { BadInputError } from './outcome.ts';

/** Asks a person. @param otherwise what to do without a terminal. @throws {BadInputError} without one */
export async function ask({ stdin, stderr }: Cli, question: string, otherwise: string): Promise<string> {
  if (!stdin.isTTY) throw new BadInputError(otherwise);
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

/**
 * Asks a person whether a verb is to go on.
 * @param what the effect of the verb, without a full stop
 * @param otherwise the option that answers yes without a terminal
 * @throws {BadInputError} unless the answer is yes
 */
export async function askToGoOn(cli: Cli, what: string, otherwise: string): Promise<void> {
  const answer = await ask(cli, `${what}. Go on (yes/no)? `, `${what}; ${otherwise}`);
  if (answer !== 'yes') throw new BadInputError('nothing was changed');
}
