/** An entry as mirrors get it, in the chunks of the snapshots and from `/api/changes`. */
import { toListEntry } from './entry.ts';
import type { Entry, ListEntry } from './entry.ts';
import type { MirrorEntry } from './mirror-schema.ts';

export type { MirrorEntry } from './mirror-schema.ts';

export function toMirrorEntry(entry: ListEntry & Pick<Entry, 'reportedAt' | 'updatedAt'>): MirrorEntry {
  return {
    ...toListEntry(entry),
    reportedAt: new Date(entry.reportedAt).toISOString(),
    updatedAt: new Date(entry.updatedAt).toISOString(),
  };
}
