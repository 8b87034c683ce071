/** Private notes of moderators: in backups, but in no change log, export, answer or page. */
import { sqlBuilder, type Database } from '../db/database.ts';
import { BadInputError, OperatorError } from '../operator-error.ts';
import { BAD_CONTROL, C1_CONTROL, hasVisibleText, paragraphsSchema } from './import-record.ts';

const NOTE_LENGTH_MAX = 2_000;
export const NOTES_MAX = 100;

export const noteSchema = paragraphsSchema(NOTE_LENGTH_MAX).refine(hasVisibleText, 'is empty or invisible');
export const newNoteSchema = noteSchema.refine((text) => !C1_CONTROL.test(text), BAD_CONTROL);

/** Oldest first. */
export function listNotes(db: Database, row: number) {
  const ofEntry = sqlBuilder.selectFrom('entry_notes').select(['note', 'at', 'by', 'text']);
  return db.all(ofEntry.where('row', '=', row).orderBy('note'));
}

/** @throws {BadInputError} when the entry has as many notes as it may */
export function addNote(db: Database, row: number, text: string, by: string | undefined): void {
  db.write((tx) => {
    if (listNotes(tx, row).length >= NOTES_MAX)
      throw new BadInputError(`the entry has ${NOTES_MAX} notes; remove one first`);
    tx.run(sqlBuilder.insertInto('entry_notes').values({ row, at: Date.now(), by: by ?? null, text }));
  });
}

/** @throws {OperatorError} when the entry has no such note */
export function removeNote(db: Database, row: number, note: number): void {
  db.write((tx) => {
    if (!listNotes(tx, row).some((one) => one.note === note))
      throw new OperatorError('not_found', `the entry has no note ${note}`);
    tx.run(sqlBuilder.deleteFrom('entry_notes').where('note', '=', note));
  });
}
