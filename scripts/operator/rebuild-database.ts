/** Makes what follows from the entries again, for when the rules of rendering, folding or sorting have changed. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readLastChange } from '#src/changes/append-change.ts';
import type { Database } from '#src/db/database.ts';
import { removeOldFolders } from '#src/db/remove-old-folders.ts';
import { getContent, insertContent } from '#src/entries/contents.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { writeEntries } from '#src/entries/write-entries.ts';
import { toWrite } from '#src/entries/entry-row.ts';
import type { EntryRow, EntryWrite } from '#src/entries/entry-row.ts';
import { makeMissingPictures } from '#src/proofs/keep-proof-files.ts';
import { sweepProofFiles } from '#src/proofs/proof-files.ts';
import { createMarkdownRenderer } from '#src/text/markdown-renderer.ts';
import type { MarkdownRenderer } from '#src/text/markdown-renderer.ts';
import { createProgressBar } from './progress-bar.ts';
import { renderContents } from './render-contents.ts';

const PAGE_ROWS = 400;
/** The read model: the worker makes it again, with today's rules of folding and sorting. */
const READ_MODEL_FOLDER = 'serving';

export interface RebuildReport {
  readonly entries: number;
  readonly changed: number;
  /** Images whose pictures were missing. */
  readonly pictures: number;
}

/** In steps of PAGE_ROWS entries: readers go on, and a rebuild that is killed is simply run again. */
export async function rebuildDatabase(db: Database): Promise<RebuildReport> {
  const renderer = createMarkdownRenderer();
  const total = db.statement<{ count: number }>('SELECT count(*) AS count FROM entries').get()?.count;
  const bar = createProgressBar(total);
  let entries = 0;
  let changed = 0;
  let pictures = 0;
  try {
    for (const list of LIST_KINDS) {
      for (let after = 0; ;) {
        const preparedAt = readLastChange(db, list);
        const rows = db
          .statement<EntryRow>('SELECT * FROM entries WHERE list = ? AND row > ? ORDER BY row LIMIT ?')
          .all(list, after, PAGE_ROWS);
        const writes = await remake(db, rows, renderer);
        if (writes.length > 0) writeEntries(db, list, writes, preparedAt, Date.now());
        entries += rows.length;
        changed += writes.length;
        bar.update(entries);
        if (rows.length < PAGE_ROWS) break;
        after = rows.at(-1)?.row ?? after;
      }
    }
    sweepProofFiles(db, dirname(db.path));
    pictures = await makeMissingPictures(db, dirname(db.path));
    removeOldFolders(db.path);
    rmSync(join(dirname(db.path), READ_MODEL_FOLDER), { recursive: true, force: true });
  } finally {
    bar.end();
    await renderer.close();
  }
  return { entries, changed, pictures };
}

/** Writes for those of the rows whose rendered form is not what it would be now. */
async function remake(
  db: Database,
  rows: readonly EntryRow[],
  renderer: MarkdownRenderer,
): Promise<EntryWrite[]> {
  const contents = rows.map((row) => getContent(db, row.content));
  // A text that today's limits refuse keeps the form that it has.
  const rendered = await renderContents(contents, renderer, (_markdown, html) => html);
  const writes: EntryWrite[] = [];
  for (const [index, row] of rows.entries()) {
    const made = rendered[index];
    if (made && JSON.stringify(made) !== JSON.stringify(contents[index]))
      writes.push({
        ...toWrite(row),
        updatedAt: row.updated_at,
        content: db.write(() => insertContent(db, made)),
      });
  }
  return writes;
}
