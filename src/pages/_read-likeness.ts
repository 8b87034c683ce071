/** Entries that look like the one, or the nick, that a page shows. */
import type { EntrySummary } from '#src/entries/entry.ts';
import type { LookAlike } from '#src/serving/look-alikes.ts';
import type { Serving } from '#src/serving/serving.ts';
import { describeDifference, isPolishOnly } from '#src/text/describe-difference.ts';
import { findDifferences, spellName } from '#src/text/look-alike.ts';
import type { Difference, Spelling } from '#src/text/look-alike.ts';
import type { LikeEntry, Likeness, NickPiece } from '../components/check/likeness.ts';

/**
 * @param id of the one who has the nick, if it is known
 * @param shown entries that the page shows anyway
 * @returns undefined while nobody knows
 */
export async function readLikeness(
  serving: Serving,
  nick: string,
  id: string | undefined,
  shown: readonly Pick<EntrySummary, '_id'>[],
): Promise<Likeness | undefined> {
  const found = await serving.findLookAlikes(nick, id);
  if (!found) return undefined;
  const asked = spellName(nick);
  const others = found.filter(({ entry }) => shown.every(({ _id }) => _id !== entry._id));
  const isTrusted = ({ entry }: LookAlike): boolean => entry.list === 'legit';
  return {
    // Whoever imitates is told apart from whom he imitates: the nick that was asked from a trusted one, a reported one
    // from the nick that was asked.
    trusted: others
      .filter(isTrusted)
      .map((one) => toLike(one, nick, asked, findDifferences(asked, one.spelling))),
    reported: others.filter((one) => !isTrusted(one)).map((one) => toLike(one, nick, asked)),
  };
}

/** @param told what the reasons are made of, where that is not what the pieces show */
function toLike(
  { entry, spelling, why }: LookAlike,
  nick: string,
  asked: Spelling,
  told?: readonly Difference[],
): LikeEntry {
  const shown = findDifferences(spelling, asked);
  const reasons = told ?? shown;
  const isAffixed = why === 'affix' && reasons.every(({ from, to }) => from === '' && VISIBLE.test(to));
  return {
    entry,
    pieces: toPieces(spelling, shown),
    reasons: [...new Set(reasons.map(({ from, to }) => describeDifference(from, to, quote)))],
    affixes: isAffixed ? reasons.map(({ to }) => quote(to.trim())) : [],
    isSame: entry.name === nick,
    polishOnly: reasons.length > 0 && reasons.every(isPolishOnly),
  };
}

/** The others are named by their codes. */
const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S} ]+$/u;
const quote = (letters: string): string => `„${letters}”`;

function toPieces({ points }: Spelling, differences: readonly Difference[]): NickPiece[] {
  const pieces: NickPiece[] = [];
  let from = 0;
  const add = (to: number, differs: boolean): void => {
    if (to > from) pieces.push({ text: points.slice(from, to).join(''), differs });
    from = to;
  };
  for (const { at, to } of differences) {
    add(at, false);
    add(at + [...to].length, true);
  }
  add(points.length, false);
  return pieces;
}
