/**
 * The picture of a chat-platform user (SPEC 4.5): from the disk (avatar-store.ts), else from the platform
 * (platform-avatars.ts), else drawn (draw-avatar.ts). Whatever the platform does, a picture comes within 0.8 s.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { BackOffError, isNotFound } from '../outbound/outbound-error.ts';
import type { OutageLog } from '../outbound/outage-log.ts';
import { isPlatformId } from '../platform-id.ts';
import type { AvatarStore } from './avatar-store.ts';
import { drawAvatar } from './draw-avatar.ts';
import { IMAGE_TYPES } from './image-type.ts';
import type { Picture, PlatformAvatars } from './platform-avatars.ts';

export interface Avatar {
  readonly body: Buffer | string;
  readonly type: string;
  /** False for a drawing until the platform has answered. */
  readonly isSettled: boolean;
}

export interface AvatarsOptions {
  readonly store: AvatarStore;
  /** Undefined: every picture is drawn. */
  readonly platform: PlatformAvatars | undefined;
  readonly outages: OutageLog;
  /** Longest wait for the platform. */
  readonly waitMs?: number;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

const WAIT_MS = 800;
/** An older picture is still shown while it is fetched again; so is one of the future, after the clock was set back. */
const TTL_MS = 24 * 60 * 60_000;
const FAILURE_TTL_MS = 60_000;
const IDS_MAX = 10_000;
/** Its only pixel lies under a rounded corner. Without a size, WebKit gives it one, over the letter. */
const NO_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
const SVG_TYPE = 'image/svg+xml; charset=utf-8';
const DEFAULT_PICTURES = 6n;
/** As the log names it. */
const PART = 'avatars';

export function drawnAvatar(chatId: string, isSettled = true): Avatar {
  return { body: drawAvatar(chatId), type: SVG_TYPE, isSettled };
}

const noPicture = (isSettled: boolean): Avatar => ({ body: NO_PICTURE, type: SVG_TYPE, isSettled });

type FetchPicture = () => Promise<Picture | undefined>;

export function createAvatars(options: AvatarsOptions) {
  const { store, platform, outages, waitMs = WAIT_MS, now = Date.now } = options;
  if (!platform)
    return {
      read: async (chatId: string) => drawnAvatar(chatId),
      readOwn: async () => noPicture(true),
      knows: async () => false,
    };

  const accounts = new LRUCache<string, ReturnType<PlatformAvatars['findAccount']>>({
    max: IDS_MAX,
    ttl: TTL_MS,
    memoMethod: (chatId) => {
      const account = platform.findAccount(chatId);
      account.catch(() => accounts.delete(chatId));
      return account;
    },
  });

  /** Calls under way, and failed ones for a minute. */
  const fetches = new LRUCache<string, Promise<void>, FetchPicture>({
    max: IDS_MAX,
    ttl: FAILURE_TTL_MS,
    memoMethod: async (key, _before, { context: fetchPicture }) => {
      try {
        const picture = await fetchPicture();
        await store.write(key, picture?.format ?? 'none', picture?.body ?? Buffer.alloc(0), now());
        outages.succeeded(PART);
        fetches.delete(key);
      } catch (error) {
        // No call is no failure: one may be possible in a second.
        if (error instanceof BackOffError) fetches.delete(key);
        if (!isNotFound(error)) outages.failed(PART, error);
      }
    },
  });

  /** @returns the stored picture, after fetching a missing one; an outdated one is fetched in the background */
  const find = async (key: string, fetchPicture: FetchPicture): Promise<Avatar | 'none' | undefined> => {
    const known = store.find(key);
    if (!known) await fetches.memo(key, { context: fetchPicture });
    else if (Math.abs(now() - known.fetchedAt) > TTL_MS) void fetches.memo(key, { context: fetchPicture });
    const stored = store.find(key);
    if (!stored) return undefined;
    if (stored.format === 'none') return 'none';
    const body = await store.read(key);
    return body && { body, type: IMAGE_TYPES[stored.format], isSettled: true };
  };

  const fetchOwn = async (chatId: string): Promise<Picture | undefined> => {
    const name = (await accounts.memo(chatId))?.avatar;
    try {
      return name ? await platform.fetchPicture(chatId, name) : undefined;
    } catch (error) {
      // The account may have another picture by now.
      if (!(error instanceof BackOffError)) accounts.delete(chatId);
      throw error;
    }
  };

  const findOwn = (chatId: string) => find(chatId, () => fetchOwn(chatId));

  const findOrDefault = async (chatId: string): Promise<Avatar | undefined> => {
    const own = await findOwn(chatId);
    if (own !== 'none') return own;
    const place = Number((BigInt(chatId) >> 22n) % DEFAULT_PICTURES);
    const standard = await find(`default-${place}`, () => platform.fetchDefault(place));
    return standard === 'none' ? undefined : standard;
  };

  /** @returns undefined when the work takes too long */
  const inTime = <T>(work: Promise<T>): Promise<T | undefined> =>
    Promise.race([work, sleep(waitMs, undefined, { ref: false })]);

  return {
    /** Never throws. @param chatId 17 to 20 digits */
    read: async (chatId: string): Promise<Avatar> =>
      (await inTime(findOrDefault(chatId))) ?? drawnAvatar(chatId, false),
    /** As `read`, but an empty picture where the account has none of its own. */
    async readOwn(chatId: string): Promise<Avatar> {
      const own = await inTime(findOwn(chatId));
      return own === undefined || own === 'none' ? noPicture(own === 'none') : own;
    },
    /** Whether the platform has this account; false also without an answer. Never throws. */
    async knows(chatId: string): Promise<boolean> {
      if (!isPlatformId(chatId)) return false;
      const asked = accounts.memo(chatId).catch((error: unknown) => outages.failed(PART, error));
      return (await inTime(asked)) !== undefined;
    },
  };
}
