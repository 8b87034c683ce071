/**
 * Whether two names look alike, and what makes them differ. Equal keys look alike; so do longer names whose keys are one
 * edit apart, unless the edit touches a digit: Kacper2007 is not Kacper2008.
 */
import { foldText } from './fold-text.ts';
import { spellPoint } from './look-alike-key.ts';
import { codePointLength } from './read-query.ts';

/**
 * `same_name`: equal but for case, diacritics and invisible characters, as the search folds them; `same_shape`: letters
 * that look alike stand for one another; `one_edit`: and one of them is added, left out or another.
 */
export const LIKENESSES = ['same_name', 'same_shape', 'one_edit'] as const;
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

export function isLong({ folded }: Pick<Spelling, 'folded'>): boolean {
  return codePointLength(folded) >= EDITED_LENGTH_MIN;
}

/** Whether a code point stands for a number. */
export function isDigit(point: string): boolean {
  return point.length === 1 && point < '\x7f' ? point >= '0' && point <= '9' : /\p{N}/u.test(point);
}

/** Of keys. */
export function isOneEdit(one: string, other: string): boolean {
  return one !== other && findEdit(one, other) !== undefined;
}

interface Edit {
  /** Units that both keys begin with. */
  readonly from: number;
  /** Units that both keys end with, no farther than `from`. */
  readonly fromEnd: number;
  /** What is added to a key in a row of equal letters may be any of them: the first of the row. */
  readonly rowFrom: number;
}

/** The one unit that is added, left out or another; undefined when there is more. */
function findEdit(one: string, other: string): Edit | undefined {
  if (Math.abs(one.length - other.length) > 1) return undefined;
  const { before: from, after: fromEnd } = countSameEnds(one, other);
  if (Math.max(one.length, other.length) - from - fromEnd !== 1) return undefined;
  const longer = one.length > other.length ? one : other;
  let rowFrom = from;
  if (one.length !== other.length) while (rowFrom > 0 && longer[rowFrom - 1] === longer[from]) rowFrom -= 1;
  return { from, fromEnd, rowFrom };
}

function touchesDigit({ key, digits }: Spelling, { rowFrom, fromEnd }: Edit): boolean {
  return digits.subarray(rowFrom, key.length - fromEnd).includes(1);
}

/** Of names that look alike; not what only case makes different. */
export function findDifferences(asked: Spelling, listed: Spelling): Difference[] {
  const differences: Difference[] = [];
  let last: { readonly toEnd: number; readonly fromEnd: number } | undefined;
  for (const [toStart, toEnd, fromStart, fromEnd] of align(asked, listed)) {
    let at = toStart;
    let to = asked.points.slice(toStart, toEnd).join('');
    let from = listed.points.slice(fromStart, fromEnd).join('');
    if (to.toLowerCase() === from.toLowerCase()) continue;
    const before = differences.at(-1);
    // What is added, or left out, in one go is told in one go.
    const goesOn = before && last?.toEnd === toStart && last.fromEnd === fromStart;
    if (goesOn && ((before.from === '' && from === '') || (before.to === '' && to === ''))) {
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
  const edit = asked.key.length === listed.key.length ? undefined : findEdit(asked.key, listed.key);
  const one = new Walk(asked, edit && asked.key.length > listed.key.length ? edit.from : undefined);
  const other = new Walk(listed, edit && listed.key.length > asked.key.length ? edit.from : undefined);
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
  readonly #spelling: Spelling;
  /** The unit of the key that the other one does not have. */
  readonly #added: number;
  #units = 0;

  constructor(spelling: Spelling, added: number | undefined) {
    this.#spelling = spelling;
    this.#added = added ?? Infinity;
  }

  get isDone(): boolean {
    return this.at === this.#spelling.points.length;
  }

  /** Units of the key that both have. */
  get length(): number {
    return this.#units > this.#added ? this.#units - 1 : this.#units;
  }

  /** The next code points that add nothing which the other one has. */
  get silentPoints(): readonly string[] {
    const { points, pieces } = this.#spelling;
    let end = this.at;
    for (let units = this.#units; end < points.length; end += 1) {
      const { length } = pieces[end] as string;
      if (length > 1 || (length === 1 && units !== this.#added)) break;
      units += length;
    }
    return points.slice(this.at, end);
  }

  /** @param count at most so many: there may be fewer */
  step(count: number): void {
    for (let left = count; left > 0 && !this.isDone; left -= 1) {
      this.#units += this.#spelling.pieces[this.at]?.length ?? 0;
      this.at += 1;
    }
  }
}
