import { readFileSync } from 'node:fs';
import { z } from 'zod';
import legit from './demo/legit.json' with { type: 'json' };
import scammers from './demo/scammers.json' with { type: 'json' };
import servers from './demo/servers.json' with { type: 'json' };
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

const recordSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  reason: z.union([z.string(), z.strictObject({ file: z.string() }).transform(({ file }) => readText(file))]),
  verified: z.boolean(),
  reportedAt: z.string(),
  views: z.int(),
  proofs: z
    .strictObject({
      private: z.boolean(),
      items: z.array(
        z.strictObject({
          text: z.string().exactOptional(),
          url: z.string().exactOptional(),
          file: z.string().exactOptional(),
          caption: z.string().exactOptional(),
        }),
      ),
    })
    .exactOptional(),
});

/** Each shows one state or one kind of name that pages have to cope with. */
const HAND_WRITTEN: Record<SampleList, readonly SampleRecord[]> = {
  scammers: z.array(recordSchema).parse(scammers),
  servers: z.array(recordSchema).parse(servers),
  legit: z.array(recordSchema).parse(legit),
};

export function demoRecords(list: SampleList): SampleRecord[] {
  const handWritten = HAND_WRITTEN[list];
  const count = DEMO_COUNT[list] - handWritten.length;
  return [...handWritten, ...sampleRecords(list, { count, seed: DEMO_SEED })];
}

/** A long one is a file of its own, in Markdown. */
function readText(file: string): string {
  return readFileSync(new URL(`demo/${file}`, import.meta.url), 'utf8').trim();
}
