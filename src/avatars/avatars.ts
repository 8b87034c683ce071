/**
 * The picture of a chat-platform user (SPEC 4.5): from the disk (avatar-store.ts), else from the platform
 * (platform-avatars.ts), else drawn (draw-avatar.ts). Whatever the platform does, a picture comes within 0.8 s.
 */
import { createAsyncCache } from '../outbound/async-cache.ts';
import { isPlatformId } from '../platform-id.ts';
import type { AvatarStore } from './avatar-store.ts';
import { drawAvatar } from './draw-avatar.ts';
import { IMAGE_TYPES } from './image-type.ts';
import { BudgetError, type Account, type Picture, type PlatformAvatars } from './platform-avatars.ts';

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
  /** Called when a picture could not be fetched; the error contains no secret. */
  readonly report: (error: unknown) => void;
  /** Called for each stored picture. */
  readonly fetched?: () => void;
  /** Longest wait for the platform. */
  readonly waitMs?: number;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

const WAIT_MS = 800;
/** An older picture is still shown while it is fetched again. */
const TTL_MS = 24 * 60 * 60_000;
const FAILURE_TTL_MS = 60_000;
const IDS_MAX = 10_000;
const SVG_TYPE = 'image/svg+xml; charset=utf-8';
const DEFAULT_PICTURES = 6n;

/** Only its members can see the picture of a server. */
export function drawnAvatarOfServer(chatId: string): Avatar {
  return drawn(chatId, true);
}

function drawn(chatId: string, isSettled: boolean): Avatar {
  return { body: drawAvatar(chatId), type: SVG_TYPE, isSettled };
}

export function createAvatars({
  store,
  platform,
  report,
  fetched = () => {},
  waitMs = WAIT_MS,
  now = Date.now,
}: AvatarsOptions) {
  const fetches = createAsyncCache<void>({ ttlMs: 0, failureTtlMs: FAILURE_TTL_MS, keysMax: IDS_MAX });
  const accounts = createAsyncCache<Account | undefined>({
    ttlMs: TTL_MS,
    failureTtlMs: 0,
    keysMax: IDS_MAX,
  });

  const fetchOnce = (key: string, ask: () => Promise<Picture | undefined>): Promise<boolean> =>
    fetches
      .get(key, async () => {
        try {
          const picture = await ask();
          await store.write(key, picture?.format ?? 'none', picture?.body ?? Buffer.alloc(0), now());
          fetched();
        } catch (error) {
          // A used-up budget is no failure: it refills within a second.
          if (error instanceof BudgetError) return;
          report(error);
          throw error;
        }
      })
      .then(
        () => true,
        () => false,
      );

  /** @returns the stored picture, after fetching a missing one; an outdated one is fetched in the background */
  const find = async (
    key: string,
    ask: () => Promise<Picture | undefined>,
  ): Promise<Avatar | 'none' | undefined> => {
    const known = store.find(key);
    if (!known) await fetchOnce(key, ask);
    else if (now() - known.fetchedAt > TTL_MS) void fetchOnce(key, ask);
    const stored = store.find(key);
    if (!stored) return undefined;
    if (stored.format === 'none') return 'none';
    const body = await store.read(key);
    return body && { body, type: IMAGE_TYPES[stored.format], isSettled: true };
  };

  const findAccount = (source: PlatformAvatars, chatId: string): Promise<Account | undefined> =>
    accounts.get(chatId, () => source.findAccount(chatId));

  const fetchOwn = async (source: PlatformAvatars, chatId: string): Promise<Picture | undefined> => {
    const name = (await findAccount(source, chatId))?.picture;
    try {
      return name === undefined ? undefined : await source.fetchPicture(chatId, name);
    } catch (error) {
      // The account may have another picture by now.
      if (!(error instanceof BudgetError)) accounts.delete(chatId);
      throw error;
    }
  };

  const findOrDefault = async (source: PlatformAvatars, chatId: string): Promise<Avatar> => {
    const own = await find(chatId, () => fetchOwn(source, chatId));
    if (own !== 'none') return own ?? drawn(chatId, false);
    const place = Number((BigInt(chatId) >> 22n) % DEFAULT_PICTURES);
    const standard = await find(`default-${place}`, () => source.fetchDefault(place));
    return standard === undefined || standard === 'none' ? drawn(chatId, false) : standard;
  };

  return {
    /**
     * Never throws.
     * @param chatId 17 to 20 digits
     */
    async read(chatId: string): Promise<Avatar> {
      if (!platform) return drawn(chatId, true);
      return inTime(findOrDefault(platform, chatId), waitMs, () => drawn(chatId, false));
    },
    /** Whether the platform has this account; false also without a platform or an answer. Never throws. */
    async knows(chatId: string): Promise<boolean> {
      if (!platform || !isPlatformId(chatId)) return false;
      const asked = findAccount(platform, chatId).then(
        (account) => account !== undefined,
        (error: unknown) => {
          if (!(error instanceof BudgetError)) report(error);
          return false;
        },
      );
      return inTime(asked, waitMs, () => false);
    },
  };
}

async function inTime<T>(work: Promise<T>, waitMs: number, fallback: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(fallback()), waitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
