/**
 * The parts of the status (SPEC 2.4): four dependencies and three bots. take-sample.ts asks them (probes.ts,
 * bot-source.ts), record-sample.ts stores the samples, incidents.ts derives incidents, and read-status.ts and
 * read-history.ts serve visitors.
 */
import { z } from 'zod';
import { timestamp } from '../text/timestamp.ts';

export const CHECK_IDS = ['database', 'litecoin', 'chat_platform', 'protection_service'] as const;
export const BOT_IDS = ['main_bot', 'protection_public_bot', 'protection_admin_bot'] as const;
export const PART_IDS = [...CHECK_IDS, ...BOT_IDS] as const;

export type CheckId = (typeof CHECK_IDS)[number];
export type BotId = (typeof BOT_IDS)[number];
export type PartId = (typeof PART_IDS)[number];

export const BOT_STATES = [
  'running',
  'starting',
  'stopping',
  'offline',
  'unknown',
  'not_configured',
] as const;
export type BotState = (typeof BOT_STATES)[number];

const checkSchema = z
  .object({
    id: z
      .enum(CHECK_IDS)
      .describe(
        '`database` baza danych, `litecoin` sieć Litecoin, `chat_platform` platforma czatu, `protection_service` usługa ochrony.',
      ),
    ok: z.boolean().describe('`false`: nie odpowiada w ciągu 6 sekund albo operator jej nie podłączył.'),
    latencyMs: z
      .int()
      .min(0)
      .describe('Ile trwała odpowiedź, w milisekundach; dokładnie 0, gdy usługi nie podłączono.'),
  })
  .meta({ id: 'StatusCheck', description: 'Sprawdzona usługa.' });

const botSchema = z
  .object({
    id: z.enum(BOT_IDS).describe('Który bot.'),
    ok: z.boolean().describe('Czy działa, czyli czy `state` to `running`.'),
    state: z
      .enum(BOT_STATES)
      .describe(
        '`running` działa, `starting` uruchamia się, `stopping` zatrzymuje się, `offline` wyłączony, `unknown` stan nieznany, `not_configured` nie podłączono.',
      ),
    uptimeMs: z.int().min(0).describe('Od ilu milisekund działa.'),
    memoryBytes: z.int().min(0).describe('Pamięć w bajtach.'),
    cpuPercent: z
      .number()
      .min(0)
      .describe('Procesor w procentach jednego rdzenia: 250 to dwa i pół rdzenia.'),
  })
  .meta({ id: 'StatusBot', description: 'Bot.' });

export type StatusCheck = Readonly<z.infer<typeof checkSchema>>;
export type StatusBot = Readonly<z.infer<typeof botSchema>>;

/** SPEC 2.4. */
export const statusSchema = z
  .object({
    checks: z.array(checkSchema).describe('Zawsze wszystkie cztery usługi.'),
    bots: z.array(botSchema).describe('Zawsze wszystkie trzy boty.'),
    checkedAt: timestamp.describe('Kiedy sprawdzono, ISO 8601 w UTC.'),
  })
  .meta({ id: 'StatusResponse', description: 'Stan usług i botów.' });

export type Status = {
  readonly checks: readonly StatusCheck[];
  readonly bots: readonly StatusBot[];
} & Readonly<Pick<z.infer<typeof statusSchema>, 'checkedAt'>>;

/** SPEC section 8: lifetime of a result. */
export const STATUS_FRESH_MS = 15_000;
/** SPEC section 8. */
export const PROBE_DEADLINE_MS = 6_000;
/** Slower answers count as slow on pages and badges, not in the API. */
export const SLOW_FROM_MS = 2_000;

/** `none`: not configured. */
export type PartHealth = 'good' | 'slow' | 'bad' | 'none';

export function checkHealth({ ok, latencyMs }: StatusCheck): PartHealth {
  if (ok) return latencyMs >= SLOW_FROM_MS ? 'slow' : 'good';
  return latencyMs === 0 ? 'none' : 'bad';
}

export function botHealth({ ok, state }: StatusBot): PartHealth {
  if (ok) return 'good';
  return state === 'not_configured' ? 'none' : 'bad';
}

/** In the order of PART_IDS. */
export function partHealths(status: Status): ReadonlyMap<PartId, PartHealth> {
  return new Map<PartId, PartHealth>([
    ...status.checks.map((check) => [check.id, checkHealth(check)] as const),
    ...status.bots.map((bot) => [bot.id, botHealth(bot)] as const),
  ]);
}

/** `partly`: some configured parts are unhealthy; `none`: nothing is configured. */
export type OverallHealth = 'good' | 'slow' | 'partly' | 'bad' | 'none';

export function overallHealth(status: Status): OverallHealth {
  const configured = [...partHealths(status).values()].filter((health) => health !== 'none');
  if (configured.length === 0) return 'none';
  if (configured.every((health) => health === 'good')) return 'good';
  if (!configured.includes('bad')) return 'slow';
  return configured.every((health) => health === 'bad') ? 'bad' : 'partly';
}
