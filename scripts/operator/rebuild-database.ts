/** Makes what follows from the entries again, for when the rules of rendering, folding or sorting have changed. */
import { dirname } from 'node:path';
import { readLastChange } from '#src/changes/append-change.ts';
import type { Database } from '#src/db/database.ts';
import { rankAllNames } from '#src/entries/alphabet-rank.ts';
import { getContent, insertContent } from '#src/entries/contents.ts';
import type { Content } from '#src/entries/contents.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { dropListIndexes } from '#src/entries/list-indexes/index-writer.ts';
import type { ProofsState } from '#src/entries/entry.ts';
import { writeEntries } from '#src/entries/write-entries.ts';
import type { EntryRow, EntryWrite } from '#src/entries/write-entries.ts';
import { dropSearchIndex } from '#src/entries/search/index-folder.ts';
import { makeMissingPictures } from '#src/proofs/keep-proof-files.ts';
import { sweepProofFiles } from '#src/proofs/proof-files.ts';
import { foldText } from '#src/text/fold-text.ts';
import { createMarkdownRenderer } from '#src/text/markdown-renderer.ts';
import type { MarkdownRenderer } from '#src/text/markdown-renderer.ts';
import { createProgressBar } from './progress-bar.ts';

const PAGE_ROWS = 400;

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
    rankAllNames(db);
    dropSearchIndex(db.path);
    sweepProofFiles(db, dirname(db.path));
    pictures = await makeMissingPictures(db, dirname(db.path));
    dropListIndexes(db);
  } finally {
    bar.end();
    await renderer.close();
  }
  return { entries, changed, pictures };
}

/** Writes for those of the rows whose rendered or folded forms are not what they would be now. */
async function remake(
  db: Database,
  rows: readonly EntryRow[],
  renderer: MarkdownRenderer,
): Promise<EntryWrite[]> {
  const contents = rows.map((row) => getContent(db, row.content));
  const sources = contents.map(({ reason, proofItems }) => [
    reason,
    ...proofItems.flatMap((item) => item.text ?? []),
  ]);
  const results = await renderer.render(sources.flat());
  const writes: EntryWrite[] = [];
  for (const [index, row] of rows.entries()) {
    const [reason, ...texts] = results.splice(0, sources[index]?.length ?? 0);
    const old = contents[index] as Content;
    // A text that today's limits refuse keeps the form that it has.
    if (!reason?.ok || !texts.every((text) => text.ok)) continue;
    const htmls = texts.map((text) => text.html);
    const made: Content = {
      reason: old.reason,
      descHtml: reason.html,
      visibleText: reason.text,
      proofItems: old.proofItems.map((item) => ({
        ...item,
        textHtml: item.text === null ? null : (htmls.shift() ?? ''),
      })),
    };
    const same = JSON.stringify(made) === JSON.stringify(old) && isFoldedAsNow(db, row, made);
    if (!same) writes.push({ ...toWrite(row), content: db.write(() => insertContent(db, made)) });
  }
  return writes;
}

function isFoldedAsNow(db: Database, row: EntryRow, content: Content): boolean {
  const stored = db
    .statement<{ folded: string }>('SELECT visible_text_folded AS folded FROM contents WHERE content = ?')
    .get(row.content);
  return (
    row.name_folded === foldText(row.name) &&
    row.chat_id_folded === foldText(row.chat_id) &&
    stored?.folded === foldText(content.visibleText)
  );
}

function toWrite(row: EntryRow): EntryWrite {
  return {
    chatId: row.chat_id,
    name: row.name,
    verified: row.verified === 1,
    reportedAt: row.reported_at,
    views: undefined,
    updatedAt: row.updated_at,
    proofs: row.proofs as ProofsState,
    reportId: row.report_id,
    content: row.content,
  };
}
