/** Public entries whose names look like a name (src/text/look-alike.ts), found in the serving file by their shapes. */
import type { Database } from '../db/database.ts';
import type { EntrySummary } from '../entries/entry.ts';
import { compareNames, spellName } from '../text/look-alike.ts';
import type { Likeness, Spelling } from '../text/look-alike.ts';
import { lookAlikeKey } from '../text/look-alike-key.ts';
import { readSummary } from './ready-entry.ts';
import type { ServingReader } from './serving-reader.ts';
import { foldNumber, shapesOneEditAway, wholeShapes } from './shapes.ts';

/** What is told of at most. */
export const LOOK_ALIKES_MAX = 20;
/** A key that more reported entries have than this is anybody's: a likeness to them would be told too often to be read. */
export const CROWD_MAX = 20;
/** Entries of one shape that are looked at; only invented names have more. */
const BUCKET_MAX = 500;

export interface LookAlike {
  readonly entry: EntrySummary;
  readonly why: Likeness;
  readonly spelling: Spelling;
}

const PLACES: Readonly<Record<Likeness, number>> = { same_name: 0, same_shape: 1, one_edit: 2 };

/**
 * Trusted entries first, then reported ones; each by how much they look alike.
 * @param reader `ready`
 * @param leaveOut entries that are not to be told of
 * @throws {DamagedError}
 */
export function findLookAlikes(
  reader: ServingReader,
  asked: Spelling,
  leaveOut: (entry: EntrySummary) => boolean,
): LookAlike[] {
  if (asked.key === '') return [];
  const rows = reader.try((file) => findCandidates(file, asked));
  const found = reader.read(rows, 'summary').flatMap((frame): LookAlike[] => {
    const entry = readSummary(frame);
    // As it is now: its name may be another one than the file knows.
    const spelling = spellName(entry.name);
    const why = compareNames(asked, spelling);
    return why && !leaveOut(entry) ? [{ entry, why, spelling }] : [];
  });
  return found
    .sort(
      (one, other) =>
        Number(one.entry.list !== 'legit') - Number(other.entry.list !== 'legit') ||
        PLACES[one.why] - PLACES[other.why],
    )
    .slice(0, LOOK_ALIKES_MAX);
}

interface Candidate {
  readonly row: number;
  readonly name: string;
}

/** Rows of entries that look alike, without those that only belong to a crowd. */
function findCandidates(file: Database, asked: Spelling): number[] {
  const rows = new Set<number>();
  const take = ({ row }: Candidate): void => void rows.add(row);
  for (const shape of wholeShapes(asked)) {
    listWith(file, shape, BUCKET_MAX).forEach(take);
    const reported = listWith(file, shape | 1, CROWD_MAX + 1);
    if (reported.length <= CROWD_MAX) reported.forEach(take);
    else listSame(file, shape | 1, asked.folded).forEach(take);
  }
  const near = new Map<number, Candidate>();
  const crowds = new Map<string, Set<number>>();
  for (const shape of shapesOneEditAway(asked)) {
    for (const candidate of listWith(file, shape, BUCKET_MAX)) near.set(candidate.row, candidate);
    for (const { row, name } of listWith(file, shape | 1, BUCKET_MAX)) {
      const key = lookAlikeKey(name);
      const crowd = crowds.get(key);
      if (crowd) crowd.add(row);
      else crowds.set(key, new Set([row]));
    }
  }
  near.forEach(take);
  for (const [key, crowd] of crowds)
    if (crowd.size <= CROWD_MAX && isNear(asked.key, key)) for (const row of crowd) rows.add(row);
  return [...rows];
}

/** Keys of lengths that one edit can make; spares the rest of the look for most. */
function isNear(one: string, other: string): boolean {
  return one !== other && Math.abs(one.length - other.length) <= 1;
}

function listWith(file: Database, shape: number, limit: number): Candidate[] {
  return file.statement<Candidate>(SELECT_WITH).all(shape, limit);
}

function listSame(file: Database, shape: number, folded: string): Candidate[] {
  return file.statement<Candidate>(SELECT_SAME).all(shape, foldNumber(folded), LOOK_ALIKES_MAX);
}

const SELECT_WITH =
  'SELECT row, name FROM shapes JOIN placed USING (row) WHERE shape = ? ORDER BY fold, row LIMIT ?';
const SELECT_SAME =
  'SELECT row, name FROM shapes JOIN placed USING (row) WHERE shape = ? AND fold = ? ORDER BY row LIMIT ?';
