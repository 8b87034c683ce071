/**
 * Equal keys look alike; so do longer names whose keys are one edit apart, unless it touches a digit: Kacper2007 is not
 * Kacper2008. A trusted name is also looked for in longer ones, beside words like „pomoc”; a long one beside anything.
 */
import { foldText } from './fold-text.ts';
import { CORE_MIN, findCores, type Core } from './look-alike-affixes.ts';
import { spellPoint } from './look-alike-key.ts';
import { codePointLength } from './read-query.ts';

/** The likest first. */
export const LIKENESSES = ['same_name', 'former_name', 'same_shape', 'one_edit', 'affix'] as const;
export type Likeness = (typeof LIKENESSES)[number];

export interface Difference {
  /** Position in the asked name, in code points of its NFC form. */
  readonly at: number;
  readonly from: string;
  readonly to: string;
}

/** Shorter names are too often one edit apart by chance. */
const EDITED_LENGTH_MIN = 7;
const DIGIT = /\p{N}/u;
const LETTERS = /\p{L}/gu;
/** A word alone, as a town's people or a plant, is part of many names. */
const TWO_WORDS = /\p{L}{3}\P{L}+\p{L}{3}|\p{Ll}{2}\p{Lu}\p{L}{2}/u;

export interface NormalizedName {
  readonly name: string;
  readonly folded: string;
  readonly key: string;
  readonly points: readonly string[];
  readonly pointKeys: readonly string[];
  /** By UTF-16 unit of the key, 1 for a digit of the name. */
  readonly digits: Uint8Array;
}

export function normalizeName(name: string): NormalizedName {
  const points = [...name.normalize('NFC')];
  const pointKeys = points.map(spellPoint);
  const key = pointKeys.join('');
  const digits = new Uint8Array(key.length);
  let at = 0;
  for (const [place, pointKey] of pointKeys.entries()) {
    if (DIGIT.test(points[place] as string)) digits.fill(1, at, at + pointKey.length);
    at += pointKey.length;
  }
  return { name, folded: foldText(name), key, points, pointKeys, digits };
}

export function compareNames(asked: NormalizedName, listed: NormalizedName): Likeness | undefined {
  if (asked.key === '' || listed.key === '') return undefined;
  if (asked.folded === listed.folded) return 'same_name';
  if (asked.key === listed.key) return 'same_shape';
  if (!isLong(asked) || !isLong(listed)) return undefined;
  const edit = findEdit(asked.key, listed.key);
  return edit && !touchesDigit(asked, edit) && !touchesDigit(listed, edit) ? 'one_edit' : undefined;
}

export function compareToTrusted(asked: NormalizedName, trusted: NormalizedName): Likeness | undefined {
  const why = compareNames(asked, trusted);
  if (why !== undefined || asked.key.length <= trusted.key.length) return why;
  return findCore(asked, trusted) && 'affix';
}

export function keysWithoutAffix({ key, digits }: NormalizedName): string[] {
  return findCores(key, digits)
    .filter(({ from, to, affix }) => to - from >= CORE_MIN[affix])
    .map(({ from, to }) => key.slice(from, to));
}

function findCore({ key, digits }: NormalizedName, name: NormalizedName): Core | undefined {
  const letters = name.folded.match(LETTERS)?.length ?? 0;
  return findCores(key, digits).find(
    ({ from, to, affix }) =>
      letters >= CORE_MIN[affix] &&
      key.slice(from, to) === name.key &&
      // A number after a number makes another number: Kacper2007 is not Kacper20071.
      (affix !== 'number' || name.digits.at(-1) === 0) &&
      (affix !== 'other' || TWO_WORDS.test(name.points.join(''))),
  );
}

export function isLong({ folded }: Pick<NormalizedName, 'folded'>): boolean {
  return codePointLength(folded) >= EDITED_LENGTH_MIN;
}

export function isOneEdit(one: string, other: string): boolean {
  return one !== other && findEdit(one, other) !== undefined;
}

interface Edit {
  readonly from: number;
  readonly fromEnd: number;
  /** The first of a run of equal letters, any of which may be the added one. */
  readonly rowFrom: number;
}

function findEdit(one: string, other: string): Edit | undefined {
  if (Math.abs(one.length - other.length) > 1) return undefined;
  const { before: from, after: fromEnd } = countSameEnds(one, other);
  const length = Math.max(one.length, other.length) - from - fromEnd;
  if (length !== 1 && !isSwap(one, other, from, length)) return undefined;
  const longer = one.length > other.length ? one : other;
  let rowFrom = from;
  if (one.length !== other.length) while (rowFrom > 0 && longer[rowFrom - 1] === longer[from]) rowFrom -= 1;
  return { from, fromEnd, rowFrom };
}

