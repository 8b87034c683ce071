/** Avatars of the chat platform (Discord REST v10 and its CDN). */
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { OutboundError } from '../outbound/outbound-error.ts';
import { fetchJson, type Outbound } from '../outbound/outbound.ts';
import { findImageFormat, type ImageFormat } from './image-type.ts';

export interface PlatformSettings {
  /** Without a trailing slash. */
  readonly apiUrl: string;
  readonly cdnUrl: string;
  readonly token: string;
  /** For User-Agent. */
  readonly baseUrl: string;
  /** For the API and the CDN together. */
  readonly callsPerSecond: number;
}

export interface Picture {
  readonly format: ImageFormat;
  readonly body: Buffer;
}

export interface Account {
  /** Undefined: the account has none. */
  readonly picture: string | undefined;
}

export type PlatformAvatars = ReturnType<typeof createPlatformAvatars>;

/** Nothing was sent: the budget is used up, or a pause is on. */
export class BudgetError extends Error {
  override name = 'BudgetError';
}

const DEADLINE_MS = 6_000;
const USER_MAX_BYTES = 65_536;
/** The smallest bound of the store (AVATARS_MAX_MB). */
const PICTURE_MAX_BYTES = 1_000_000;
const SIZE_PX = 128;
/**
 * Discord bans an address after 10,000 answers with 401, 403 or 429 in ten minutes, so the first one starts a pause.
 */
const REFUSED_PAUSE_MS = 10 * 60_000;
/** While the platform is down, only a call every 5 s waits for it. */
const FAILED_PAUSE_MS = 5_000;

const userSchema = z.object({
  avatar: z
    .string()
    .regex(/^(?:a_)?[0-9a-f]{1,64}$/)
    .nullish(),
});

export function createPlatformAvatars(
  outbound: Outbound,
  { apiUrl, cdnUrl, token, baseUrl, callsPerSecond }: PlatformSettings,
  now: () => number = () => performance.now(),
) {
  const hasToken = createTokenBucket(callsPerSecond, now);
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const agent = { 'User-Agent': `DiscordBot (${baseUrl}, 1.0.0)` };
  const limits = { deadlineMs: DEADLINE_MS, bodyMaxBytes: PICTURE_MAX_BYTES };

  const takeToken = (): void => {
    if (now() < pausedUntil || !hasToken()) throw new BudgetError('no call to the platform now');
  };
  const failed = (error: unknown): never => {
    if (!(error instanceof OutboundError)) throw error;
    const { reason, status = 0, message } = error;
    if (reason === 'backing_off') throw new BudgetError(message, { cause: error });
    if (reason !== 'status' || status >= 500) pausedUntil = now() + FAILED_PAUSE_MS;
    throw error;
  };
  const refused = (error: unknown): never => {
    if (error instanceof OutboundError && (error.status === 401 || error.status === 403))
      pausedUntil = now() + REFUSED_PAUSE_MS;
    return failed(error);
  };

  const fetchImage = async (url: string): Promise<Picture> => {
    takeToken();
    const { body } = await outbound.send({ url, headers: agent, ...limits }).catch(failed);
    const format = findImageFormat(body);
    if (!format) throw new OutboundError('content_type', new URL(url).origin, 'answered with no image');
    return { format, body };
  };

  return {
    /**
     * @returns undefined for an unknown account
     * @throws {BudgetError} without a call now
     * @throws {OutboundError} without an answer
     */
    async findAccount(chatId: string): Promise<Account | undefined> {
      takeToken();
      const { value, status } = await fetchJson(
        outbound,
        {
          url: `${apiUrl}/users/${chatId}`,
          headers: { ...agent, Authorization: `Bot ${token}` },
          deadlineMs: DEADLINE_MS,
          bodyMaxBytes: USER_MAX_BYTES,
          acceptStatus: (code) => code === 200 || code === 404,
        },
        userSchema,
      ).catch(refused);
      return status === 404 ? undefined : { picture: value.avatar ?? undefined };
    },
    /** In WebP, without `animated=true` the first frame; throws like `findAccount`. */
    fetchPicture: (chatId: string, name: string) =>
      fetchImage(`${cdnUrl}/avatars/${chatId}/${name}.webp?size=${SIZE_PX}`),
    /** One of the platform's PNGs for accounts without a picture. */
    fetchDefault: (place: number) => fetchImage(`${cdnUrl}/embed/avatars/${place}.png`),
  };
}

/** Unused tokens last for one second. */
function createTokenBucket(tokensPerSecond: number, now: () => number): () => boolean {
  let tokens = tokensPerSecond;
  let filledAt = now();
  return () => {
    const at = now();
    tokens = Math.min(tokensPerSecond, tokens + ((at - filledAt) / 1_000) * tokensPerSecond);
    filledAt = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
