/** Makes what follows from the entries again, for when the rules of rendering, folding or sorting have changed. */
import { readLogHead } from '../changes/change-log.ts';
import { sqlBuilder, type Database, type Transaction } from '../db/database.ts';
import { writeEntries } from '../entries/staging-tables.ts';
import { toWrite, type EntryRow } from '../entries/entry-row.ts';
import { makeMissingPictures } from '../proofs/store-proofs.ts';
import { sweepProofFiles } from '../proofs/proof-files.ts';
import { createIndexUpdater } from '../lists/update-list-indexes.ts';
import { requestNewSearchFile } from '../search/update-search-file.ts';
import { findIndexState, writeIndexState } from '../lists/list-indexes.ts';
import { createMarkdownRenderer } from '../text/markdown-renderer.ts';
import { findAppeal } from '../entries/appeals.ts';
import { listProofItems, readContent, renderContent, type Content } from '../entries/entry-content.ts';
import { countEntries } from '../entries/entry-statistics.ts';
import { toPublicRow } from '../entries/public-entry.ts';
import type { CliStreams } from './console/cli.ts';
import { createProgressBar } from './console/progress-bar.ts';

const PAGE_ROWS = 400;

/** In steps: readers go on, and a killed rebuild is run again. @returns also how many images got pictures */
export async function rebuildDatabase(db: Database, stderr: CliStreams['stderr']) {
  let [entries, changed] = [0, 0];
  // A text that today's limits refuse keeps the form that it has.
  for await (const { rendered, comparedAtSeq } of renderEntries(db, stderr, (_markdown, html) => html)) {
    const different = rendered.filter(({ row, content }) => !isShownAs(db, row, content));
    const writes = different.map(({ row, content }) => ({ ...toWrite(row), content }));
    if (writes.length > 0) writeEntries(db, writes, { comparedAtSeq, now: Date.now(), origin: 'rebuild' });
    entries += rendered.length;
    changed += writes.length;
  }
  const pictures = await makeMissingPictures(db);
  sweepProofFiles(db);
  db.write((tx) => {
    tx.run(sqlBuilder.deleteFrom('look_alike_hashes'));
    const state = findIndexState(tx);
    // Orders are compared with the entries, and keep their version, by which readers know what they have.
    if (state) writeIndexState(tx, { ...state, hashesSeq: undefined });
  });
  await createIndexUpdater(db).catchUp();
  requestNewSearchFile(db);
  return { entries, changed, pictures };
}

/**
 * Renders the texts of all entries, some together.
 * @param refused the HTML of a text that today's limits refuse, by Markdown and stored HTML
 */
export async function* renderEntries(
  db: Database,
  stderr: CliStreams['stderr'] | undefined,
  refused: (markdown: string, html: string) => string,
) {
  await using renderer = createMarkdownRenderer();
  using bar = createProgressBar(stderr, countEntries(db));
  const next = sqlBuilder.selectFrom('entries').selectAll().orderBy('row').limit(PAGE_ROWS);
  for (let [after, done] = [0, 0]; ;) {
    const { seq: comparedAtSeq } = readLogHead(db);
    const rows = db.all(next.where('row', '>', after));
    if (rows.length === 0) return;
    const contents = rows.map(({ row }) => readContent(db, row));
    const results = await renderer.render(
      contents.flatMap(({ reason, proofItems }) => [reason, ...proofItems.flatMap(({ text }) => text ?? [])]),
    );
    const rendered = contents.map((content, index) => ({
      row: rows[index] as EntryRow,
      content: renderContent(content, results, refused),
    }));
    yield { comparedAtSeq, rendered };
    bar.update((done += rows.length));
    after = rows.at(-1)?.row ?? after;
  }
}

function isShownAs(db: Database, entry: EntryRow, content: Content): boolean {
  const shown = db.first(
    sqlBuilder.selectFrom('published').select(['flags', 'card', 'json']).where('row', '=', entry.row),
  );
  return (
    JSON.stringify(shown) ===
      JSON.stringify(toPublicRow(entry, content.descHtml, findAppeal(db, entry.row))) &&
    JSON.stringify(listProofItems(db, entry.row)) === JSON.stringify(content.proofItems)
  );
}

/** Publishes these texts, in a database that no process reads yet. */
export function replaceShown(tx: Transaction, entry: EntryRow, content: Content): void {
  const { row, chat_id } = entry;
  for (const [position, { textHtml }] of content.proofItems.entries())
    tx.run(
      sqlBuilder
        .updateTable('proof_items')
        .set({ text_html: textHtml })
        .where('row', '=', row)
        .where('position', '=', position),
    );
  const published = toPublicRow(entry, content.descHtml, findAppeal(tx, row));
  tx.run(sqlBuilder.deleteFrom('published').where('row', '=', row));
  if (published) tx.run(sqlBuilder.insertInto('published').values({ ...published, row, chat_id }));
}
