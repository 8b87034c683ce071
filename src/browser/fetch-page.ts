/** Longer than the server's own limit for a search. */
const ANSWER_MAX_MS = 15_000;

interface Options {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Asks the server, not the browser's cache, which shows an answer up to five minutes after the entry was removed or added
 * (stale-while-revalidate). @returns undefined without a whole answer in time, and for pages of others: some networks answer
 * with one of their own
 */
export async function fetchPage(
  address: string,
  { signal, headers = {} }: Options = {},
): Promise<{ readonly response: Response; readonly page: Document } | undefined> {
  const request = new AbortController();
  const abort = (): void => request.abort();
  const tooLate = setTimeout(abort, ANSWER_MAX_MS);
  signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(address, { headers, signal: request.signal, cache: 'no-cache' });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const isWhole = response.status === 304 || response.status >= 429 || page.querySelector('#tresc');
    return isWhole ? { response, page } : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(tooLate);
    signal?.removeEventListener('abort', abort);
  }
}
