/** Trusted people have no former names: an account that takes one must not look trusted. */
import { sqlBuilder, paramList, type Database } from '../db/database.ts';

export const FORMER_NAMES_MAX = 5;

/** Stands where the name was redacted since the backup that was restored. */
export const ERASED_NAME = '(nazwa usunięta)';

/** Newest first. */
export function formerNamesOf(db: Database, entryId: string): readonly string[] {
  return (listFormerNames(db, [entryId]).get(entryId) ?? []).map(({ name }) => name);
}

/** @returns the names of each entry by its `_id`, the newest first; an entry without any is left out */
export function listFormerNames(db: Database, entryIds: readonly string[]) {
  const names = db.all(FORMER, { entryIds: JSON.stringify(entryIds) });
  return Map.groupBy(names, ({ entryId }) => entryId);
}

const FORMER = sqlBuilder
  .selectFrom('entries')
  .innerJoin('former_names', 'former_names.row', 'entries.row')
  .select(['entry_id as entryId', 'former_names.name'])
  .where('entry_id', 'in', paramList('entryIds'))
  .where('list', '!=', 'legit')
  .whereRef('former_names.name', '!=', 'entries.name')
  .orderBy('former', 'desc')
  .compile();
