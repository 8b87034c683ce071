/** The status page in states that the demo site does not show, each a database of its own. */
import type { Database } from '#src/db/database.ts';
import { listIncidents, writeIncidentNote } from '#src/status/incidents.ts';
import { recordSample } from '#src/status/record-sample.ts';
import { BOT_IDS, CHECK_IDS, type BotState, type Status } from '#src/status/status.ts';
import { fillDemoHistory } from '../../scripts/sample/demo-status.ts';
import type { SitePlan } from './demo-site.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Outcome {
  /** In the order of CHECK_IDS. */
  readonly checks: readonly ('up' | 'slow' | 'down')[];
  /** In the order of BOT_IDS. */
  readonly bots: readonly BotState[];
}

const WELL: Outcome = { checks: ['up', 'up', 'up', 'up'], bots: ['running', 'running', 'running'] };
const ILL: Outcome = { checks: ['down', 'down', 'down', 'down'], bots: ['offline', 'unknown', 'offline'] };
const CHANGING: Outcome = { checks: ['up', 'up', 'up', 'slow'], bots: ['starting', 'stopping', 'unknown'] };

function statusOf(at: number, { checks, bots }: Outcome): Status {
  // A wave of no meaning.
  const up = Math.round(60 + 90 * Math.abs(Math.sin(at / HOUR_MS)));
  const latencyMs = { up, slow: 2_600, down: 6_000 };
  return {
    checks: CHECK_IDS.map((id, place) => {
      const check = checks[place] ?? 'down';
      return { id, ok: check !== 'down', latencyMs: latencyMs[check] };
    }),
    bots: BOT_IDS.map((id, place) => {
      const state = bots[place] ?? 'unknown';
      const isUp = state === 'running' || state === 'stopping';
      return {
        id,
        ok: state === 'running',
        state,
        uptimeMs: isUp ? 12 * DAY_MS + place * 5 * HOUR_MS : 0,
        memoryBytes: isUp ? 182_452_224 * (place * 4 + 1) : 0,
        cpuPercent: isUp ? 3.417 * (place * 40 + 1) : 0,
      };
    }),
    checkedAt: new Date(at).toISOString(),
  };
}

/** @returns what writes this status as the one of now */
const keepAt =
  (outcome: Outcome) =>
  (db: Database): void =>
    recordSample(db, statusOf(Date.now(), outcome));

/** Samples of a time that ends `endedMs` ago, every five minutes. */
function record(db: Database, outcome: Outcome, beganMs: number, endedMs: number): void {
  const now = Date.now();
  db.write(() => {
    for (let ago = beganMs; ago >= endedMs; ago -= 5 * MINUTE_MS)
      recordSample(db, statusOf(now - ago, outcome));
  });
}

function annotate(db: Database, ...notes: readonly string[]): void {
  for (const [place, { incident }] of listIncidents(db, notes.length).entries())
    writeIncidentNote(db, incident, notes[place] ?? '', Date.now());
}

/** By the name of its pictures. */
export const STATUS_STATES: Readonly<Record<string, SitePlan>> = {
  'status-good': { fill: (db) => fillDemoHistory(db, Date.now()), keepUp: keepAt(WELL) },
  'status-bad': {
    fill(db) {
      fillDemoHistory(db, Date.now() - HOUR_MS);
      record(db, ILL, 35 * MINUTE_MS, 5 * MINUTE_MS);
      annotate(
        db,
        'Awaria w serwerowni. Pracujemy nad tym; następna wiadomość o 18:00.',
        `Ten sam powód, długi opis: ${'wymieniamy dysk i odtwarzamy dane z kopii, '.repeat(9)}a potem sprawdzamy listy.`,
      );
    },
    keepUp: keepAt(ILL),
  },
  // The web process alone: only its database is there to be asked.
  'status-alone': { fill: () => {} },
  'status-first-minute': { fill: () => {}, keepUp: keepAt(WELL) },
  'status-three-days': {
    fill(db) {
      record(db, WELL, 3 * DAY_MS, 2 * DAY_MS);
      record(db, CHANGING, 8 * HOUR_MS, 5 * MINUTE_MS);
    },
    keepUp: keepAt(CHANGING),
  },
  // The worker is gone; the web process asks for itself what is configured, and nobody answers.
  'status-worker-gone': {
    fill: (db) => fillDemoHistory(db, Date.now() - 2 * HOUR_MS),
    settings: {
      LITECOIN_RPC_URL: 'http://127.0.0.1:1',
      CHAT_PLATFORM_API_URL: 'http://127.0.0.1:1',
      BOT_MAIN: 'docker:bot',
      BOT_DOCKER_SOCKET: '/nonexistent.sock',
    },
  },
};
