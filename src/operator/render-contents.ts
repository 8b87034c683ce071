/** Makes what is shown of entries from their Markdown again. */
import { sqlBuilder, type Database, type Transaction } from '../db/database.ts';
import { findAppeal } from '../entries/appeals.ts';
import { listProofItems, readContent, type Content } from '../entries/contents.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import { toPublished } from '../entries/published.ts';
import type { MarkdownRenderer } from '../text/markdown-renderer.ts';

/** @param refused the HTML of a text that today's limits refuse, by Markdown and stored HTML */
export async function renderContents(
  db: Database,
  rows: readonly Pick<EntryRow, 'row'>[],
  renderer: MarkdownRenderer,
  refused: (markdown: string, html: string) => string,
): Promise<Content[]> {
  const contents = rows.map(({ row }) => readContent(db, row));
  const rendered = await renderer.render(
    contents.flatMap(({ reason, proofItems }) => [reason, ...proofItems.flatMap(({ text }) => text ?? [])]),
  );
  const htmlOf = (markdown: string, html: string): string => {
    const result = rendered.get(markdown);
    return result?.ok ? result.html : refused(markdown, html);
  };
  return contents.map(({ reason, descHtml, proofItems }) => ({
    reason,
    descHtml: htmlOf(reason, descHtml),
    proofItems: proofItems.map((item) => ({
      ...item,
      textHtml: item.text === null ? null : htmlOf(item.text, item.textHtml ?? ''),
    })),
  }));
}

export function isShownAs(db: Database, row: EntryRow, content: Content): boolean {
  const shown = db.first(
    sqlBuilder.selectFrom('published').select(['flags', 'card', 'json']).where('row', '=', row.row),
  );
  return (
    JSON.stringify(shown) === JSON.stringify(toPublished(row, content.descHtml, findAppeal(db, row.row))) &&
    JSON.stringify(listProofItems(db, row.row)) === JSON.stringify(content.proofItems)
  );
}

/** Publishes these texts, in a database that no process reads yet. */
export function replaceShown(tx: Transaction, row: EntryRow, content: Content): void {
  for (const [position, { textHtml }] of content.proofItems.entries())
    tx.run(
      sqlBuilder
        .updateTable('proof_items')
        .set({ text_html: textHtml })
        .where('row', '=', row.row)
        .where('position', '=', position),
    );
  const published = toPublished(row, content.descHtml, findAppeal(tx, row.row));
  tx.run(sqlBuilder.deleteFrom('published').where('row', '=', row.row));
  if (published)
    tx.run(sqlBuilder.insertInto('published').values({ ...published, row: row.row, chat_id: row.chat_id }));
}
