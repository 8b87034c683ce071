/** Avatars of the chat platform (Discord REST v10 and its CDN). */
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { BackOffError, ignoreNotFound, isNotFound, OutboundError } from '../outbound/outbound-error.ts';
import { fetchJson, type Outbound } from '../outbound/outbound.ts';
import { findImageFormat, type ImageFormat } from './image-type.ts';

export interface Picture {
  readonly format: ImageFormat;
  readonly body: Buffer;
}

export type PlatformAvatars = ReturnType<typeof createPlatformAvatars>;

const SIZE_PX = 128;
const SECOND_MS = 1_000;
/**
 * After a failure. While the platform is down, few calls wait for it; and with a token that it refuses, far fewer
 * calls are made than the 10,000 in ten minutes for which Discord bans an address.
 */
const PAUSE_MS = 5_000;

const PICTURE_NAME = /^(?:a_)?[0-9a-f]{1,64}$/;
const userSchema = z.object({ avatar: z.string().regex(PICTURE_NAME).nullish() });

/** @param isShown whether pages show this account: half of the calls are for those, whatever else clients ask for */
export function createPlatformAvatars(
  outbound: Outbound,
  { apiUrl, cdnUrl, token, baseUrl, callsPerSecond }: NonNullable<Config['avatarPlatform']>,
  isShown: (chatId: string) => boolean,
  now: () => number = () => performance.now(),
) {
  let second = -Infinity;
  let calls = 0;
  let pausedUntil = -Infinity;
  const agent = { 'User-Agent': `DiscordBot (${baseUrl}, 1.0.0)` };

  /** @throws {BackOffError} without a call now */
  const limited = async <T>(chatId: string | undefined, call: () => Promise<T>): Promise<T> => {
    const at = now();
    if (at - second >= SECOND_MS) {
      second = at;
      calls = 0;
    }
    const isAllowed = calls < callsPerSecond / 2 || chatId === undefined || isShown(chatId);
    if (at < pausedUntil || calls >= callsPerSecond || !isAllowed)
      throw new BackOffError(apiUrl, 'no call to the platform now');
    calls += 1;
    try {
      return await call();
    } catch (error) {
      if (!isNotFound(error) && !(error instanceof BackOffError)) pausedUntil = now() + PAUSE_MS;
      throw error;
    }
  };

  const fetchImage = async (url: string, chatId?: string): Promise<Picture> => {
    const body = await limited(chatId, () => outbound.send({ url, headers: agent }));
    const format = findImageFormat(body);
    if (!format) throw new OutboundError(cdnUrl, 'answered with no image');
    return { format, body };
  };

  return {
    /**
     * @returns undefined for an unknown account; the name of its picture is null or undefined where it has none
     * @throws {BackOffError} without a call now
     * @throws {OutboundError} without an answer
     */
    findAccount: (chatId: string) => {
      const headers = { ...agent, Authorization: `Bot ${token}` };
      const request = { url: `${apiUrl}/users/${chatId}`, headers };
      return limited(chatId, () => fetchJson(outbound, request, userSchema)).catch(ignoreNotFound);
    },
    /** In WebP, without `animated=true` the first frame; throws like `findAccount`. */
    fetchPicture: (chatId: string, name: string) =>
      fetchImage(`${cdnUrl}/avatars/${chatId}/${name}.webp?size=${SIZE_PX}`, chatId),
    /** One of the platform's PNGs for accounts without a picture. */
    fetchDefault: (place: number) => fetchImage(`${cdnUrl}/embed/avatars/${place}.png`),
  };
}
