/** The parameters of an avatar. */
import { QueryReader } from '../text/read-query.ts';
import type { Parsed, QueryPairs, QueryProblem } from '../text/read-query.ts';

const AVATAR_KINDS = ['user', 'server'] as const;

/** What the platform's pictures come as: the last for those who do not take the first. */
export const AVATAR_TYPES = ['image/webp', 'image/png'] as const;
export type AvatarForm = 'webp' | 'png';

export interface AvatarQuery {
  readonly chatId: string;
  readonly kind: (typeof AVATAR_KINDS)[number];
  readonly form: AvatarForm;
}

/**
 * @param chatId the segment of the path
 * @param type one of `AVATAR_TYPES`
 */
export function parseAvatarQuery(chatId: string, parameters: QueryPairs, type: string): Parsed<AvatarQuery> {
  const reader = new QueryReader(parameters);
  const kind = reader.choice('kind', AVATAR_KINDS, 'user');
  const isId = /^[1-9]\d{16,19}$/.test(chatId);
  const problem: QueryProblem = {
    parameter: 'chatId',
    given: chatId.slice(0, 60),
    allowed: 'od 17 do 20 cyfr, pierwsza inna niż 0',
  };
  const form = type === 'image/webp' ? 'webp' : 'png';
  return { query: { chatId, kind, form }, problems: isId ? reader.problems : [problem, ...reader.problems] };
}
