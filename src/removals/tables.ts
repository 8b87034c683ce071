import type { Generated } from 'kysely';
import type { ListKind } from '../entries/entry.ts';
import type { RemovalReason } from './removal-reasons.ts';

declare module '../db/tables.ts' {
  interface Tables {
    tombstones: {
      entry_id: string;
      report_id: string;
      list: ListKind;
      removed_at: number;
      reason_code: RemovalReason;
      id_hash: string | null;
    };
    removals: {
      removal: Generated<number>;
      at: number;
      list: string;
      entry_id: string;
      what: 'entry' | 'returned' | 'name' | 'reason' | 'proofs' | 'private';
      reason_code: string | null;
      history: string;
      change: number;
    };
  }
}
