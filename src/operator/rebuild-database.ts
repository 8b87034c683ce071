/** Makes what follows from the entries again, for when the rules of rendering, folding or sorting have changed. */
import { dirname } from 'node:path';
import { readLogHead } from '../changes/log-head.ts';
import { sqlBuilder, type Database } from '../db/database.ts';
import { writeEntries } from '../entries/staging-tables.ts';
import { toWrite, type EntryRow, type EntryWrite } from '../entries/entry-row.ts';
import { makeMissingPictures } from '../proofs/keep-proof-files.ts';
import { sweepProofFiles } from '../proofs/proof-files.ts';
import { createIndexUpdater } from '../lists/update-list-indexes.ts';
import { orderNewSearchFile } from '../search/update-search-file.ts';
import { findIndexState, writeIndexState } from '../lists/list-indexes.ts';
import { createMarkdownRenderer, type MarkdownRenderer } from '../text/markdown-renderer.ts';
import { countEntries } from '../entries/count-entries.ts';
import type { CliStreams } from './console/cli.ts';
import { createProgressBar } from './console/progress-bar.ts';
import { isShownAs, renderContents } from './render-contents.ts';

const PAGE_ROWS = 400;

/** In steps: readers go on, and a killed rebuild is run again. @returns also how many images got pictures */
export async function rebuildDatabase(db: Database, stderr: CliStreams['stderr']) {
  await using renderer = createMarkdownRenderer();
  using bar = createProgressBar(stderr, countEntries(db));
  let entries = 0;
  let changed = 0;
  for (let after = 0; ;) {
    const { seq: comparedSeq } = readLogHead(db);
    const next = sqlBuilder.selectFrom('entries').selectAll().where('row', '>', after);
    const rows = db.all(next.orderBy('row').limit(PAGE_ROWS));
    const writes = await remake(db, rows, renderer);
    if (writes.length > 0) writeEntries(db, writes, { comparedSeq, now: Date.now(), how: 'rebuild' });
    entries += rows.length;
    changed += writes.length;
    bar.update(entries);
    if (rows.length < PAGE_ROWS) break;
    after = rows.at(-1)?.row ?? after;
  }
  sweepProofFiles(db, dirname(db.path));
  const pictures = await makeMissingPictures(db, dirname(db.path));
  db.write((tx) => {
    tx.run(sqlBuilder.deleteFrom('look_alike_hashes'));
    const state = findIndexState(tx);
    // Orders are compared with the entries, and keep their version, by which readers know what they have.
    if (state) writeIndexState(tx, { ...state, hashesSeq: undefined });
  });
  await createIndexUpdater(db).follow();
  orderNewSearchFile(db);
  return { entries, changed, pictures };
}

/** Writes the rows whose published form would differ now. */
async function remake(
  db: Database,
  rows: readonly EntryRow[],
  renderer: MarkdownRenderer,
): Promise<EntryWrite[]> {
  // A text that today's limits refuse keeps the form that it has.
  const contents = await renderContents(db, rows, renderer, (_markdown, html) => html);
  return rows.flatMap((row, index) => {
    const content = contents[index];
    if (!content || isShownAs(db, row, content)) return [];
    return [{ ...toWrite(row), content }];
  });
}
