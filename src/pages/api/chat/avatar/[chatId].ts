import { z } from 'zod';
import { avatarPathSchema, avatarQuerySchema, parseAvatarQuery } from '#src/avatars/avatar-query.ts';
import { drawnAvatar } from '#src/avatars/avatars.ts';
import { CACHE_CONTROL } from '#src/http/response.ts';
import { endpoint } from '#src/http/endpoint.ts';

/** How long avatars stay in memory; the disk keeps them longer. */
const SETTLED_TTL_SECONDS = 600;
const WAITING_TTL_SECONDS = 10;

/** SPEC 4.5; `kind=server` for the picture of a server, which is always drawn, `kind=own` for none but the account's. */
export const GET = endpoint({
  operation: {
    id: 'readAvatar',
    tag: 'rest',
    summary: 'Awatar konta albo obrazek serwera.',
    description:
      'Zawsze obrazek z naszego serwera, nigdy przekierowanie. Gdy platforma nie odpowiada albo jej nie podłączono, rysujemy go z ID. Obrazki kont są w WebP, domyślne obrazki platformy w PNG, a rysowane w SVG.',
    path: avatarPathSchema,
    query: avatarQuerySchema,
    response: {
      description: 'Obrazek.',
      content: { 'image/webp': z.file(), 'image/png': z.file(), 'image/svg+xml': z.string() },
    },
    errors: ['invalid_parameter'],
  },
  rateLimit: 'avatars',
  cacheControl: 'avatar',
  cachedHereUntil: () => 'expiry',
  isCatchAll: true,
  parse: ({ path, query }) => parseAvatarQuery(path['chatId'] ?? '', query),
  handle: async ({ chatId, kind }, { avatars }) => {
    // Only its members can see the picture of a server.
    const { body, type, isSettled } =
      kind === 'server' ? drawnAvatar(chatId) : await avatars[kind === 'own' ? 'readOwn' : 'read'](chatId);
    return {
      body,
      contentType: type,
      ...(isSettled
        ? { ttlSeconds: SETTLED_TTL_SECONDS }
        : { ttlSeconds: WAITING_TTL_SECONDS, cacheControl: CACHE_CONTROL.waitingAvatar }),
    };
  },
});
