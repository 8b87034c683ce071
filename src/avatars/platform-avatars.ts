/** Avatars as the chat platform has them (Discord REST v10 and its CDN). */
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { OutboundError } from '../outbound/outbound-error.ts';
import { fetchJson } from '../outbound/outbound.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { createCallBudget } from './call-budget.ts';
import { findImageKind } from './image-type.ts';
import type { ImageKind } from './image-type.ts';

export interface PlatformSettings {
  /** Without a trailing slash, as the next. */
  readonly apiUrl: string;
  readonly cdnUrl: string;
  readonly token: string;
  /** The address of this site, sent in `User-Agent`. */
  readonly baseUrl: string;
  /** To the interface and the CDN together. */
  readonly callsPerSecond: number;
}

export interface Picture {
  readonly kind: ImageKind;
  readonly body: Buffer;
}

export interface Account {
  /** Name of its picture; undefined when it has none. */
  readonly picture: string | undefined;
}

export interface PlatformAvatars {
  /**
   * @returns undefined when the platform knows no such account
   * @throws {BudgetError} when no call may be made now, {OutboundError} when the platform does not answer
   */
  findAccount(chatId: string): Promise<Account | undefined>;
  /** In WebP. @throws as `findAccount` */
  fetchPicture(chatId: string, name: string): Promise<Picture>;
  /** One of the platform's pictures for those who have none, png. @throws as `fetchPicture` */
  fetchDefault(place: number): Promise<Picture>;
}

/** Nothing was sent: this second's calls are used up, the platform is left alone for a while, or refuses our token. */
export class BudgetError extends Error {
  override name = 'BudgetError';
}

const DEADLINE_MS = 6_000;
const USER_MAX_BYTES = 65_536;
const PICTURE_MAX_BYTES = 1_048_576;
const SIZE_PX = 128;
/** 10,000 answers with 401, 403 or 429 in ten minutes get an address banned: one, and we are silent for this long. */
const REFUSED_PAUSE_MS = 10 * 60_000;
/** While the platform is down, only a call every few seconds waits for it, and visitors get drawn pictures at once. */
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
): PlatformAvatars {
  const budget = createCallBudget(callsPerSecond, now);
  let silentUntil = Number.NEGATIVE_INFINITY;
  const agent = { 'User-Agent': `DiscordBot (${baseUrl}, 1.0.0)` };
  const limits = { deadlineMs: DEADLINE_MS, bodyMaxBytes: PICTURE_MAX_BYTES };

  const take = (): void => {
    if (now() < silentUntil || !budget.take()) throw new BudgetError('no call to the platform now');
  };
  const failed = (error: unknown): never => {
    if (!(error instanceof OutboundError)) throw error;
    const { reason, status = 0, message } = error;
    if (reason === 'backing_off') throw new BudgetError(message, { cause: error });
    if (reason !== 'status' || status >= 500) silentUntil = now() + FAILED_PAUSE_MS;
    throw error;
  };
  const refused = (error: unknown): never => {
    if (error instanceof OutboundError && (error.status === 401 || error.status === 403))
      silentUntil = now() + REFUSED_PAUSE_MS;
    return failed(error);
  };

  const fetchImage = async (url: string): Promise<Picture> => {
    take();
    const { body } = await outbound.send({ url, headers: agent, ...limits }).catch(failed);
    const kind = findImageKind(body);
    if (!kind) throw new OutboundError('content_type', new URL(url).origin, 'answered with no image');
    return { kind, body };
  };

  return {
    async findAccount(chatId) {
      take();
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
    // Without `animated=true` a moving picture comes as its first frame.
    fetchPicture: (chatId, name) => fetchImage(`${cdnUrl}/avatars/${chatId}/${name}.webp?size=${SIZE_PX}`),
    fetchDefault: (place) => fetchImage(`${cdnUrl}/embed/avatars/${place}.png`),
  };
}
