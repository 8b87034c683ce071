/** The status page in the states that the demo does not show: each a database of its own. */
import type { Database } from '#src/db/database.ts';
import { listIncidents, writeIncidentNote } from '#src/status/incidents.ts';
import { recordSample } from '#src/status/record-sample.ts';
import type { BotState, Status } from '#src/status/status.ts';
import type { SitePlan } from './demo-site.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Outcome {
  /** `database`, `litecoin`, `chat_platform`, `protection_service`. */
  readonly ok: readonly [boolean, boolean, boolean, boolean];
  readonly bots: readonly [BotState, BotState, BotState];
  readonly slow?: boolean;
}

const WELL: Outcome = { ok: [true, true, true, true], bots: ['running', 'running', 'running'] };
const ILL: Outcome = { ok: [false, false, false, false], bots: ['offline', 'unknown', 'offline'] };
const CHANGING: Outcome = {
  ok: [true, true, true, true],
  bots: ['starting', 'stopping', 'unknown'],
  slow: true,
};

function statusOf(at: number, { ok, bots, slow = false }: Outcome): Status {
  const wave = Math.abs(Math.sin(at / HOUR_MS)) + Math.abs(Math.sin(at / (7 * MINUTE_MS))) / 3;
  const latencies = [
    1 + 4 * wave,
    12 + 30 * wave,
    60 + 90 * wave,
    (slow ? 2_100 : 140) + 200 * wave,
  ] as const;
  const check = (place: 0 | 1 | 2 | 3): { ok: boolean; latencyMs: number } => ({
    ok: ok[place],
    latencyMs: ok[place] ? Math.round(latencies[place]) : 6_000,
  });
  const bot = (place: 0 | 1 | 2): Omit<Status['bots'][number], 'id'> => {
    const state = bots[place];
    const isUp = state === 'running' || state === 'stopping';
    return {
      ok: state === 'running',
      state,
      uptimeMs: isUp ? 12 * DAY_MS + place * 5 * HOUR_MS : 0,
      memoryBytes: isUp || state === 'starting' ? 182_452_224 * (place * 4 + 1) : 0,
      cpuPercent: isUp ? 3.417 * (place * 40 + 1) : 0,
    };
  };
  return {
    checks: [
      { id: 'database', ...check(0) },
      { id: 'litecoin', ...check(1) },
      { id: 'chat_platform', ...check(2) },
      { id: 'protection_service', ...check(3) },
    ],
    bots: [
      { id: 'main_bot', ...bot(0) },
      { id: 'protection_public_bot', ...bot(1) },
      { id: 'protection_admin_bot', ...bot(2) },
    ],
    checkedAt: new Date(at).toISOString(),
  };
}

/** Samples of a time that ends `endedMs` ago, in the last day every five minutes, before it every hour. */
function record(db: Database, outcome: Outcome, beganMs: number, endedMs: number): void {
  const now = Date.now();
  db.write(() => {
    for (let ago = beganMs; ago >= endedMs; ago -= ago > DAY_MS + HOUR_MS ? HOUR_MS : 5 * MINUTE_MS)
      recordSample(db, statusOf(now - ago, outcome));
  });
}

function annotate(db: Database, notes: readonly string[]): void {
  const incidents = listIncidents(db, notes.length);
  for (const [place, note] of notes.entries()) {
    const incident = incidents[place];
    if (incident) writeIncidentNote(db, incident.incident, note, Date.now());
  }
}

const keepAt =
  (outcome: Outcome): ((db: Database) => void) =>
  (db) =>
    recordSample(db, statusOf(Date.now(), outcome));

/** By the name of its pictures. */
export const STATUS_STATES: Readonly<Record<string, SitePlan>> = {
  'status-good': {
    fill: (db) => record(db, WELL, 95 * DAY_MS, 5 * MINUTE_MS),
    keepUp: keepAt(WELL),
  },
  'status-bad': {
    fill(db) {
      record(db, WELL, 95 * DAY_MS, 12 * DAY_MS);
      record(db, ILL, 12 * DAY_MS - HOUR_MS, 11 * DAY_MS);
      record(db, WELL, 11 * DAY_MS - HOUR_MS, 40 * MINUTE_MS);
      record(db, ILL, 35 * MINUTE_MS, 5 * MINUTE_MS);
      annotate(db, [
        'Awaria w serwerowni. Pracujemy nad tym; następna wiadomość o 18:00.',
        `Ten sam powód, długi opis: ${'wymieniamy dysk i odtwarzamy dane z kopii, '.repeat(9)}a potem sprawdzamy listy.`,
      ]);
    },
    keepUp: keepAt(ILL),
  },
  // The web process alone: only its database is there to be asked.
  'status-alone': { fill: () => {} },
  'status-first-minute': {
    fill: (db) => record(db, WELL, 0, 0),
    keepUp: keepAt(WELL),
  },
  'status-three-days': {
    fill(db) {
      record(db, WELL, 3 * DAY_MS, 2 * DAY_MS);
      record(db, CHANGING, 8 * HOUR_MS, 5 * MINUTE_MS);
    },
    keepUp: keepAt(CHANGING),
  },
  // The worker is gone; the web process asks for itself what is configured, and nobody answers.
  'status-worker-gone': {
    fill: (db) => record(db, WELL, 40 * DAY_MS, 2 * HOUR_MS),
    settings: {
      LITECOIN_RPC_URL: 'http://127.0.0.1:1',
      CHAT_PLATFORM_API_URL: 'http://127.0.0.1:1',
      BOT_MAIN: 'docker:bot',
      BOT_DOCKER_SOCKET: '/nonexistent.sock',
    },
  },
};
