/** A whole page of src/astro-entry.ts. It is complete before the first byte leaves, so that an error page can replace it. */

export interface RenderedPage {
  readonly status: number;
  /** The names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * @returns undefined when no page has this path
 * @throws what the page throws
 */
export type RenderPage = (request: Request, locals: object) => Promise<RenderedPage | undefined>;

/**
 * The request that Astro sees: a page may be kept for everybody, so nothing of one visitor's headers can be in it.
 * @param url path and query
 */
export function pageRequest(url: string): Request {
  return new Request(`http://localhost${url}`);
}
