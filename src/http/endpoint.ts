/**
 * `endpoint()` makes every file in src/pages/api: one description of an endpoint and one export, `ALL`. The request handler
 * (request-handler.ts) serves it straight from node:http; for Astro's router it is an ordinary route. Limits, caching and
 * errors are the description's, so that both say the same.
 */
import { PassThrough, Readable } from 'node:stream';
import type { APIRoute } from 'astro';
import type { Parsed, QueryPairs } from '../text/read-query.ts';
import type { Requester } from '../turns/fair-queue.ts';
import { API_HEADERS, PREFLIGHT_HEADERS } from './response-headers.ts';
import { ApiError } from './errors.ts';
import { errorResult, prepare, strongEtag, toErrorResult } from './http-result.ts';
import type { HttpResult } from './http-result.ts';
import type { Operation } from './operation.ts';
import type { RateLimit } from './rate-limit.ts';
import type { DataDependency } from './response-cache.ts';

export interface EndpointRequest {
  readonly query: QueryPairs;
  /** Named segments of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The last event of a stream that the client has received, when it comes back. */
  readonly lastEventId: string | undefined;
}

export interface EndpointDescription<Query, Services> {
  /** Its part of the documentation. */
  readonly operation: Operation;
  readonly limit: RateLimit | undefined;
  /** Cache-Control of a 200. */
  readonly cache: string;
  /** The data whose changes make its cached answers outdated; the lists unless it says otherwise. */
  readonly dependsOn?: DataDependency | ((query: Query) => DataDependency);
  /** Its path parameter also gets what has slashes, which it refuses as a bad value rather than as an unknown path. */
  readonly takesRest?: boolean;
  /** Its results are streams of events. */
  readonly isStream?: boolean;
  /**
   * The first problem becomes the 400 that names its parameter.
   * @throws {ApiError} for answers other than 200
   */
  readonly parse: (request: EndpointRequest) => Parsed<Query>;
  /**
   * Which answers go through the response cache: without it, all whose Cache-Control has s-maxage. What costs less to make
   * than to keep does not.
   */
  readonly isCached?: (query: Query) => boolean;
  /**
   * @param requester the client; work that takes its time ends when the signal is aborted
   * @throws {ApiError} for answers other than 200
   * @throws {OverloadedError} for a 503 that says when to come back
   */
  readonly handle: (
    query: Query,
    services: Services,
    requester: Requester,
  ) => HttpResult | Promise<HttpResult>;
}

/** A request that was understood. */
export interface ParsedRequest {
  /**
   * The same for requests that ask the same: defaults are filled in, unknown parameters are gone. Undefined when the
   * answer does not go through the response cache.
   */
  readonly cacheKey: string | undefined;
  readonly dependency: DataDependency;
  /** Throws as the description's `handle` does. */
  readonly handle: (services: unknown, requester: Requester) => HttpResult | Promise<HttpResult>;
}

export interface Endpoint {
  readonly operation: Operation;
  readonly limit: RateLimit | undefined;
  /** Whether the response cache may keep some of its answers. */
  readonly isCacheable: boolean;
  readonly takesRest: boolean;
  readonly isStream: boolean;
  /** @throws {ApiError} for what is wrong with the parameters */
  readonly parse: (request: EndpointRequest) => ParsedRequest;
}

/** nginx would collect the events otherwise. */
const STREAM_HEADERS = [...Object.entries(API_HEADERS).flat(), 'X-Accel-Buffering', 'no'];

/** The export `ALL` of an endpoint's file. */
export type EndpointRoute = APIRoute & { readonly definition: Endpoint };

export function endpoint<Query, Services>(description: EndpointDescription<Query, Services>): EndpointRoute {
  const { cache, operation, limit, dependsOn = 'lists' } = description;
  const isCacheable = description.isCached !== undefined || cache.includes('s-maxage');
  const isCached = description.isCached ?? (() => isCacheable);
  const complete = (result: HttpResult): HttpResult => ({
    cache,
    ...result,
    ...(result.stream ? { headers: STREAM_HEADERS } : { etag: result.etag ?? strongEtag(result.body) }),
  });
  const definition: Endpoint = {
    operation,
    limit,
    isCacheable,
    takesRest: description.takesRest ?? false,
    isStream: description.isStream ?? false,
    parse(request) {
      const { query, problems } = description.parse(request);
      const [problem] = problems;
      if (problem) {
        const { isHeader, parameter, allowed } = problem;
        throw new ApiError(isHeader ? 'invalid_header' : 'invalid_parameter', { parameter, allowed });
      }
      return {
        cacheKey: isCached(query) ? (JSON.stringify(query) ?? '') : undefined,
        dependency: typeof dependsOn === 'function' ? dependsOn(query) : dependsOn,
        handle(services, requester) {
          const result = description.handle(query, services as Services, requester);
          return result instanceof Promise ? result.then(complete) : complete(result);
        },
      };
    },
  };
  return Object.assign(toAstroRoute(definition), { definition });
}

/** The route limits nothing and caches nothing: only the request handler knows the client's address. */
function toAstroRoute(definition: Endpoint): APIRoute {
  return async ({ url, params, request, locals, routePattern }) => {
    const { method, headers } = request;
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers: PREFLIGHT_HEADERS });
    if (method !== 'GET' && method !== 'HEAD') return toResponse(errorResult('method_not_allowed'));
    try {
      const parsed = definition.parse({
        query: url.searchParams,
        path: params as Record<string, string>,
        lastEventId: headers.get('last-event-id') ?? undefined,
      });
      const requester: Requester = { client: '', signal: request.signal };
      return toResponse(await parsed.handle(locals.services, requester), method === 'GET');
    } catch (error) {
      const result = toErrorResult(error);
      if (!result) locals.services.log.error({ err: error, route: routePattern }, 'endpoint failed');
      return toResponse(result ?? errorResult('internal'));
    }
  };
}

function toResponse(result: HttpResult, withBody = true): Response {
  const { status, headers: list, body, stream } = prepare(result);
  const headers = new Headers();
  for (let at = 0; at < list.length; at += 2) headers.append(list[at] as string, list[at + 1] as string);
  const pipe = new PassThrough();
  stream?.(pipe);
  const content = stream ? Readable.toWeb(pipe) : body;
  return new Response(withBody ? (content as BodyInit) : null, { status, headers });
}
