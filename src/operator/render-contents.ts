import type { Database } from '../db/database.ts';
import { readContent, type Content } from '../entries/contents.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import type { MarkdownRenderer } from '../text/markdown-renderer.ts';

/** From Markdown again. @param refused the HTML of a text that today's limits refuse, by Markdown and stored HTML */
export async function renderContents(
  db: Database,
  rows: readonly Pick<EntryRow, 'row'>[],
  renderer: MarkdownRenderer,
  refused: (markdown: string, html: string) => string,
): Promise<Content[]> {
  const contents = rows.map(({ row }) => readContent(db, row));
  const sources = [
    ...new Set(
      contents.flatMap(({ reason, proofItems }) => [
        reason,
        ...proofItems.flatMap((item) => item.text ?? []),
      ]),
    ),
  ];
  const results = await renderer.render(sources);
  const rendered = new Map(sources.map((source, index) => [source, results[index]]));
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
