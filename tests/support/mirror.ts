/** A mirror as somebody outside would write it: it knows nothing but the addresses that the README names. */
import { createHash } from 'node:crypto';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import type { ChangesPage, MirrorEntry } from '#src/entries/mirror-schema.ts';
import type { Manifest } from '#src/entries/snapshots/manifest.ts';

export type Mirror = ReturnType<typeof createMirror>;
type Lists = Readonly<Record<ListKind, Map<string, MirrorEntry>>>;

export function createMirror(get: (path: string) => Promise<{ status: number; text: string }>, limit = 100) {
  const lists = { scammers: new Map(), servers: new Map(), legit: new Map() } as Lists;
  let cursor = '';
  let restarts = 0;

  /** @returns false when a chunk is gone */
  const load = async (): Promise<boolean> => {
    const answer = await get('/snapshots/manifest.json');
    if (answer.status !== 200) throw new Error(`the manifest answered ${answer.status}: ${answer.text}`);
    const manifest = JSON.parse(answer.text) as Manifest;
    for (const list of LIST_KINDS) {
      lists[list].clear();
      for (const chunk of manifest.lists[list].chunks) {
        const { status, text } = await get(chunk.path);
        if (status === 410) return false;
        if (status !== 200) throw new Error(`${chunk.path} answered ${status}: ${text}`);
        const entries = JSON.parse(text) as MirrorEntry[];
        const sha256 = createHash('sha256').update(text).digest('hex');
        const isSame = sha256 === chunk.sha256 && Buffer.byteLength(text) === chunk.bytes;
        if (!isSame || entries.length !== chunk.entries)
          throw new Error(`${chunk.path} is not what the manifest says`);
        for (const entry of entries) lists[list].set(entry._id, entry);
      }
      if (lists[list].size !== manifest.lists[list].total) throw new Error(`the total of ${list} is wrong`);
    }
    cursor = manifest.cursor;
    return true;
  };

  const start = async (): Promise<void> => {
    while (!(await load())) continue;
  };

  return {
    lists,
    /** How often it had to start anew while it followed. */
    get restarts() {
      return restarts;
    },
    start,
    /** Takes all changes since; starts anew when it is told to. */
    async follow(): Promise<void> {
      for (let hasMore = true; hasMore;) {
        const { status, text } = await get(`/api/changes?since=${cursor}&limit=${limit}`);
        if (status === 410) {
          restarts += 1;
          await start();
          continue;
        }
        if (status !== 200) throw new Error(`changes answered ${status}: ${text}`);
        const page = JSON.parse(text) as ChangesPage;
        for (const change of page.changes) {
          if ('entry' in change) lists[change.list].set(change.entry._id, change.entry);
          else lists[change.list].delete(change.tombstone._id);
        }
        cursor = page.next;
        hasMore = page.hasMore;
      }
    },
  };
}
