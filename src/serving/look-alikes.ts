/** Public entries whose names look like a name (src/text/look-alike.ts), found in the database by their shapes. */
import { build, compileOnce, given } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import type { EntrySummary } from '../entries/entry.ts';
import { parseCards, readRows } from '../entries/published.ts';
import { LOOK_ALIKES_MAX } from '../entries/verdict.ts';
import { compareNames, compareToTrusted, isOneEdit, spellName } from '../text/look-alike.ts';
import type { Likeness, Spelling } from '../text/look-alike.ts';
import { shapesOneEditAway, shapesWithoutAffix, tellingNumber, wholeShapes } from './shapes.ts';

/** A key that more reported entries have than this is anybody's: a likeness to them would be told too often to be read. */
export const CROWD_MAX = 20;
/** Entries of one group that are looked at: more than are told of, for some may be left out. */
const BUCKET_MAX = 25;

export interface LookAlike {
  readonly entry: EntrySummary;
  readonly why: Likeness;
  readonly spelling: Spelling;
}

const PLACES: Readonly<Record<Likeness, number>> = { same_name: 0, same_shape: 1, one_edit: 2, affix: 3 };

/**
 * Trusted entries first, then reported ones; each by how much they look alike.
 * @param leaveOut entries that are not to be told of
 */
export function findLookAlikes(
  db: Database,
  asked: Spelling,
  leaveOut: (entry: EntrySummary) => boolean,
): LookAlike[] {
  if (asked.key === '') return [];
  const rows = findCandidates(db, asked);
  const found = parseCards(readRows(db, 'card', rows).toString()).flatMap((entry): LookAlike[] => {
    // Its name may be another one than its shapes are of.
    const spelling = spellName(entry.name);
    const compare = entry.list === 'legit' ? compareToTrusted : compareNames;
    const why = compare(asked, spelling);
    return why && !leaveOut(entry) ? [{ entry, why, spelling }] : [];
  });
  return found
    .sort(
      (one, other) =>
        Number(one.entry.list !== 'legit') - Number(other.entry.list !== 'legit') ||
        PLACES[one.why] - PLACES[other.why] ||
        other.entry.reportedAt - one.entry.reportedAt,
    )
    .slice(0, LOOK_ALIKES_MAX);
}

/** Entries of one shape with the same folded name, or the same key. */
interface Group {
  readonly shape: number;
  readonly is_reported: number;
  readonly told: number | string;
  readonly count: number;
  /** Of one of them. */
  readonly row: number;
}

/** Rows of entries that may look alike, without those that only belong to a crowd. */
function findCandidates(file: Database, asked: Spelling): number[] {
  const whole = wholeShapes(asked);
  const parts = shapesOneEditAway(asked);
  const cores = shapesWithoutAffix(asked);
  const groups = listGroups(file, [...whole, ...parts.map(({ shape }) => shape), ...cores]);
  const crowds = whole.filter((shape) => countReported(groups, shape) > CROWD_MAX);
  const same = tellingNumber(asked.folded);
  const found = groups.filter(({ shape, is_reported: isReported, told, count }) => {
    if (typeof told === 'number') {
      if (isReported === 0) return true;
      return whole.includes(shape) && (!crowds.includes(shape) || told === same);
    }
    if (isReported === 1 && count > CROWD_MAX) return false;
    return parts.some((part) => part.shape === shape && isOneEdit(part.rest, told));
  });
  return [...new Set(listRows(file, found))];
}

function countReported(groups: readonly Group[], wanted: number): number {
  let count = 0;
  for (const group of groups) if (group.shape === wanted && group.is_reported === 1) count += group.count;
  return count;
}

function listGroups(file: Database, shapes: readonly number[]): Group[] {
  // One statement: each takes longer than its probes.
  const steps = Math.ceil(shapes.length / SHAPES_STEP);
  const asked = steps * SHAPES_STEP;
  const filled = [...shapes, ...new Array<null>(asked - shapes.length).fill(null)];
  return file.statement<Group>((SELECT_GROUPS[steps] ??= selectGroups(asked))).all(filled);
}

function listRows(file: Database, groups: readonly Group[]): number[] {
  return groups.flatMap(({ shape, is_reported: isReported, told, count, row }) =>
    count === 1 ? [row] : file.all(BUCKET, { shape, isReported, told }).map((entry) => entry.row),
  );
}

/** Statements are prepared for this number of shapes and its multiples. */
const SHAPES_STEP = 4;
const SELECT_GROUPS: string[] = [];
const BUCKET = compileOnce(
  build
    .selectFrom('shapes')
    .select('row')
    .where('shape', '=', given('shape'))
    .where('is_reported', '=', given('isReported'))
    .where('told', '=', given('told'))
    .orderBy('row')
    .limit(BUCKET_MAX),
);

function selectGroups(shapes: number): string {
  return `SELECT shape, is_reported, told, count(*) AS count, min(row) AS row FROM shapes
    WHERE shape IN (${new Array<string>(shapes).fill('?').join()}) GROUP BY shape, is_reported, told`;
}
