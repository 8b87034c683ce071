/** Whose a report number is or was. */
import type { Database } from '../db/database.ts';
import { drawReportId, entryIdOf } from './entry-identity.ts';
import type { ListKind } from './entry.ts';

/** Says whose a report number is, or undefined when it is free. */
export function findReportIdOwner(db: Database, list: ListKind, reportId: string): string | undefined {
  if (hasEntry(db, reportId)) return 'belongs to another entry';
  // In the same list it may be the removed entry that comes back: nothing that could tell is kept of it.
  return db.statement('SELECT 1 FROM tombstones WHERE report_id = ? AND list != ?').get(reportId, list)
    ? 'belonged to an entry of another list'
    : undefined;
}

/** Of the entry that had this report number, the newest. */
export function findRemoval(
  db: Database,
  reportId: string | undefined,
): { readonly at: number; readonly reason: string } | undefined {
  if (reportId === undefined) return undefined;
  return db
    .statement<{ at: number; reason: string }>(
      'SELECT removed_at AS at, reason_code AS reason FROM tombstones WHERE report_id = ?',
    )
    .get(reportId);
}

export function drawFreeReportId(db: Database): string {
  for (;;) {
    const reportId = drawReportId();
    const wasGiven = db.statement('SELECT 1 FROM tombstones WHERE report_id = ?').get(reportId);
    if (!wasGiven && !hasEntry(db, reportId)) return reportId;
  }
}

function hasEntry(db: Database, reportId: string): boolean {
  return db.statement('SELECT 1 FROM entries WHERE entry_id = ?').get(entryIdOf(reportId)) !== undefined;
}
