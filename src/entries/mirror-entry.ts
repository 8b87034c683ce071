/** An entry as mirrors get it, in the chunks of the snapshots and from `/api/changes`. */
import { toListEntry } from './entry.ts';
import type { Entry, ListEntry } from './entry.ts';

/** SPEC 2.1 ListEntry and its two times, ISO 8601 in UTC. */
export interface MirrorEntry extends ListEntry {
  readonly reportedAt: string;
  readonly updatedAt: string;
}

export function toMirrorEntry(entry: ListEntry & Pick<Entry, 'reportedAt' | 'updatedAt'>): MirrorEntry {
  return {
    ...toListEntry(entry),
    reportedAt: new Date(entry.reportedAt).toISOString(),
    updatedAt: new Date(entry.updatedAt).toISOString(),
  };
}
