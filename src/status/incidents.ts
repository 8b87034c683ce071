/** Times in which a part was unhealthy, with the operator's notes. record-sample.ts opens and closes them. */
import type { Selectable } from 'kysely';
import { build, type Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { PART_IDS, type PartId } from './status.ts';

export interface Incident {
  readonly incident: number;
  readonly part: PartId;
  /** Epoch milliseconds. */
  readonly openedAt: number;
  /** Undefined while it is open. */
  readonly closedAt: number | undefined;
  /** Public. */
  readonly note: string | undefined;
  readonly updatedAt: number;
}

/** Incidents that began in the same minute, shown as one. */
export interface Outage extends Omit<Incident, 'part' | 'note'> {
  readonly parts: readonly PartId[];
  readonly notes: readonly string[];
}

export const NOTE_MAX = 500;
const MINUTE_MS = 60_000;

/** Newest first. */
export function listIncidents(db: Database, limit: number): Incident[] {
  const newest = build.selectFrom('incidents').selectAll().orderBy('opened_at', 'desc');
  return db.all(newest.orderBy('incident', 'desc').limit(limit)).map(toIncident);
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
      closedAt: closed.length === incidents.length ? Math.max(...closed) : undefined,
      notes: [...new Set(incidents.flatMap(({ note }) => note ?? []))],
      updatedAt: Math.max(...incidents.map(({ updatedAt }) => updatedAt)),
    };
  });
}

export function findIncident(db: Database, incident: number): Incident | undefined {
  const row = db.first(build.selectFrom('incidents').selectAll().where('incident', '=', incident));
  return row && toIncident(row);
}

/**
 * @param note undefined removes it
 * @returns false without such an incident
 */
export function writeIncidentNote(
  db: Database,
  incident: number,
  note: string | undefined,
  at: number,
): boolean {
  const changes = { note: note ?? null, updated_at: at };
  return db.run(build.updateTable('incidents').set(changes).where('incident', '=', incident)).changes > 0;
}

function toIncident(row: Selectable<Tables['incidents']>): Incident {
  return {
    incident: row.incident,
    part: row.part,
    openedAt: row.opened_at,
    closedAt: row.closed_at ?? undefined,
    note: row.note ?? undefined,
    updatedAt: row.updated_at,
  };
}
