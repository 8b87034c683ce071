/** The parameters of an avatar. */
import { QueryReader } from '../text/read-query.ts';
import type { Parsed, QueryProblem } from '../text/read-query.ts';

const AVATAR_KINDS = ['user', 'server'] as const;

export interface AvatarQuery {
  readonly chatId: string;
  readonly kind: (typeof AVATAR_KINDS)[number];
}

/** @param chatId the segment of the path */
export function parseAvatarQuery(chatId: string, parameters: URLSearchParams): Parsed<AvatarQuery> {
  const reader = new QueryReader(parameters);
  const kind = reader.choice('kind', AVATAR_KINDS, 'user');
  const isId = /^[1-9]\d{16,19}$/.test(chatId);
  const problem: QueryProblem = {
    parameter: 'chatId',
    given: chatId.slice(0, 60),
    allowed: 'od 17 do 20 cyfr, pierwsza inna niż 0',
  };
  return { query: { chatId, kind }, problems: isId ? reader.problems : [problem, ...reader.problems] };
}
