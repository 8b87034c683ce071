/** The outcome of rendering a Markdown text (render-markdown.ts). */

export interface RenderedText {
  ok: true;
  /** Safe to embed as it is. */
  html: string;
}

export type RenderedMarkdown = RenderedText | { ok: false; problem: string };
