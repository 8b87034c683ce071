import { REMOVAL_REASONS, type RemovalReason } from '#src/changes/removal-reasons.ts';
import { ask } from './ask.ts';
import type { Cli } from './cli.ts';
import { BadInputError } from './outcome.ts';

/** Asks why an entry is removed. @throws {BadInputError} without a terminal, or for another answer than a reason */
export async function askReason(cli: Cli): Promise<RemovalReason> {
  const codes = REMOVAL_REASONS.join(', ');
  const choices = REMOVAL_REASONS.map((code) => `  ${code.padEnd(10)} ${REASON_MEANINGS[code]}\n`).join('');
  const missing = `--reason is missing; it is one of ${codes}`;
  const answer = await ask(cli, `${choices}Why is it removed? `, missing);
  const reason = REMOVAL_REASONS.find((code) => code === answer);
  if (!reason) throw new BadInputError(`the reason must be one of ${codes}; nothing was removed`);
  return reason;
}

const REASON_MEANINGS: Readonly<Record<RemovalReason, string>> = {
  appeal: 'an appeal was granted',
  mistake: 'the entry was a mistake',
  request: 'the person asked for it',
  duplicate: 'another entry says the same',
  other: 'something else',
};
