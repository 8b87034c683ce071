/**
 * Text: what is typed is folded (fold-text.ts), compared (look-alike.ts) and read as parameters (query-schema.ts); what is
 * reported is Markdown, rendered here and sanitized (sanitize-markdown-html.ts), in a thread (markdown-renderer.ts) that is
 * ended when it takes too long.
 */
import { escapeText } from './markdown-html-renderer.ts';
import { renderFullMarkdown } from './render-full-markdown.ts';
import { renderPlainParagraphs } from './render-plain-paragraphs.ts';
import type { RenderedMarkdown } from './rendered-markdown.ts';

/** In UTF-16 code units. Importing has its own, lower limit; this one only bounds the work of whoever forgot it. */
const MARKDOWN_LENGTH_MAX = 100_000;

/**
 * Renders a reason (GitHub-flavoured Markdown) into HTML of p, br, strong, em, del, code, pre, blockquote, ul, ol, li,
 * h3 to h6, a and tables. HTML in the text is shown as it was written, images as their description, and links only if
 * they lead to an absolute http or https address. Never throws; `problem` is a sentence for the operator about a text
 * that is too long, or that cannot be read. For some texts it takes minutes.
 */
export function renderMarkdown(markdown: string): RenderedMarkdown {
  if (markdown.length > MARKDOWN_LENGTH_MAX) {
    const problem = `too long: ${markdown.length} characters; at most ${MARKDOWN_LENGTH_MAX} are allowed`;
    return { ok: false, problem };
  }
  // A lone surrogate has no place in UTF-8, in which everything is stored and sent.
  const wellFormed = markdown.toWellFormed();
  return renderPlainParagraphs(wellFormed) ?? renderFullMarkdown(wellFormed);
}

/** Shows a text that renderMarkdown refuses as it was written. */
export function renderAsWritten(markdown: string): string {
  return `<p>${escapeText(markdown).replaceAll('\n', '<br />')}</p>`;
}
