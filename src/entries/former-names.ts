/**
 * Names that reported people and servers had before, for those who know the old one. A write keeps the replaced name
 * (write-staged-entries.ts). Trusted people have none: an account that takes their old name must not look trusted.
 */
import { build, givenList, type Database } from '../db/database.ts';

/** Older names of an entry are dropped. */
export const FORMER_NAMES_MAX = 5;

/** Stands where the name was redacted since the backup that was restored. */
export const LOST_NAME = '(nazwa usunięta)';

/** Names before that of today, newest first. @param entryId SPEC `_id` */
export function formerNamesOf(db: Database, entryId: string): readonly string[] {
  return listFormerNames(db, [entryId]).get(entryId) ?? [];
}

/** The same of many entries, by `_id`. */
export function listFormerNames(
  db: Database,
  entryIds: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { entryId, name } of db.all(FORMER, { entryIds: JSON.stringify(entryIds) }))
    names.set(entryId, [...(names.get(entryId) ?? []), name]);
  return names;
}

const FORMER = build
  .selectFrom('entries')
  .innerJoin('former_names', 'former_names.row', 'entries.row')
  .select(['entry_id as entryId', 'former_names.name'])
  .where('entry_id', 'in', givenList('entryIds'))
  .where('list', '!=', 'legit')
  .whereRef('former_names.name', '!=', 'entries.name')
  .orderBy('former', 'desc')
  .compile();
