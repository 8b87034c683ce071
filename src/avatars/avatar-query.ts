import { z } from 'zod';
import { isPlatformId, WHOLE_PLATFORM_ID } from '../platform-id.ts';
import { createQueryParser, type Parsed, type QueryPairs } from '../text/read-query.ts';

export const avatarPathSchema = z.object({
  chatId: z.string().regex(WHOLE_PLATFORM_ID).describe('ID konta na platformie, od 17 do 20 cyfr.'),
});

export const avatarQuerySchema = z.object({
  kind: z
    .enum(['user', 'server', 'own'])
    .default('user')
    .describe(
      '`user` obrazek konta, `server` obrazek serwera, zawsze rysowany, `own` własny obrazek konta, a gdy go nie ma, pusty.',
    ),
});

const parseKind = createQueryParser(avatarQuerySchema);

type AvatarQuery = z.output<typeof avatarPathSchema> & z.output<typeof avatarQuerySchema>;

export function parseAvatarQuery(chatId: string, parameters: QueryPairs): Parsed<AvatarQuery> {
  const { query, problems } = parseKind(parameters);
  const raw = chatId.slice(0, 60);
  const problem = { parameter: 'chatId', raw, allowed: 'od 17 do 20 cyfr, pierwsza inna niż 0' };
  return { query: { chatId, ...query }, problems: isPlatformId(chatId) ? problems : [problem, ...problems] };
}
