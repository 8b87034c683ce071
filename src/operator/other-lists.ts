/** Entries of one list whose chat ID another list has too: mostly a contradiction. */
import { sqlBuilder, type Database } from '../db/database.ts';
import { named } from '../text/shorten.ts';
import { counted } from './console/outcome.ts';

/** Says which entries that were written after a change are in another list too. @returns a sentence a list */
export function describeOtherLists(db: Database, since: number): string[] {
  const found = db.all(
    sqlBuilder
      .selectFrom('changes')
      .innerJoin('entries as written', 'written.entry_id', 'changes.entry_id')
      .innerJoin('entries as other', 'other.chat_id', 'written.chat_id')
      .select(['written.chat_id', 'other.list'])
      .distinct()
      .where('seq', '>', since)
      .whereRef('other.row', '!=', 'written.row')
      .orderBy('other.list')
      .orderBy('written.chat_id'),
  );
  return [...Map.groupBy(found, (row) => row.list)].map(([list, rows]) => {
    const ids = named(rows.map((row) => row.chat_id));
    return `${list} has ${counted(rows.length, 'entry', 'entries')} with the same ID: ${ids}`;
  });
}
