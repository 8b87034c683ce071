/** Chat IDs and report numbers that an import claims for its records, and whose they are or were. */
import type { Database } from '../db/database.ts';
import { drawReportId, entryIdOf } from './entry-identity.ts';
import type { ListKind } from './entry.ts';

/** IDs and report numbers that the input has used; an import of any size needs no more memory. */
export function createClaims(db: Database): void {
  db.connection.exec(`
    DROP TABLE IF EXISTS temp.claims;
    DROP TABLE IF EXISTS temp.reserved;
    CREATE TEMP TABLE claims (chat_id TEXT PRIMARY KEY, line INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TEMP TABLE reserved (report_id TEXT PRIMARY KEY) WITHOUT ROWID;
  `);
}

/** @returns the line that has the ID already, if there is one */
export function claimChatId(db: Database, chatId: string, line: number): number | undefined {
  const first = db.statement<{ line: number }>('SELECT line FROM temp.claims WHERE chat_id = ?').get(chatId);
  if (first) return first.line;
  db.statement('INSERT INTO temp.claims (chat_id, line) VALUES (?, ?)').run(chatId, line);
  return undefined;
}

export function reserveReportId(db: Database, reportId: string): void {
  db.statement('INSERT INTO temp.reserved (report_id) VALUES (?)').run(reportId);
}

/** Says whose a report number is, or undefined when it is free. */
export function findReportIdOwner(db: Database, list: ListKind, reportId: string): string | undefined {
  if (db.statement('SELECT 1 FROM temp.reserved WHERE report_id = ?').get(reportId)) {
    return 'is in the input twice';
  }
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
