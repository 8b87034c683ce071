import { createInterface } from 'node:readline/promises';
import type { Cli } from './cli.ts';
import { BadInputError, VerbError } from './outcome.ts';

/** @param otherwise the option that answers yes without a terminal @throws {VerbError} unless the answer is yes */
export async function askToGoOn({ stdin, stderr }: Cli, what: string, otherwise: string): Promise<void> {
  if (!stdin.isTTY) throw new VerbError('needs_yes', `${what}; ${otherwise}`);
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await terminal.question(`${what}. Go on (yes/no)? `);
    if (answer.trim() !== 'yes') throw new BadInputError('nothing was changed');
  } finally {
    terminal.close();
  }
}
