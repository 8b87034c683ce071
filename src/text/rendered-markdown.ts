/** What becomes of a Markdown text (render-markdown.ts). */

export interface RenderedText {
  ok: true;
  /** Safe to embed as it is. */
  html: string;
  /** What a reader sees of it, for search. */
  text: string;
}

export type RenderedMarkdown = RenderedText | { ok: false; problem: string };
