import type { Generated } from 'kysely';
import type { PartId } from './status.ts';

declare module '../db/tables.ts' {
  interface Tables {
    status_snapshot: {
      one: number;
      checked_at: number;
      body: string;
    };
    status_write_probe: {
      one: number;
      at: number;
      at_monotonic: number | null;
    };
    status_periods: {
      seconds: number;
      at: number;
      part: PartId;
      samples: number;
      ok: number;
      slow: number;
      latency_sum: number | null;
      latency_max: number | null;
    };
    status_streaks: {
      part: PartId;
      ok: number;
      samples: number;
      since: number;
    };
    incidents: {
      incident: Generated<number>;
      part: PartId;
      opened_at: number;
      closed_at: number | null;
      note: string | null;
      updated_at: number;
    };
  }
}
