/**
 * Asks the server, not the browser's cache, which shows an answer up to five minutes after the entry was removed or added
 * (stale-while-revalidate). @returns undefined without a whole answer
 */
export async function fetchPage(
  address: string,
  signal?: AbortSignal,
): Promise<{ readonly response: Response; readonly page: Document } | undefined> {
  try {
    const response = await fetch(address, { signal: signal ?? null, cache: 'no-cache' });
    return { response, page: new DOMParser().parseFromString(await response.text(), 'text/html') };
  } catch {
    return undefined;
  }
}
