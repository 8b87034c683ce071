/** The change log, which list indexes, caches and mirrors follow. It holds references only, never texts. */
import { build, type Transaction } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

export const CHANGE_OPS = ['added', 'updated', 'removed'] as const;
export type ChangeOp = (typeof CHANGE_OPS)[number];

export function appendChange(
  tx: Transaction,
  change: Pick<Tables['changes'], 'at' | 'list' | 'entry_id'> & { readonly op: ChangeOp },
): number {
  return Number(tx.run(build.insertInto('changes').values(change)).lastInsertRowid);
}
