/** Longer than the server's own limit for a search. */
const ANSWER_MAX_MS = 15_000;

interface Options {
  /** The caller's handle on the request, which aborts by itself when the answer takes too long. */
  readonly request?: AbortController;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Asks the server, not the browser's cache, which shows an answer up to five minutes after the entry was removed or added
 * (stale-while-revalidate). @returns undefined without a whole answer in time, and for pages of others: some networks answer
 * with one of their own
 */
export async function fetchPage(
  address: string,
  { request = new AbortController(), headers = {} }: Options = {},
) {
  const tooLate = setTimeout(() => request.abort(), ANSWER_MAX_MS);
  try {
    const response = await fetch(address, { headers, signal: request.signal, cache: 'no-cache' });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const isWhole = response.status === 304 || response.status >= 429 || page.querySelector('#tresc');
    return isWhole ? { response, page } : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(tooLate);
  }
}
