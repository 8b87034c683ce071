/** Times in which a part was unhealthy, with the operator's notes. record-sample.ts opens and closes them. */
import { sqlBuilder, type Database } from '../db/database.ts';
import { PART_IDS, type PartId } from './status.ts';

/** Times are epoch milliseconds. */
export interface Incident {
  readonly incident: number;
  readonly part: PartId;
  readonly openedAt: number;
  /** Null while it is open. */
  readonly closedAt: number | null;
  /** Public. */
  readonly note: string | null;
  readonly updatedAt: number;
}

/** Incidents that began in the same minute, shown as one. */
export interface Outage extends Omit<Incident, 'part' | 'note'> {
  readonly parts: readonly PartId[];
  readonly notes: readonly string[];
}

export const NOTE_MAX = 500;
const MINUTE_MS = 60_000;
const COLUMNS = [
  'incident',
  'part',
  'opened_at as openedAt',
  'closed_at as closedAt',
  'note',
  'updated_at as updatedAt',
] as const;

/** Newest first. */
export function listIncidents(db: Database, limit: number): Incident[] {
  const newest = sqlBuilder.selectFrom('incidents').select(COLUMNS).orderBy('opened_at', 'desc');
  return db.all(newest.orderBy('incident', 'desc').limit(limit));
}

/**
 * An outage has the number of its first incident, and ends with the last. Newest first.
 * @param incidentsMax number of incidents to read
 */
export function listOutages(db: Database, incidentsMax: number): Outage[] {
  const byMinute = Map.groupBy(listIncidents(db, incidentsMax), ({ openedAt }) =>
    Math.floor(openedAt / MINUTE_MS),
  );
  return [...byMinute.values()].map((incidents) => {
    const closed = incidents.flatMap(({ closedAt }) => closedAt ?? []);
    return {
      incident: Math.min(...incidents.map(({ incident }) => incident)),
      parts: PART_IDS.filter((part) => incidents.some((incident) => incident.part === part)),
      openedAt: Math.min(...incidents.map(({ openedAt }) => openedAt)),
      closedAt: closed.length === incidents.length ? Math.max(...closed) : null,
      notes: [...new Set(incidents.flatMap(({ note }) => note ?? []))],
      updatedAt: Math.max(...incidents.map(({ updatedAt }) => updatedAt)),
    };
  });
}

/**
 * @param note null removes it
 * @returns undefined without such an incident
 */
export function writeIncidentNote(
  db: Database,
  incident: number,
  note: string | null,
  at: number,
): Incident | undefined {
  const noted = sqlBuilder.updateTable('incidents').set({ note, updated_at: at });
  return db.first(noted.where('incident', '=', incident).returning(COLUMNS));
}
