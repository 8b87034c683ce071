/** Times in which a part was unhealthy, with the operator's notes. record-sample.ts opens and closes them. */
import { sqlBuilder, type Database, type Transaction } from '../db/database.ts';
import { PART_IDS } from './status.ts';
import { MINUTE_MS } from '../text/calendar.ts';

/** Times are epoch milliseconds; `closedAt` is null while it is open, and the note is public. */
export type Incident = Readonly<ReturnType<typeof listIncidents>[number]>;

/** Incidents that began in the same minute, shown as one. */
export type Outage = Readonly<ReturnType<typeof listOutages>[number]>;

export const NOTE_MAX = 500;
const COLUMNS = [
  'incident',
  'part',
  'opened_at as openedAt',
  'closed_at as closedAt',
  'note',
  'updated_at as updatedAt',
] as const;

/** Newest first. */
export function listIncidents(db: Database, limit: number) {
  const newest = sqlBuilder.selectFrom('incidents').select(COLUMNS).orderBy('opened_at', 'desc');
  return db.all(newest.orderBy('incident', 'desc').limit(limit));
}

/** With the number of the first incident and the end of the last. Newest first. @param incidentsMax are read */
export function listOutages(db: Database, incidentsMax: number) {
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

/** @param note null removes it @returns undefined without such an incident */
export function writeIncidentNote(tx: Transaction, incident: number, note: string | null, at: number) {
  const noted = sqlBuilder.updateTable('incidents').set({ note, updated_at: at });
  return tx.first(noted.where('incident', '=', incident).returning(COLUMNS));
}
