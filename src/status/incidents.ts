/** Incidents: times in which a part was not well, with the operator's notes. The sampler opens and closes them. */
import type { Database } from '../db/database.ts';
import type { PartId } from './status.ts';

export interface Incident {
  readonly incident: number;
  readonly part: PartId;
  /** Epoch milliseconds. */
  readonly openedAt: number;
  /** Undefined while it goes on. */
  readonly closedAt: number | undefined;
  /** The operator's words; public. */
  readonly note: string | undefined;
  readonly updatedAt: number;
}

export const NOTE_MAX = 500;

interface IncidentRow {
  readonly incident: number;
  readonly part: PartId;
  readonly opened_at: number;
  readonly closed_at: number | null;
  readonly note: string | null;
  readonly updated_at: number;
}

/** Newest first. */
export function listIncidents(db: Database, limit: number): Incident[] {
  return db
    .statement<IncidentRow>('SELECT * FROM incidents ORDER BY opened_at DESC, incident DESC LIMIT ?')
    .all(limit)
    .map(toIncident);
}

export function findIncident(db: Database, incident: number): Incident | undefined {
  const row = db.statement<IncidentRow>('SELECT * FROM incidents WHERE incident = ?').get(incident);
  return row && toIncident(row);
}

/**
 * @param note undefined removes it
 * @param at epoch milliseconds
 * @returns false when there is no such incident
 */
export function writeIncidentNote(
  db: Database,
  incident: number,
  note: string | undefined,
  at: number,
): boolean {
  return (
    db
      .statement('UPDATE incidents SET note = ?, updated_at = ? WHERE incident = ?')
      .run(note ?? null, at, incident).changes > 0
  );
}

function toIncident(row: IncidentRow): Incident {
  return {
    incident: row.incident,
    part: row.part,
    openedAt: row.opened_at,
    closedAt: row.closed_at ?? undefined,
    note: row.note ?? undefined,
    updatedAt: row.updated_at,
  };
}
