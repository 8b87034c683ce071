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
  toErrorResult,
  toPrepared,
  type CacheName,
  type ErrorCode,
  type HttpResult,
} from './response.ts';
import type { LimitName } from './rate-limit.ts';
import type { KeptUntil } from './response-cache.ts';

/** Groups of operations, in the order of the documentation. */
export const TAGS = {
  check: { name: 'Sprawdzanie', description: 'Czy ktoś zgłosił tę osobę albo ten serwer.' },
  lists: { name: 'Listy', description: 'Zgłoszone osoby, zgłoszone serwery i osoby zaufane.' },
  mirror: { name: 'Własna kopia', description: 'Całe listy do pobrania i zmiany na nich.' },
  status: { name: 'Stan usług', description: 'Jak działa serwis i jego boty.' },
  rest: { name: 'Pozostałe', description: 'Awatary, wpłaty, kanały Atom i ten opis.' },
} as const;

interface JsonAnswer {
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
  readonly answer:
    JsonAnswer | { readonly description: string; readonly content: Readonly<Record<string, z.ZodType>> };
  readonly examples?: Readonly<Record<string, { readonly path: string; readonly value: unknown }>>;
  /** The body of a 503 that reports a state, not an error (/readyz). */
  readonly unready?: JsonAnswer;
  /** Beside those of every endpoint. */
  readonly errors?: readonly ErrorCode[];
}

export interface EndpointRequest {
  readonly query: QueryPairs;
  readonly path: Readonly<Record<string, string>>;
  readonly lastEventId: string | undefined;
}

/** The services that pages get as Astro.locals.services. */
type Services = App.Locals['services'];
type Handle<Input extends unknown[]> = (...input: Input) => HttpResult | Promise<HttpResult>;

export interface EndpointDescription<Query> {
  readonly operation: Operation;
  readonly rateLimit: LimitName;
  /** Cache-Control of a 200. */
  readonly caching: CacheName;
  /** It ends an answer in our own cache. Default: a change of the lists where `caching` has s-maxage, else `notKept`. */
  readonly keptUntil?: KeptUntil | ((query: Query) => KeptUntil);
  /** Slashes in its parameter get a 400, not a 404. */
  readonly isCatchAll?: boolean;
  readonly isStream?: boolean;
  /** Path of the page that shows the same to people. */
  readonly page?: string | ((query: Query) => string);
  /**
   * The first problem becomes a 400; default: no parameters.
   * @throws {ApiError}
   */
  readonly parse?: (request: EndpointRequest) => Parsed<Query>;
  /** Slow work ends when the requester's signal aborts. @throws {ApiError} @throws {OverloadedError} */
  readonly handle: Handle<[query: Query, services: Services, requester: Requester]>;
}

type Description = Required<EndpointDescription<never>>;
export interface Endpoint extends Pick<Description, 'operation' | 'rateLimit' | 'isCatchAll' | 'isStream'> {
  readonly hasPage: boolean;
  /** Whether an answer may come from our cache, or from one of those in front of us, and says how old it is. */
  readonly hasAge: boolean;
  /** Called once, when the routes are made. @returns a reader of requests @throws {ApiError} */
  readonly bind: (services: Services) => (request: EndpointRequest) => Question;
}

/** A request with valid parameters, which waits for its answer. */
export interface Question {
  /** Equal for requests with the same meaning. */
  readonly query: unknown;
  readonly keptUntil: KeptUntil;
  readonly answer: Handle<[requester: Requester]>;
}

const NO_PARAMETERS: Parsed<never> = { query: undefined as never, problems: [] };
/** nginx would buffer the events. */
const STREAM_HEADERS = [...API_HEADERS, 'X-Accel-Buffering', 'no'];

function linkTo(page: string): readonly string[] {
  return [...API_HEADERS, 'Link', `<${page}>; rel="alternate"; type="text/html"`];
}

export type EndpointRoute = APIRoute & { readonly definition: Endpoint };

