/** Triggers run on a write and views on a read, so a foreign schema is compared first, on a read-only connection. */
import { findDifference, readSchema } from './compare-schemas.ts';
import type { Database } from './database.ts';
import {
  appliedMigrations,
  isReplaced,
  isTooOld,
  makeFresh,
  migrationNames,
  readSchemaState,
  schemaProblem,
  tooOldProblem,
} from './migrate.ts';

/** @param takesLater takes what a later version added @returns a sentence; undefined when the schema is right */
export function findSchemaProblem(db: Database, name: string, takesLater = false): string | undefined {
  const known = migrationNames();
  const [first = ''] = known;
  const found = readSchema(db);
  using empty = makeFresh(first);
  const isKnown = readSchema(empty)
    .filter(([object]) => object.includes('"kysely_'))
    .every(([object, definition]) => found.some(([other, same]) => other === object && same === definition));
  const applied = isKnown ? appliedMigrations(db.connection) : [];
  if (applied.length === 0) return `${name} is no database of Czujka`;
  if (isTooOld(applied)) return tooOldProblem(name);
  if (!isReplaced(applied)) {
    if (applied.some((migration) => !known.includes(migration)))
      return takesLater && readSchemaState(db) === 'current' ? undefined : schemaProblem(name, 'newer');
    const missing = known.slice(0, applied.length).find((migration) => !applied.includes(migration));
    if (missing !== undefined) return `${name} lacks the migration ${missing}, and has later ones`;
  }
  using fresh = makeFresh(isReplaced(applied) ? first : (applied.at(-1) ?? first));
  const difference = findDifference(db, fresh);
  return difference && `${name} ${difference}`;
}
