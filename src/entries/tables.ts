import type { Generated } from 'kysely';
import type { AccountState, ListKind, ProofsState } from './entry.ts';

declare module '../db/tables.ts' {
  interface Tables {
    entries: {
      row: Generated<number>;
      list: ListKind;
      entry_id: string;
      report_id: string;
      proofs_id: string | null;
      proofs: ProofsState;
      chat_id: string;
      name: string;
      verified: number;
      reported_at: number;
      verified_at: number | null;
      account: AccountState;
      account_since: number | null;
      updated_at: number;
      views: number;
    };
    contents: {
      row: number;
      reason: string;
    };
    former_names: {
      former: Generated<number>;
      row: number;
      name: string;
    };
    entry_notes: {
      note: Generated<number>;
      row: number;
      at: number;
      by: string | null;
      text: string;
    };
    appeals: {
      appeal: Generated<number>;
      row: number;
      opened_at: number;
      decided_at: number | null;
      note: string | null;
    };
    entry_counts: {
      day: string;
      what: 'added' | 'removed' | 'granted' | 'decided';
      days: number;
      count: number;
    };
    published: {
      row: number;
      flags: number;
      chat_id: string;
      card: string;
      json: string;
    };
    changes: {
      seq: Generated<number>;
      at: number;
      op: 'added' | 'updated' | 'removed';
      list: ListKind;
      entry_id: string;
    };
    change_notes: {
      seq: number;
      by: string | null;
      fields: string | null;
      how: string | null;
    };
    imports: {
      import: Generated<number>;
      key: string;
      at: number;
      list: ListKind;
      first_change: number;
      last_change: number;
      undone_at: number | null;
      file: string | null;
    };
  }
}
