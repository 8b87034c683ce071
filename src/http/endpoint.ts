/** Files in src/pages export `endpoint()` as `GET`: a route of Astro, which the request handler serves itself. */
import { PassThrough, Readable } from 'node:stream';
import type { APIRoute } from 'astro';
import type { z } from 'zod';
import type { Parsed, QueryPairs } from '../text/read-query.ts';
import type { Requester } from '../queues/fair-queue.ts';
import {
  API_HEADERS,
  ApiError,
  CACHE_CONTROL,
  strongEtag,
  findErrorResult,
  prepareResponse,
  type CacheControlName,
  type CachedUntil,
  type ErrorCode,
  type HttpResult,
  type PendingResult,
} from './response.ts';
import type { LimitName } from './rate-limit.ts';

/** Groups of operations, in the order of the documentation. */
export const TAGS = {
  check: { name: 'Sprawdzanie', description: 'Czy ktoś zgłosił tę osobę albo ten serwer.' },
  lists: { name: 'Listy', description: 'Zgłoszone osoby, zgłoszone serwery i osoby zaufane.' },
  mirror: { name: 'Własna kopia', description: 'Całe listy do pobrania i zmiany na nich.' },
  status: { name: 'Stan usług', description: 'Jak działa serwis i jego boty.' },
  rest: { name: 'Pozostałe', description: 'Awatary, wpłaty, kanały Atom i ten opis.' },
} as const;

interface JsonResponse {
  readonly description: string;
  readonly schema: z.ZodType;
}

/** The documentation of an endpoint, in Polish, for `/openapi.json` and `/docs`. */
export interface Operation {
  /** Generated clients name their method by it. */
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  readonly query?: z.ZodObject;
  readonly path?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** JSON, or content by media type. */
  readonly response:
    JsonResponse | { readonly description: string; readonly content: Readonly<Record<string, z.ZodType>> };
  readonly examples?: Readonly<Record<string, { readonly path: string; readonly value: unknown }>>;
  /** The body of a 503 that reports a state, not an error (/readyz). */
  readonly unready?: JsonResponse;
  /** Beside those of every endpoint. */
  readonly errors?: readonly ErrorCode[];
}

interface EndpointRequest {
  readonly query: QueryPairs;
  readonly path: Readonly<Record<string, string>>;
  readonly lastEventId: string | undefined;
}

/** The services that pages get as Astro.locals.services. */
type Services = App.Locals['services'];

interface EndpointDescription<Query> {
  readonly operation: Operation;
  readonly rateLimit: LimitName;
  /** The header Cache-Control of a 200, for the caches of others. */
  readonly cacheControl: CacheControlName;
  /** Default for our own cache: a change of the lists where `cacheControl` has s-maxage, else `notCached`. */
  readonly cachedHereUntil?: (query: Query) => CachedUntil;
  /** Slashes in its parameter get a 400, not a 404. */
  readonly isCatchAll?: boolean;
  readonly isStream?: boolean;
  /** Path of the page that shows the same to people. */
  readonly page?: (query: Query) => string;
  /**
   * The first problem becomes a 400; default: no parameters.
   * @throws {ApiError}
   */
  readonly parse?: (request: EndpointRequest) => Parsed<Query>;
  /** Slow work ends when the requester's signal aborts. @throws {ApiError} @throws {OverloadedError} */
  readonly handle: (query: Query, services: Services, requester: Requester) => PendingResult;
}

/** The request handler calls `parseOrThrow`, `cachedHereUntil` and `respond`, in this order. */
export interface Endpoint<Query = unknown> extends Pick<
  EndpointDescription<Query>,
  'operation' | 'rateLimit' | 'isCatchAll' | 'isStream'
> {
  readonly hasPage: boolean;
  /** Whether an answer may come from our cache, or from one of those in front of us, and says how old it is. */
  readonly hasAge: boolean;
  /** @returns equal values for requests with the same meaning @throws {ApiError} */
  parseOrThrow(request: EndpointRequest): Query;
  cachedHereUntil(query: Query): CachedUntil;
  /** @throws {ApiError} @throws {OverloadedError} */
  respond(query: Query, services: Services, requester: Requester): PendingResult;
}

