import { sql, type InferResult } from 'kysely';
import { sqlBuilder, param, type Database } from '../db/database.ts';
import type { RenderedMarkdown } from '../text/render-markdown.ts';

const ITEMS = sqlBuilder
  .selectFrom('proof_items')
  .select([
    'text',
    'text_html as textHtml',
    'url',
    'file_sha256 as fileSha256',
    'file_name as fileName',
    'caption',
  ])
  .where('row', '=', param('row'))
  .orderBy('position')
  .compile();
export type ProofItem = Readonly<InferResult<typeof ITEMS>[number]>;

export interface Content {
  /** Markdown. */
  readonly reason: string;
  readonly descHtml: string;
  readonly proofItems: readonly ProofItem[];
}

const HTML = sqlBuilder
  .selectFrom('published')
  .select((is) => sql<string>`${is.ref('json')} ->> 'descHtml'`.as('descHtml'))
  .where('row', '=', param('row'))
  .compile();
const REASON = sqlBuilder.selectFrom('contents').select('reason').where('row', '=', param('row')).compile();

export function listProofItems(db: Database, row: number): ProofItem[] {
  return db.all(ITEMS, { row });
}

/** Every entry has one. */
export function findReason(db: Database, row: number): string | undefined {
  return db.first(REASON, { row })?.reason;
}

/** Undefined for entries that are not public, because only public HTML is stored. */
export function findHtml(db: Database, row: number): string | undefined {
  return db.first(HTML, { row })?.descHtml;
}

/** An entry that is not public, or not rendered yet, has no HTML. */
export function readContent(db: Database, row: number): Content {
  return {
    reason: findReason(db, row) ?? '',
    descHtml: findHtml(db, row) ?? '',
    proofItems: listProofItems(db, row),
  };
}

/** @param refused makes the HTML of a text that the renderer refused, of its Markdown and stored HTML; by default none may be */
export function renderContent(
  { reason, descHtml, proofItems }: Content,
  rendered: ReadonlyMap<string, RenderedMarkdown>,
  refused?: (markdown: string, html: string) => string,
): Content {
  const htmlOf = (markdown: string, html: string): string => {
    const result = rendered.get(markdown);
    if (result?.ok) return result.html;
    if (!refused) throw new Error('a text was not rendered');
    return refused(markdown, html);
  };
  return {
    reason,
    descHtml: htmlOf(reason, descHtml),
    proofItems: proofItems.map((item) => ({
      ...item,
      textHtml: item.text === null ? null : htmlOf(item.text, item.textHtml ?? ''),
    })),
  };
}

export function sameProofs(some: readonly ProofItem[], others: readonly ProofItem[]): boolean {
  return JSON.stringify(some.map(comparable)) === JSON.stringify(others.map(comparable));
}

export function removesProofs(items: readonly ProofItem[], before: readonly ProofItem[]): boolean {
  const present = new Set(items.map(comparable));
  return before.some((item) => !present.has(comparable(item)));
}

/** Compares files by their bytes, because an export renames them. */
function comparable({ text, url, fileSha256, caption }: ProofItem): string {
  return JSON.stringify([text, url, fileSha256, caption]);
}
