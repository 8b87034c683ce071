/** Ninety invented days in which everything was well but twice, with what the operator wrote of it. */
import type { Database } from '#src/db/database.ts';
import { listIncidents, writeIncidentNote } from '#src/status/incidents.ts';
import { recordSample } from '#src/status/record-sample.ts';
import { BOT_IDS, CHECK_IDS, type PartId, type Status } from '#src/status/status.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#src/text/calendar.ts';

const DAYS = 90;

/** The oldest first; each began this many days before now. */
export const DEMO_TROUBLES = [
  {
    part: 'main_bot',
    began: 41,
    hours: 5,
    note: 'Główny bot nie odpowiadał po aktualizacji. Przywróciliśmy poprzednią wersję.\nListy i sprawdzanie na stronie działały.',
  },
  {
    part: 'chat_platform',
    began: 9,
    hours: 3,
    note: 'Przerwa po stronie platformy: awatary mogły się nie wczytywać.\nListy i sprawdzanie działały.',
  },
] as const;

/** How long the parts take at a quiet time, in milliseconds. */
const LATENCY_MS = { database: 1, litecoin: 12, chat_platform: 60, protection_service: 25 } as const;

/** Into a database without a history. @param now epoch milliseconds */
export function fillDemoHistory(db: Database, now: number): void {
  db.write((tx) => {
    for (let at = now - DAYS * DAY_MS; at < now - DAY_MS; at += HOUR_MS) recordSample(tx, statusAt(at, now));
    for (let at = now - DAY_MS; at <= now; at += 5 * MINUTE_MS) recordSample(tx, statusAt(at, now));
    for (const { part, openedAt, incident } of listIncidents(tx, DEMO_TROUBLES.length)) {
      const trouble = DEMO_TROUBLES.find((one) => one.part === part);
      if (trouble) writeIncidentNote(tx, incident, trouble.note, openedAt + trouble.hours * HOUR_MS);
    }
  });
}

function statusAt(at: number, now: number): Status {
  const ill = new Set<PartId>(
    DEMO_TROUBLES.filter(({ began, hours }) => {
      const since = at - (now - began * DAY_MS);
      return since >= 0 && since < hours * HOUR_MS;
    }).map(({ part }) => part),
  );
  // Waves of no meaning.
  const wave = 1 + Math.abs(Math.sin(at / HOUR_MS)) + Math.abs(Math.sin(at / (7 * MINUTE_MS))) / 3;
  return {
    checks: CHECK_IDS.map((id) => ({
      id,
      ok: !ill.has(id),
      latencyMs: ill.has(id) ? 6_000 : Math.round(LATENCY_MS[id] * wave),
    })),
    bots: BOT_IDS.map((id) => ({
      id,
      ok: !ill.has(id),
      state: ill.has(id) ? 'offline' : 'running',
      uptimeMs: 0,
      memoryBytes: 0,
      cpuPercent: 0,
    })),
    checkedAt: new Date(at).toISOString(),
  };
}
