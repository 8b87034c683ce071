/** An invented status with ninety days of history, in which every state of the status page occurs once. */
import type { Database } from '#src/db/database.ts';
import { listIncidents, writeIncidentNote } from '#src/status/incidents.ts';
import { recordSample } from '#src/status/record-sample.ts';
import type { Status } from '#src/status/status.ts';

/** Often enough for the newest sample to be fresh always. */
export const SAMPLE_EVERY_MS = 5_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The status at a fixed moment. @param at epoch milliseconds */
export function sampleStatusNow(at: number): Status {
  const { checks, ...rest } = sampleStatusAt(at);
  const isOk = { database: true, litecoin: true, chat_platform: false, protection_service: false };
  return { checks: checks.map((check) => ({ ...check, ok: isOk[check.id] })), ...rest };
}

function sampleStatusAt(at: number): Status {
  const hour = Math.floor(at / HOUR_MS);
  // Waves of no meaning, the same in every picture.
  const wave = Math.abs(Math.sin(at / HOUR_MS)) + Math.abs(Math.sin(at / (7 * MINUTE_MS))) / 3;
  const bot = { uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };
  return {
    checks: [
      { id: 'database', ok: hour % 500 !== 7, latencyMs: Math.round(1 + 4 * wave) },
      { id: 'litecoin', ok: hour % 190 > 1, latencyMs: Math.round(2_000 + 900 * wave) },
      { id: 'chat_platform', ok: hour % 500 > 30, latencyMs: Math.round(60 + 90 * wave) },
      { id: 'protection_service', ok: false, latencyMs: 0 },
    ],
    bots: [
      {
        id: 'main_bot',
        ok: true,
        state: 'running',
        uptimeMs: 3 * DAY_MS + 4 * HOUR_MS,
        memoryBytes: 182_452_224,
        cpuPercent: 3.417,
      },
      {
        id: 'protection_public_bot',
        ok: false,
        state: 'starting',
        ...bot,
        uptimeMs: 41_000,
        memoryBytes: 61_865_984,
      },
      { id: 'protection_admin_bot', ok: false, state: 'not_configured', ...bot },
    ],
    checkedAt: new Date(at).toISOString(),
  };
}

/** The newest sample is one of now. */
export function fillSampleHistory(db: Database, now: number): void {
  db.write(() => {
    // The days before the first sample stay empty.
    for (let at = now - 80 * DAY_MS; at < now - DAY_MS; at += HOUR_MS) recordSample(db, sampleStatusAt(at));
    for (let at = now - DAY_MS; at < now; at += 5 * MINUTE_MS) recordSample(db, sampleStatusAt(at));
    for (let at = now - 10 * MINUTE_MS; at <= now; at += MINUTE_MS) recordSample(db, sampleStatusNow(at));
    const [newest] = listIncidents(db, 1);
    if (!newest) return;
    writeIncidentNote(
      db,
      newest.incident,
      'Przerwa techniczna po stronie platformy.\nListy i sprawdzanie działały.',
      now,
    );
  });
}
