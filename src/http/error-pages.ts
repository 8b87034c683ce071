/** Rendered at start, to work without the database or Astro; placeholders stand for later values. */
import { escapeMarkup } from '../escape-markup.ts';

export type ErrorPages = Awaited<ReturnType<typeof makeErrorPages>>;

export const SECONDS_PLACEHOLDER = '__SECONDS__';
export const ADDRESS_PLACEHOLDER = '__ADDRESS__';
export const REQUEST_ID_PLACEHOLDER = '__REQUEST_ID__';
export const ASKED_PLACEHOLDER = '__ASKED__';

/** @throws at start when an error page is missing or empty */
export async function makeErrorPages(render: (path: string) => Promise<string | undefined>) {
  const make = async (path: string) => {
    const html = await render(path);
    if (!html) throw new Error(`the error page ${path} cannot be rendered`);
    // All in one pass: the address of a visitor may contain a placeholder.
    return (values: Readonly<Record<string, string>>): string =>
      html.replace(/__[A-Z_]+?__/g, (placeholder) => values[placeholder] ?? placeholder);
  };
  const notFound = await make('/404');
  const rateLimited = await make('/429');
  const overloaded = await make('/503');
  const internal = await make('/500');
  return {
    notFound: (): string => notFound({}),
    rateLimited: (seconds: number): string => rateLimited({ [SECONDS_PLACEHOLDER]: String(seconds) }),
    /** @param address of the requested page */
    overloaded: (seconds: number, address: string): string =>
      overloaded({ [SECONDS_PLACEHOLDER]: String(seconds), [ADDRESS_PLACEHOLDER]: escapeMarkup(address) }),
    /**
     * @param requestId the number that visitors quote and operators find in the log
     * @param address of the requested page, whose question stays in the field
     */
    internal(requestId: string, address: string): string {
      const asked = new URLSearchParams(address.split('?')[1]).get('search') ?? '';
      return internal({ [REQUEST_ID_PLACEHOLDER]: requestId, [ASKED_PLACEHOLDER]: escapeMarkup(asked) });
    },
  };
}
