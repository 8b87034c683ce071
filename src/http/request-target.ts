/** The path, decoded once: rate limit, routes and pages must see the same one (`/api/%73cammers`). */
import type { IncomingMessage } from 'node:http';
import type { Endpoint } from './endpoint.ts';

export interface RequestTarget {
  /** Decoded but for `%2F`, which stays one character of a parameter; without trailing slashes; `/` for the root. */
  readonly path: string;
  /** Whether the path does not decode and stands here as it came. */
  readonly isMalformed: boolean;
  /** Raw, without the question mark. */
  readonly query: string;
}

/** @returns undefined for an invalid form of target or Host */
export function parseRequestTarget(request: IncomingMessage): RequestTarget | undefined {
  if (!hasOneValidHost(request)) return undefined;
  const raw = request.url ?? '';
  // Only OPTIONS may ask about the server as a whole (RFC 9112 section 3.2.4).
  if (raw === '*' && request.method !== 'OPTIONS') return undefined;
  // Absolute form is served by its path (RFC 9112 section 3.2.2).
  const target = raw.startsWith('/') ? raw : raw === '*' ? '/' : raw.replace(/^https?:\/\/[^/?#]*/i, '');
  const origin = target.startsWith('/') ? target : `/${target}`;
  const cut = origin.indexOf('?');
  const rawPath = cut < 0 ? origin : origin.slice(0, cut);
  const path = decodePath(rawPath);
  return {
    path: path ?? rawPath,
    isMalformed: path === undefined,
    query: cut < 0 ? '' : origin.slice(cut + 1),
  };
}

/** RFC 9112 section 3.2: exactly one valid host in HTTP/1.1. */
function hasOneValidHost(request: IncomingMessage): boolean {
  let host: string | undefined;
  // `headers` has only the first Host, and `headersDistinct` costs more than the rest of this file.
  const { rawHeaders } = request;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length !== 'host'.length || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return false;
    host = rawHeaders[at + 1];
  }
  if (host === undefined) return request.httpVersion === '1.0';
  return /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i.test(host);
}

function decodePath(rawPath: string): string | undefined {
  try {
    const path = rawPath.includes('%') ? decodeURIComponent(rawPath.replaceAll(/%2f/gi, '%252F')) : rawPath;
    // The pattern `/+$` takes quadratic time.
    let end = path.length;
    while (end > 1 && path[end - 1] === '/') end -= 1;
    return path.slice(0, end);
  } catch {
    return undefined;
  }
}

export interface RouteMatch {
  readonly endpoint: Endpoint;
  /** As declared, for example `/badge/{id}.svg`. */
  readonly route: string;
  readonly path: Readonly<Record<string, string>>;
}

export type MatchRoute = (path: string) => RouteMatch | undefined;

/** The first matching route wins: in a sorted list, a path without parameters comes first. */
export function createRoutes(
  endpoints: Readonly<Record<string, { readonly definition: Endpoint }>>,
): MatchRoute {
  const routes = Object.entries(endpoints).map(([route, { definition: endpoint }]) => {
    return { start: route.replace(/\{.*/, ''), expression: toExpression(route, endpoint), endpoint, route };
  });
  return (path) => {
    for (const { start, expression, endpoint, route } of routes) {
      // Every page passes all routes, and a comparison costs a tenth of an expression.
      const match = path.startsWith(start) && expression.exec(path);
      if (match) return { endpoint, route, path: { ...match.groups } };
    }
    return undefined;
  };
}

function toExpression(route: string, { isCatchAll }: Endpoint): RegExp {
  const parameter = isCatchAll ? '(?<$1>.+)' : '(?<$1>[^/]+)';
  return new RegExp(`^${route.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, parameter)}$`, 's');
}

/**
 * Error pages, Astro's own addresses, paths that Astro would decode or normalize again and so take past the rate limit of
 * an endpoint, and compressed variants of files.
 */
export const BLOCKED_PATH =
  /^\/(?:404|429|500|503)(?:\/index)?(?:\.html?)?$|^\/_(?!astro\/)|[%\\]|\/\/|\/\.{1,2}(?:\/|$)|\.(?:br|gz)$/;

/** For Astro, which refuses a malformed query. */
export function toUrl({ path, query }: Omit<RequestTarget, 'isMalformed'>): string {
  const url = encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');
  return query === '' ? url : `${url}?${new URLSearchParams(query)}`;
}