const SPELT_OUT = new Set(['rn', 'vv', 'cl']);

function isSwap(one: string, other: string, from: number, length: number): boolean {
  if (one.length !== other.length || length < 2 || length > 4) return false;
  const to = from + length;
  for (let middle = from + 1; middle < to; middle++) {
    if (!isLetter(one, from, middle) || !isLetter(one, middle, to)) continue;
    if (other.slice(from, to) === one.slice(middle, to) + one.slice(from, middle)) return true;
  }
  return false;
}

function isLetter(key: string, from: number, to: number): boolean {
  return to - from === 1 || (to - from === 2 && SPELT_OUT.has(key.slice(from, to)));
}

function touchesDigit({ key, digits }: NormalizedName, { rowFrom, fromEnd }: Edit): boolean {
  return digits.subarray(rowFrom, key.length - fromEnd).includes(1);
}

export function findDifferences(asked: NormalizedName, listed: NormalizedName): Difference[] {
  const differences: Difference[] = [];
  let last: { readonly toEnd: number; readonly fromEnd: number } | undefined;
  for (const [toStart, toEnd, fromStart, fromEnd] of align(asked, listed)) {
    let at = toStart;
    let to = asked.points.slice(toStart, toEnd).join('');
    let from = listed.points.slice(fromStart, fromEnd).join('');
    if (to.toLowerCase() === from.toLowerCase()) continue;
    const before = differences.at(-1);
    // Neighbouring letters that are added, missing or swapped are described together.
    const goesOn = before && last?.toEnd === toStart && last.fromEnd === fromStart;
    const isSwapped =
      asked.key !== listed.key && before?.to === from && before.from.toLowerCase() === to.toLowerCase();
    if (goesOn && (isSwapped || (before.from === '' && from === '') || (before.to === '' && to === ''))) {
      at = before.at;
      to = before.to + to;
      from = before.from + from;
      differences.pop();
    }
    differences.push({ at, from, to });
    last = { toEnd, fromEnd };
  }
  return differences;
}

type Span = readonly [toStart: number, toEnd: number, fromStart: number, fromEnd: number];

/** The smallest pairs of characters with equal parts of the keys. */
function* align(asked: NormalizedName, listed: NormalizedName): Generator<Span> {
  const askedUnits = countShared(asked, listed);
  const listedUnits = countShared(listed, asked);
  let [at, from] = [0, 0];
  /** Shared units passed in the asked key, less those in the listed one. */
  let lead = 0;
  while (at < askedUnits.length || from < listedUnits.length) {
    const [toStart, fromStart] = [at, from];
    while (askedUnits[at] === 0) at += 1;
    while (listedUnits[from] === 0) from += 1;
    if (at > toStart || from > fromStart) {
      const same = countSameEnds(asked.points.slice(toStart, at), listed.points.slice(fromStart, from));
      yield [toStart + same.before, at - same.after, fromStart + same.before, from - same.after];
      continue;
    }
    if (at < askedUnits.length) lead += askedUnits[at++] as number;
    if (from < listedUnits.length) lead -= listedUnits[from++] as number;
    // Keys of names that do not look alike may end before they are level.
    while ((lead < 0 && at < askedUnits.length) || (lead > 0 && from < listedUnits.length))
      lead += lead < 0 ? (askedUnits[at++] as number) : -(listedUnits[from++] as number);
    yield [toStart, at, fromStart, from];
  }
}

/** Counts the units of each character that the other key contains too. */
function countShared(one: NormalizedName, other: NormalizedName): number[] {
  const isShared = findShared(one, other);
  let unit = 0;
  return one.pointKeys.map((pointKey) => {
    let count = 0;
    for (const end = unit + pointKey.length; unit < end; unit += 1) if (isShared(unit)) count += 1;
    return count;
  });
}

function findShared(one: NormalizedName, other: NormalizedName): (unit: number) => boolean {
  if (one.key.length <= other.key.length) return () => true;
  const edit = findEdit(one.key, other.key);
  if (edit) return (unit) => unit !== edit.from;
  const core = findCore(one, other);
  return (unit) => !core || (unit >= core.from && unit < core.to);
}

type Sequence = string | readonly string[];

function countSameEnds(one: Sequence, other: Sequence): { readonly before: number; readonly after: number } {
  const shorter = Math.min(one.length, other.length);
  let before = 0;
  while (before < shorter && one[before] === other[before]) before += 1;
  let after = 0;
  while (after < shorter - before && one.at(-1 - after) === other.at(-1 - after)) after += 1;
  return { before, after };
}