export function endpoint<Query>(description: EndpointDescription<Query>): EndpointRoute {
  const { operation, rateLimit, isCatchAll = false, isStream = false, page } = description;
  const cacheControl = CACHE_CONTROL[description.caching];
  const isShared = cacheControl.includes('s-maxage');
  const { keptUntil = isShared ? 'listChange' : 'notKept' } = description;
  const link = typeof page === 'string' ? linkTo(page) : [];
  const facts = isShared ? { cacheControl, ageMs: 0 } : { cacheControl };
  const addHeaders = (query: Query, result: HttpResult): HttpResult => ({
    ...facts,
    ...result,
    ...(page !== undefined && { headers: typeof page === 'function' ? linkTo(page(query)) : link }),
    ...(result.stream ? { headers: STREAM_HEADERS } : { etag: result.etag ?? strongEtag(result.body) }),
  });
  const definition: Endpoint = {
    operation,
    rateLimit,
    isCatchAll,
    isStream,
    hasPage: page !== undefined,
    hasAge: isShared || keptUntil !== 'notKept',
    bind: (services) => (request) => {
      const { query, problems } = description.parse?.(request) ?? NO_PARAMETERS;
      const [problem] = problems;
      if (problem) {
        const { isHeader, parameter, allowed } = problem;
        throw new ApiError(isHeader ? 'invalid_header' : 'invalid_parameter', { parameter, allowed });
      }
      return {
        query,
        keptUntil: typeof keptUntil === 'function' ? keptUntil(query) : keptUntil,
        answer(requester) {
          const result = description.handle(query, services, requester);
          return result instanceof Promise
            ? result.then((settled) => addHeaders(query, settled))
            : addHeaders(query, result);
        },
      };
    },
  };
  return Object.assign(toAstroRoute(definition), { definition });
}

/** Without rate limits, because Astro does not know the client's address. */
function toAstroRoute({ bind }: Endpoint): APIRoute {
  return async ({ url, params, request, locals }) => {
    const ask = async (): Promise<HttpResult> => {
      const lastEventId = request.headers.get('last-event-id') ?? undefined;
      const path = params as Record<string, string>;
      const question = bind(locals.services)({ query: url.searchParams, path, lastEventId });
      return question.answer({ client: '', signal: request.signal });
    };
    const result = await ask().catch((error: unknown) => {
      const refused = toErrorResult(error);
      if (!refused) throw error;
      return refused;
    });
    const { status, headers: list, body, stream } = toPrepared(result);
    const headers = new Headers();
    for (let at = 0; at < list.length; at += 2) headers.append(list[at] as string, list[at + 1] as string);
    const pipe = new PassThrough();
    stream?.(pipe);
    return new Response((stream ? Readable.toWeb(pipe) : body) as BodyInit, { status, headers });
  };
}

export interface RouteMatch {
  readonly endpoint: Endpoint;
  readonly read: ReturnType<Endpoint['bind']>;
  /** As declared, for example `/badge/{id}.svg`. */
  readonly route: string;
  readonly path: Readonly<Record<string, string>>;
}

export type MatchRoute = (path: string) => RouteMatch | undefined;

/** The first matching route wins: in a sorted list, a path without parameters comes first. */
export function createRoutes(endpoints: Readonly<Record<string, Endpoint>>, services: Services): MatchRoute {
  const routes = Object.entries(endpoints).map(([route, endpoint]) => {
    const found = { endpoint, read: endpoint.bind(services), route };
    return { start: route.replace(/\{.*/, ''), expression: toExpression(route, endpoint), found };
  });
  return (path) => {
    for (const { start, expression, found } of routes) {
      // Every page passes all routes, and a comparison costs a tenth of an expression.
      const match = path.startsWith(start) && expression.exec(path);
      if (match) return { ...found, path: { ...match.groups } };
    }
    return undefined;
  };
}

function toExpression(route: string, { isCatchAll }: Endpoint): RegExp {
  const parameter = isCatchAll ? '(?<$1>.+)' : '(?<$1>[^/]+)';
  return new RegExp(`^${route.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, parameter)}$`, 's');
}
