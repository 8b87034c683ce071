/** What became of an entry, from the change log, the record of its proofs and its tombstone. */
import type { Database } from '#src/db/database.ts';
import type { ListKind } from '#src/entries/entry.ts';

export interface HistoryStep {
  readonly at: string;
  /** `added`, `updated`, `removed`, or `proofs`: they changed, or who may see them. */
  readonly op: string;
  readonly proofs?: string;
  readonly items?: number;
  /** Of a removal. */
  readonly reason?: string;
}

/** What stays of a removed entry. */
export interface Tombstone {
  readonly list: ListKind;
  readonly _id: string;
  readonly reportId: string;
  readonly removedAt: string;
  readonly reason: string;
  readonly history: readonly HistoryStep[];
}

/** In order of time. */
export function readHistory(db: Database, entryId: string): HistoryStep[] {
  const tombstone = db
    .statement<{ reason: string }>('SELECT reason_code AS reason FROM tombstones WHERE entry_id = ?')
    .get(entryId);
  return db
    .statement<{ at: number; op: string; proofs: string | null; items: number | null }>(
      `SELECT at, op, NULL AS proofs, NULL AS items, seq AS place, 0 AS kind FROM changes WHERE entry_id = @entryId
       UNION ALL
       SELECT at, 'proofs', proofs, items, change, 1 FROM proof_changes WHERE entry_id = @entryId
       ORDER BY at, kind, place`,
    )
    .all({ entryId })
    .map(({ at, op, proofs, items }, index, steps) => ({
      at: new Date(at).toISOString(),
      op,
      ...(proofs === null || items === null ? {} : { proofs, items }),
      // Only the newest removal has left its reason: an entry that came back lost it.
      ...(op === 'removed' && tombstone && index === steps.length - 1 ? { reason: tombstone.reason } : {}),
    }));
}

/** @param name `_id` or report number of a removed entry; nothing else is kept of it */
export function findTombstone(db: Database, name: string): Tombstone | undefined {
  const row = db
    .statement<{ list: ListKind; entryId: string; reportId: string; at: number; reason: string }>(
      `SELECT list, entry_id AS entryId, report_id AS reportId, removed_at AS at, reason_code AS reason
       FROM tombstones WHERE entry_id = @name OR report_id = @name`,
    )
    .get({ name });
  if (!row) return undefined;
  const { list, entryId, reportId, at, reason } = row;
  const removedAt = new Date(at).toISOString();
  return { list, _id: entryId, reportId, removedAt, reason, history: readHistory(db, entryId) };
}

export function formatHistory(history: readonly HistoryStep[]): string[] {
  return history.map(({ at, op, proofs, items, reason }) => {
    if (op === 'proofs') return `${at} proofs: ${proofs}, ${items}`;
    return `${at} ${op}${reason === undefined ? '' : `: ${reason}`}`;
  });
}
