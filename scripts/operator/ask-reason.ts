import { createInterface } from 'node:readline/promises';
import { REMOVAL_REASONS } from '#src/entries/removal-reasons.ts';
import type { RemovalReason } from '#src/entries/removal-reasons.ts';
import type { Cli } from './cli.ts';
import { BadInputError } from './outcome.ts';

/** Asks why an entry is removed. @throws {BadInputError} without a terminal, or for another answer than a reason */
export async function askReason({ stdin, stderr }: Cli): Promise<RemovalReason> {
  const codes = REMOVAL_REASONS.join(', ');
  if (!stdin.isTTY) throw new BadInputError(`--reason is missing; it is one of ${codes}`);
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    for (const code of REMOVAL_REASONS) stderr.write(`  ${code.padEnd(10)} ${REASON_MEANINGS[code]}\n`);
    const answer = (await terminal.question('Why is it removed? ')).trim();
    const reason = REMOVAL_REASONS.find((code) => code === answer);
    if (!reason) throw new BadInputError(`the reason must be one of ${codes}; nothing was removed`);
    return reason;
  } finally {
    terminal.close();
  }
}

const REASON_MEANINGS: Readonly<Record<RemovalReason, string>> = {
  appeal: 'an appeal was granted',
  mistake: 'the entry was a mistake',
  request: 'the person asked for it',
  duplicate: 'another entry says the same',
  other: 'something else',
};
