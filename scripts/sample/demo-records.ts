import { DEMO_LEGIT } from './demo-legit.ts';
import { DEMO_SCAMMERS } from './demo-scammers.ts';
import { DEMO_SERVERS } from './demo-servers.ts';
import type { SampleList, SampleRecord } from './sample-record.ts';
import { sampleRecords } from './sample-records.ts';

/** The demo's entries, always the same: hand-written ones that show every state, then generated ones. */

/** One entry of each answer that the check can give; documents name these. */
export const DEMO_IDS = {
  listed: '1572250755006587457',
  risk: '1558644164640031523',
  trusted: '280864204968068869',
  server: '1224152387227424863',
} as const;

const DEMO_SEED = 2026;
const DEMO_COUNT = { scammers: 150, servers: 75, legit: 75 } as const satisfies Record<SampleList, number>;

const HAND_WRITTEN: Record<SampleList, readonly SampleRecord[]> = {
  scammers: DEMO_SCAMMERS,
  servers: DEMO_SERVERS,
  legit: DEMO_LEGIT,
};

export function demoRecords(list: SampleList): SampleRecord[] {
  const handWritten = HAND_WRITTEN[list];
  const count = DEMO_COUNT[list] - handWritten.length;
  return [...handWritten, ...sampleRecords(list, { count, seed: DEMO_SEED })];
}
