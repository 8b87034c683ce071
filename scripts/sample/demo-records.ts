import { readFileSync } from 'node:fs';
import type { ListKind } from '#src/entries/entry.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { DAY_MS } from '#src/text/calendar.ts';

/** One record of the import format, with ISO 8601 times in UTC. Files of proofs are pictures in images/ beside this file. */
export type SampleRecord = ImportRecordInput & { readonly reportedAt: string; readonly views: number };

/** One entry for each answer of the check. Pages and documents name these IDs. */
export const DEMO_IDS = {
  listed: '1572250755006587457',
  risk: '1558644164640031523',
  trusted: '280864204968068869',
  server: '1224152387227424863',
  hijacked: '402817755003300112',
  hijackedTrusted: '391544120967331840',
} as const;

/** The invented entries of the demo, the same every time. The first ones of each file show rare states and odd names. */
export function demoRecords(list: ListKind): SampleRecord[] {
  return readFileSync(new URL(`demo/${list}.ndjson`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line, index) => {
      const record = JSON.parse(line) as SampleRecord;
      if (!record.verified || list === 'legit') return record;
      const days = 1 + (index % 3);
      return { ...record, verifiedAt: new Date(Date.parse(record.reportedAt) + days * DAY_MS).toISOString() };
    });
}
