/** Reads the look-alikes of the entry or nick that a page shows. */
import type { PublicSummary } from '#src/entries/entry.ts';
import type { LookAlike } from '#src/entries/verdict.ts';
import type { ListReader } from '#src/lists/list-reader.ts';
import { compareLetters, isPolishOnly } from '#src/text/describe-difference.ts';
import { findDifferences, normalizeName } from '#src/text/look-alike.ts';
import { markDifferences } from '#src/entries/mark-name.ts';
import type { LikeEntry, Likeness } from '../components/check/answer.ts';
import { LIKENESS } from '../components/check/likeness-texts.ts';
import { capitalize } from '../components/ui/polish.ts';

/** With more, a nick has hardly a letter that is the same. */
const REASONS_MAX = 4;

/**
 * @param id of the account with the nick, if known
 * @param shown entries that the page shows already; others of the same accounts say no more
 * @returns undefined until the hashes exist
 */
export function readLikeness(
  listReader: ListReader,
  nick: string,
  id: string | undefined,
  shown: readonly Pick<PublicSummary, 'id'>[],
): Likeness | undefined {
  const found = listReader.findLookAlikes(nick, id);
  if (!found) return undefined;
  const asked = normalizeName(nick);
  const others = found.filter(({ entry }) => shown.every((other) => other.id !== entry.id));
  const isTrusted = ({ entry }: LookAlike): boolean => entry.list === 'legit';
  const toLike = (one: LookAlike): LikeEntry => {
    const { entry, normalized, why } = one;
    const isFormer = why === 'former_name';
    const differences = findDifferences(asked, normalized);
    const isAffixed =
      why === 'affix' &&
      isTrusted(one) &&
      differences.length > 0 &&
      differences.every(({ from, to }) => from === '' && VISIBLE.test(to));
    const describe = (): string => {
      if (isFormer) return LIKENESS.former(entry.list === 'servers');
      if (isAffixed)
        return LIKENESS.affix(differences.flatMap(({ to }) => (to.trim() === '' ? [] : quote(to.trim()))));
      if (differences.length === 0)
        return entry.name.normalize() === nick.normalize() ? LIKENESS.same : LIKENESS.sameButCase;
      const reasons = [...new Set(differences.map(({ from, to }) => compareLetters(to, from, quote)))];
      const more = reasons.length - REASONS_MAX;
      const sentence = `${reasons.slice(0, REASONS_MAX).join('; ')}${more > 0 ? LIKENESS.andMore(more) : ''}.`;
      return differences.every(isPolishOnly) ? `${LIKENESS.polishOnly} ${sentence}` : capitalize(sentence);
    };
    return {
      entry,
      parts: isFormer
        ? [{ text: entry.name, isMarked: false }]
        : markDifferences(normalized, findDifferences(normalized, asked)),
      askedParts: markDifferences(asked, isFormer ? [] : differences),
      reason: describe(),
      isFormer,
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
