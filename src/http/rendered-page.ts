/** What src/astro-entry.ts makes of a page: all of it, so that a failed page is replaced instead of being sent by half. */

export interface RenderedPage {
  readonly status: number;
  /** By names in lower case. */
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
