/**
 * The error pages, rendered at the start and held in memory: they must be there when the database, or Astro itself, is
 * not. What only the moment of the error knows stands in them as a placeholder.
 */
import { escapeMarkup } from '../escape-markup.ts';

export interface ErrorPages {
  notFound(): string;
  rateLimited(seconds: number): string;
  /** @param address of the page that was asked for, as it stands in a link */
  overloaded(seconds: number, address: string): string;
  /** @param requestId the number that visitors can quote and operators find in the log */
  internal(requestId: string): string;
}

/** Stand in src/pages/429.astro, 500.astro and 503.astro where the values belong. */
export const SECONDS_PLACEHOLDER = '__SECONDS__';
export const ADDRESS_PLACEHOLDER = '__ADDRESS__';
export const REQUEST_ID_PLACEHOLDER = '__REQUEST_ID__';

/** Addresses of these pages; asked for directly they are no pages. */
export function isErrorPage(path: string): boolean {
  return /^\/(?:404|429|500|503)(?:\/index)?(?:\.html?)?$/.test(path);
}

/**
 * @param render the page of a path, undefined when there is none
 * @throws when one of them is missing or empty: at the start rather than when an error comes
 */
export async function makeErrorPages(
  render: (path: string) => Promise<string | undefined>,
): Promise<ErrorPages> {
  const make = async (path: string): Promise<string> => {
    const html = await render(path);
    if (!html) throw new Error(`the error page ${path} cannot be rendered`);
    return html;
  };
  const notFound = await make('/404');
  const rateLimited = await make('/429');
  // In parts, so that what a visitor puts into an address is never taken for a placeholder.
  const overloaded = (await make('/503')).split(ADDRESS_PLACEHOLDER);
  const internal = await make('/500');
  return {
    notFound: () => notFound,
    rateLimited: (seconds) => rateLimited.replaceAll(SECONDS_PLACEHOLDER, String(seconds)),
    overloaded: (seconds, address) => {
      const link = escapeMarkup(address);
      return overloaded.map((part) => part.replaceAll(SECONDS_PLACEHOLDER, String(seconds))).join(link);
    },
    internal: (requestId) => internal.replaceAll(REQUEST_ID_PLACEHOLDER, requestId),
  };
}
