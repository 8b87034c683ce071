import { z } from 'zod';
import { isPlatformId, PLATFORM_ID } from '../platform-id.ts';
import { createQueryParser } from '../text/query-schema.ts';
import type { Parsed, QueryPairs, QueryProblem } from '../text/read-query.ts';

const AVATAR_KINDS = ['user', 'server'] as const;

export const avatarPathSchema = z.object({
  chatId: z
    .string()
    .regex(new RegExp(`^${PLATFORM_ID}$`))
    .describe('ID konta na platformie, od 17 do 20 cyfr.'),
});

export const avatarQuerySchema = z.object({
  kind: z
    .enum(AVATAR_KINDS)
    .default('user')
    .describe('`user` obrazek konta, `server` obrazek serwera, zawsze rysowany.'),
});

const parseKind = createQueryParser(avatarQuerySchema);

export interface AvatarQuery {
  readonly chatId: string;
  readonly kind: (typeof AVATAR_KINDS)[number];
}

export function parseAvatarQuery(chatId: string, parameters: QueryPairs): Parsed<AvatarQuery> {
  const { query, problems } = parseKind(parameters);
  const problem: QueryProblem = {
    parameter: 'chatId',
    given: chatId.slice(0, 60),
    allowed: 'od 17 do 20 cyfr, pierwsza inna niż 0',
  };
  return {
    query: { chatId, kind: query.kind },
    problems: isPlatformId(chatId) ? problems : [problem, ...problems],
  };
}
