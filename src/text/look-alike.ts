/**
 * Whether two names look alike, and what makes them differ. Equal keys look alike; so do longer names whose keys are one
 * edit apart, unless the edit touches a digit: Kacper2007 is not Kacper2008. A trusted name is looked for in longer ones
 * too: with a word like „pomoc” before or after it, it looks like the same person.
 */
import { foldText } from './fold-text.ts';
import { findCores } from './look-alike-affixes.ts';
import type { Core } from './look-alike-affixes.ts';
import { spellPoint } from './look-alike-key.ts';
import { codePointLength } from './read-query.ts';

/**
 * `same_name`: equal but for case, diacritics and invisible characters, as the search folds them; `same_shape`: letters
 * that look alike stand for one another; `one_edit`: and one of them is added, left out or another, or two neighbours are
 * swapped; `affix`: a trusted name, or one of the same shape, with a word or a number around it; `former_name`: a reported
 * entry had a name before that is equal as in `same_name`.
 */
export const LIKENESSES = ['same_name', 'same_shape', 'one_edit', 'affix', 'former_name'] as const;
export type Likeness = (typeof LIKENESSES)[number];

/** A piece of the asked name that stands where the listed one has another. */
export interface Difference {
  /** Place in the asked name, in code points of its NFC form. */
  readonly at: number;
  /** In the listed name; '' where it has nothing. */
  readonly from: string;
  /** In the asked name. */
  readonly to: string;
}

/** Names whose folded forms are shorter are too often one edit apart by chance. */
export const EDITED_LENGTH_MIN = 7;
/** Letters of a trusted name that is looked for in longer ones; shorter ones are parts of too many. */
const AFFIXED_LETTERS_MIN = 6;
/** The same before a number, which many people add to a name that is taken. */
const NUMBERED_LETTERS_MIN = 8;
const LETTERS = /\p{L}/gu;

/** A name, and how its key is made. */
export interface Spelling {
  readonly name: string;
  readonly folded: string;
  readonly key: string;
  /** Code points of the NFC form. */
  readonly points: readonly string[];
  /** By code point, its piece of the key. */
  readonly pieces: readonly string[];
  /** By unit of the key, 1 when it stands for a digit of the name. */
  readonly digits: Uint8Array;
}

export function spellName(name: string): Spelling {
  const points = [...name.normalize('NFC')];
  const pieces = points.map(spellPoint);
  const key = pieces.join('');
  const digits = new Uint8Array(key.length);
  let at = 0;
  for (const [place, piece] of pieces.entries()) {
    if (isDigit(points[place] as string)) digits.fill(1, at, at + piece.length);
    at += piece.length;
  }
  return { name, folded: foldText(name), key, points, pieces, digits };
}

/** Undefined when they do not look alike. */
export function compareNames(asked: Spelling, listed: Spelling): Likeness | undefined {
  if (asked.key === '' || listed.key === '') return undefined;
  if (asked.folded === listed.folded) return 'same_name';
  if (asked.key === listed.key) return 'same_shape';
  if (!isLong(asked) || !isLong(listed)) return undefined;
  const edit = findEdit(asked.key, listed.key);
  return edit && !touchesDigit(asked, edit) && !touchesDigit(listed, edit) ? 'one_edit' : undefined;
}

/** As `compareNames`, and whether the asked name is the trusted one with a word or a number around it. */
export function compareToTrusted(asked: Spelling, trusted: Spelling): Likeness | undefined {
  const why = compareNames(asked, trusted);
  if (why !== undefined || asked.key.length <= trusted.key.length) return why;
  const letters = trusted.folded.match(LETTERS)?.length ?? 0;
  if (letters < AFFIXED_LETTERS_MIN) return undefined;
  const core = findCore(asked, trusted);
  if (!core) return undefined;
  // A number after a number makes another number: Kacper2007 is not Kacper20071.
  const mayHaveNumber = letters >= NUMBERED_LETTERS_MIN && trusted.digits.at(-1) === 0;
  return core.isNumbered && !mayHaveNumber ? undefined : 'affix';
}

/** Keys that a trusted name may have which this name is, with a word or a number around it. */
export function keysWithoutAffix({ key, digits }: Spelling): string[] {
  return findCores(key, digits)
    .filter(
      ({ from, to, isNumbered }) => to - from >= (isNumbered ? NUMBERED_LETTERS_MIN : AFFIXED_LETTERS_MIN),
    )
    .map(({ from, to }) => key.slice(from, to));
}

/** Where the key of a name stands in that of a longer one, between words and numbers. */
function findCore({ key, digits }: Spelling, name: Spelling): Core | undefined {
  const cores = findCores(key, digits).filter(({ from, to }) => key.slice(from, to) === name.key);
  return cores.find(({ isNumbered }) => !isNumbered) ?? cores[0];
}

export function isLong({ folded }: Pick<Spelling, 'folded'>): boolean {
  return codePointLength(folded) >= EDITED_LENGTH_MIN;
}

/** Whether a code point stands for a number. */
export function isDigit(point: string): boolean {
  return point.length === 1 && point < '\x7f' ? point >= '0' && point <= '9' : /\p{N}/u.test(point);
}

