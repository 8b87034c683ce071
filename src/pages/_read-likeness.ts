/** Reads the look-alikes of the entry or nick that a page shows. */
import type { EntrySummary } from '#src/entries/entry.ts';
import type { LookAlike } from '#src/lists/look-alikes.ts';
import type { Lists } from '#src/lists/lists.ts';
import { compareLetters, isPolishOnly } from '#src/text/describe-difference.ts';
import { findDifferences, spellName } from '#src/text/look-alike.ts';
import { markDifferences } from '#src/entries/name-parts.ts';
import type { LikeEntry, Likeness } from '../components/check/answer.ts';

/**
 * @param id of the account with the nick, if known
 * @param shown entries that the page shows already
 * @returns undefined until the hashes exist
 */
export function readLikeness(
  lists: Lists,
  nick: string,
  id: string | undefined,
  shown: readonly Pick<EntrySummary, '_id'>[],
): Likeness | undefined {
  const found = lists.findLookAlikes(nick, id);
  if (!found) return undefined;
  const asked = spellName(nick);
  const others = found.filter(({ entry }) => shown.every(({ _id }) => _id !== entry._id));
  const isTrusted = ({ entry }: LookAlike): boolean => entry.list === 'legit';
  const toLike = (one: LookAlike): LikeEntry => {
    const { entry, spelling, why } = one;
    const isFormer = why === 'former_name';
    const differences = findDifferences(asked, spelling);
    const isAffixed =
      why === 'affix' &&
      isTrusted(one) &&
      differences.every(({ from, to }) => from === '' && VISIBLE.test(to));
    return {
      entry,
      parts: isFormer
        ? [{ text: entry.name, isMarked: false }]
        : markDifferences(spelling, findDifferences(spelling, asked)),
      askedParts: markDifferences(asked, isFormer ? [] : differences),
      reasons: [...new Set(differences.map(({ from, to }) => compareLetters(to, from, quote)))],
      affixes: isAffixed ? differences.map(({ to }) => quote(to.trim())) : [],
      isSame: entry.name.normalize() === nick.normalize(),
      isFormer,
      polishOnly: differences.length > 0 && differences.every(isPolishOnly),
    };
  };
  return {
    trusted: others.filter(isTrusted).map(toLike),
    reported: others.filter((one) => !isTrusted(one)).map(toLike),
  };
}

/** The others are named by their codes. */
const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S} ]+$/u;
const quote = (letters: string): string => `„${letters}”`;
