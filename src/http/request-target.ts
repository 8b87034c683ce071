/**
 * Where a request wants to go. Decided once, from the raw target: the rate limit, the routes and the pages must not
 * see different paths for one request (`/api/%73cammers`, absolute form, `%` that decodes to nothing).
 */
import type { IncomingMessage } from 'node:http';

const HOST = 'host';

export interface RequestTarget {
  /** Decoded once, without trailing slashes; `/` for the root. */
  readonly path: string;
  /** Raw query without the question mark. */
  readonly query: string;
}

/** Undefined when the target or the Host header is not something HTTP allows. */
export function parseRequestTarget(request: IncomingMessage): RequestTarget | undefined {
  if (!hasOneValidHost(request)) return undefined;
  const raw = request.url ?? '';
  // Asks about the server as a whole, which only OPTIONS does (RFC 9112 section 3.2.4).
  if (raw === '*' && request.method !== 'OPTIONS') return undefined;
  // Absolute form is served by its path (RFC 9112 section 3.2.2).
  const target = raw.startsWith('/') ? raw : raw === '*' ? '/' : raw.replace(/^https?:\/\/[^/?#]*/i, '');
  const origin = target.startsWith('/') ? target : `/${target}`;
  const cut = origin.indexOf('?');
  const rawPath = cut < 0 ? origin : origin.slice(0, cut);
  const path = decodePath(rawPath);
  if (path === undefined) return undefined;
  return { path, query: cut < 0 ? '' : origin.slice(cut + 1) };
}

/** RFC 9112 section 3.2: exactly one Host field in HTTP/1.1, and it names a host. */
function hasOneValidHost(request: IncomingMessage): boolean {
  let host: string | undefined;
  // Node's own tables keep the first of several, or cost more than all the rest of the target.
  const { rawHeaders } = request;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length !== HOST.length || name.toLowerCase() !== HOST) continue;
    if (host !== undefined) return false;
    host = rawHeaders[at + 1];
  }
  if (host === undefined) return request.httpVersion === '1.0';
  return /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i.test(host);
}

function decodePath(rawPath: string): string | undefined {
  try {
    return withoutTrailingSlashes(rawPath.includes('%') ? decodeURIComponent(rawPath) : rawPath);
  } catch {
    return undefined;
  }
}

/** By hand: the pattern `/+$` takes quadratic time on slashes that are not at the end. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