export function isOneEdit(one: string, other: string): boolean {
  return one !== other && findEdit(one, other) !== undefined;
}

interface Edit {
  /** Units that both keys begin with. */
  readonly from: number;
  /** Units that both keys end with, no farther than `from`. */
  readonly fromEnd: number;
  /** A letter added in a row of equal letters may be any of them: this is the first of the row. */
  readonly rowFrom: number;
}

/** The one unit that is added, left out or another, or neighbours that are swapped; undefined when there is more. */
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

/** Units that are one letter in names: m, w and d are spelt with two. */
const SPELT_OUT = new Set(['rn', 'vv', 'cl']);

/** Whether one letter and the next one change places. */
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

function touchesDigit({ key, digits }: Spelling, { rowFrom, fromEnd }: Edit): boolean {
  return digits.subarray(rowFrom, key.length - fromEnd).includes(1);
}

/** Finds the differences of names that look alike, without those of case. */
export function findDifferences(asked: Spelling, listed: Spelling): Difference[] {
  const differences: Difference[] = [];
  let last: { readonly toEnd: number; readonly fromEnd: number } | undefined;
  for (const [toStart, toEnd, fromStart, fromEnd] of align(asked, listed)) {
    let at = toStart;
    let to = asked.points.slice(toStart, toEnd).join('');
    let from = listed.points.slice(fromStart, fromEnd).join('');
    if (to.toLowerCase() === from.toLowerCase()) continue;
    const before = differences.at(-1);
    // Letters that are added, left out or swapped together are described together.
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

/** Code points from and to, of the asked name, then of the listed one. */
type Span = readonly [toStart: number, toEnd: number, fromStart: number, fromEnd: number];

/** The smallest pieces of both names that stand for the same pieces of their keys. */
function* align(asked: Spelling, listed: Spelling): Generator<Span> {
  const one = new Walk(asked, findShared(asked, listed));
  const other = new Walk(listed, findShared(listed, asked));
  while (!one.isDone || !other.isDone) {
    const toSilent = one.silentPoints;
    const fromSilent = other.silentPoints;
    const same = countSameEnds(toSilent, fromSilent);
    one.step(same.before);
    other.step(same.before);
    const { at: toStart } = one;
    const { at: fromStart } = other;
    const isSilent = toSilent.length > 0 || fromSilent.length > 0;
    if (isSilent) {
      one.step(toSilent.length - same.before - same.after);
      other.step(fromSilent.length - same.before - same.after);
    } else {
      one.step(1);
      other.step(1);
      while (one.length !== other.length) {
        const behind = one.length < other.length ? one : other;
        // Only of names that do not look alike.
        if (behind.isDone) break;
        behind.step(1);
      }
    }
    yield [toStart, one.at, fromStart, other.at];
    one.step(same.after);
    other.step(same.after);
  }
}

/** Tells of each unit of a key whether the other one has it too. */
function findShared(one: Spelling, other: Spelling): (unit: number) => boolean {
  if (one.key.length <= other.key.length) return () => true;
  const edit = findEdit(one.key, other.key);
  if (edit) return (unit) => unit !== edit.from;
  const core = findCore(one, other);
  return (unit) => !core || (unit >= core.from && unit < core.to);
}

type Sequence = string | readonly string[];

/** How much both begin with, and how much of the rest both end with. */
function countSameEnds(one: Sequence, other: Sequence): { readonly before: number; readonly after: number } {
  const shorter = Math.min(one.length, other.length);
  let before = 0;
  while (before < shorter && one[before] === other[before]) before += 1;
  let after = 0;
  while (after < shorter - before && one.at(-1 - after) === other.at(-1 - after)) after += 1;
  return { before, after };
}

/** A walk along the code points of a name, that knows how much of the key they make. */
class Walk {
  /** The code point that is next. */
  at = 0;
  /** Units of the key that both have. */
  length = 0;
  readonly #spelling: Spelling;
  readonly #isShared: (unit: number) => boolean;
  #units = 0;

  constructor(spelling: Spelling, isShared: (unit: number) => boolean) {
    this.#spelling = spelling;
    this.#isShared = isShared;
  }

  get isDone(): boolean {
    return this.at === this.#spelling.points.length;
  }

  /** The next code points that add nothing which the other one has. */
  get silentPoints(): readonly string[] {
    const { points, pieces } = this.#spelling;
    let end = this.at;
    for (let units = this.#units; end < points.length; end += 1) {
      const { length } = pieces[end] as string;
      if (this.#countShared(units, length) > 0) break;
      units += length;
    }
    return points.slice(this.at, end);
  }

  /** @param count at most so many: there may be fewer */
  step(count: number): void {
    for (let left = count; left > 0 && !this.isDone; left -= 1) {
      const { length } = this.#spelling.pieces[this.at] as string;
      this.length += this.#countShared(this.#units, length);
      this.#units += length;
      this.at += 1;
    }
  }

  #countShared(from: number, length: number): number {
    let count = 0;
    for (let unit = from; unit < from + length; unit += 1) if (this.#isShared(unit)) count += 1;
    return count;
  }
}
