/** Addresses inside the site, in one place. */

export function proofsPath(proofsId: string): string {
  return `/proofs/${proofsId}`;
}

export function listPath(list: string, parameters: Readonly<Record<string, string | number>> = {}): string {
  return withQuery(`/${list}`, parameters);
}

export function checkPath(search: string): string {
  return withQuery('/', { search });
}

function withQuery(path: string, parameters: Readonly<Record<string, string | number>>): string {
  const query = new URLSearchParams(Object.entries(parameters).map(([key, value]) => [key, String(value)]));
  return query.size > 0 ? `${path}?${query}` : path;
}
