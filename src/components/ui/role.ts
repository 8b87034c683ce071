/** The five roles of an answer: each has one word, one shape, one edge pattern and one colour. */
import type { PublicEntry } from '#src/entries/entry.ts';

/** `stop`: listed and verified; `victim`: hijacked, in any list; `warn`: not verified; `good`: trusted; `none`: no entry. */
export type Role = 'stop' | 'victim' | 'warn' | 'good' | 'none';

/** The most important first. */
const ORDER: readonly Role[] = ['stop', 'victim', 'warn', 'good', 'none'];

export type EntryRole = Exclude<Role, 'none'>;

export function roleOf(entry: Pick<PublicEntry, 'list' | 'verified' | 'account'>): EntryRole {
  if (entry.account === 'hijacked') return 'victim';
  if (entry.list === 'legit') return 'good';
  return entry.verified ? 'stop' : 'warn';
}

/** The entry blames the account or server itself. */
export const isReport = (role: Role | undefined): role is 'stop' | 'warn' =>
  role === 'stop' || role === 'warn';

export function compareRoles(one: Role, other: Role): number {
  return ORDER.indexOf(one) - ORDER.indexOf(other);
}
