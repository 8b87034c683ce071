/** Who runs a verb: the history of an entry says who changed it. */
import type { Environment } from '../../environment.ts';
import { BadInputError } from './outcome.ts';

const NAME = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,64}$/u;

/** The account of sudo with its SSH key, which nothing overrides; else `--by` or CZUJKA_BY. @throws {BadInputError} */
export function findActor(
  { SUDO_USER, CZUJKA_BY }: Environment,
  by: string | undefined,
  key: string | undefined,
): string | undefined {
  const sent = [SUDO_USER, key].filter(Boolean).join('/');
  if (sent !== '') return sent;
  const name = by || CZUJKA_BY || undefined;
  if (name !== undefined && !NAME.test(name))
    throw new BadInputError(
      `${by ? '--by' : 'CZUJKA_BY'} must be 1 to 64 characters, none of them a control character`,
    );
  return name;
}
