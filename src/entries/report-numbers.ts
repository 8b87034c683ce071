/** Whose a report number is or was. */
import { build, compileOnce, given } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { drawReportId, entryIdOf } from './entry-identity.ts';
import type { ListKind } from './entry.ts';

/** Says whose a report number is, or undefined when it is free. */
export function findReportIdOwner(db: Database, list: ListKind, reportId: string): string | undefined {
  if (hasEntry(db, reportId)) return 'belongs to another entry';
  // In the same list it may be the removed entry that comes back: nothing that could tell is kept of it.
  const removed = findTombstone(db, reportId);
  return removed && removed.list !== list ? 'belonged to an entry of another list' : undefined;
}

/** Of the entry that had this report number, the newest. */
export function findRemoval(
  db: Database,
  reportId: string | undefined,
): { readonly at: number; readonly reason: string } | undefined {
  if (reportId === undefined) return undefined;
  const found = findTombstone(db, reportId);
  return found && { at: found.removed_at, reason: found.reason_code };
}

export function drawFreeReportId(db: Database): string {
  for (;;) {
    const reportId = drawReportId();
    if (!findTombstone(db, reportId) && !hasEntry(db, reportId)) return reportId;
  }
}

/** A report number has at most one. */
function findTombstone(db: Database, reportId: string) {
  return db.first(TOMBSTONE, { reportId });
}

function hasEntry(db: Database, reportId: string): boolean {
  return db.first(ENTRY, { entryId: entryIdOf(reportId) }) !== undefined;
}

const TOMBSTONE = compileOnce(
  build.selectFrom('tombstones').selectAll().where('report_id', '=', given('reportId')),
);
const ENTRY = compileOnce(build.selectFrom('entries').select('row').where('entry_id', '=', given('entryId')));