/** Keys are declared paths, for example `/badge/{id}.svg`. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

const NO_PARAMETERS: Parsed<never> = { query: undefined as never, problems: [] };
/** nginx would buffer the events. */
const STREAM_HEADERS = [...API_HEADERS, 'X-Accel-Buffering', 'no'];

export type EndpointRoute = APIRoute & { readonly definition: Endpoint };

export function endpoint<Query>(description: EndpointDescription<Query>): EndpointRoute {
  const { page, handle } = description;
  const cacheControl = CACHE_CONTROL[description.cacheControl];
  const isForSharedCaches = cacheControl.includes('s-maxage');
  const defaults = isForSharedCaches ? { cacheControl, ageMs: 0 } : { cacheControl };
  const addHeaders = (query: Query, result: HttpResult): HttpResult => ({
    ...defaults,
    ...result,
    ...(page && { headers: [...API_HEADERS, 'Link', `<${page(query)}>; rel="alternate"; type="text/html"`] }),
    ...(result.stream ? { headers: STREAM_HEADERS } : { etag: result.etag ?? strongEtag(result.body) }),
  });
  const definition: Endpoint<Query> = {
    ...description,
    hasPage: page !== undefined,
    hasAge: isForSharedCaches,
    parseOrThrow(request) {
      const { query, problems } = description.parse?.(request) ?? NO_PARAMETERS;
      const [problem] = problems;
      if (!problem) return query;
      const { isHeader, parameter, allowed } = problem;
      throw new ApiError(isHeader ? 'invalid_header' : 'invalid_parameter', { parameter, allowed });
    },
    cachedHereUntil: description.cachedHereUntil ?? (() => (isForSharedCaches ? 'listChange' : 'notCached')),
    respond(query, services, requester) {
      const result = handle(query, services, requester);
      return result instanceof Promise
        ? result.then((settled) => addHeaders(query, settled))
        : addHeaders(query, result);
    },
  };
  return Object.assign(toAstroRoute(definition), { definition });
}

/** Without rate limits, because Astro does not know the client's address. */
function toAstroRoute<Query>(endpoint: Endpoint<Query>): APIRoute {
  return async ({ url, params, request, locals }) => {
    const ask = async (): Promise<HttpResult> => {
      const lastEventId = request.headers.get('last-event-id') ?? undefined;
      const path = params as Record<string, string>;
      const query = endpoint.parseOrThrow({ query: url.searchParams, path, lastEventId });
      return endpoint.respond(query, locals.services, { client: '', signal: request.signal });
    };
    const result = await ask().catch((error: unknown) => {
      const expected = findErrorResult(error);
      if (!expected) throw error;
      return expected;
    });
    const { status, headers: list, body, stream } = prepareResponse(result);
    const headers = new Headers();
    for (let at = 0; at < list.length; at += 2) headers.append(list[at] as string, list[at + 1] as string);
    const pipe = new PassThrough();
    stream?.(pipe);
    return new Response((stream ? Readable.toWeb(pipe) : body) as BodyInit, { status, headers });
  };
}

export interface RouteMatch {
  readonly endpoint: Endpoint;
  /** As declared, for example `/badge/{id}.svg`. */
  readonly route: string;
  readonly path: Readonly<Record<string, string>>;
}

export type MatchRoute = (path: string) => RouteMatch | undefined;

/** The first matching route wins: in a sorted list, a path without parameters comes first. */
export function createRouter(endpoints: Endpoints): MatchRoute {
  const routes = Object.entries(endpoints).map(([route, endpoint]) => {
    return { route, endpoint, start: route.replace(/\{.*/, ''), expression: toExpression(route, endpoint) };
  });
  return (path) => {
    for (const { route, endpoint, start, expression } of routes) {
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
