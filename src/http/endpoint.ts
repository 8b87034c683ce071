/**
 * `endpoint()` makes every file in src/pages/api: one description of an endpoint, served through two doors. The
 * front door (src/http/front-door.ts) calls `answer` straight from node:http; Astro's router calls the route handlers.
 * Limits, caching and errors are the description's, so both doors say the same.
 */
import { PassThrough, Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import type { APIRoute } from 'astro';
import type { Parsed, QueryPairs } from '../text/read-query.ts';
import { OverloadedError } from '../turns/overloaded-error.ts';
import { createTypeChoice } from './accept.ts';
import { API_HEADERS, JSON_TYPE, METHODS_ALLOWED, PREFLIGHT_HEADERS } from './api-headers.ts';
import { Waiters } from './waiters.ts';
import type { Encoding } from './content-encoding.ts';
import { ApiError, errorBody, errorStatus } from './errors.ts';
import { strongEtag } from './etag.ts';
import type { Operation } from './operation.ts';
import type { RateLimit } from './rate-limit.ts';

export interface EndpointRequest {
  readonly query: QueryPairs;
  /** Named segments of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** What the client has heard of a stream of events, when it comes back to it. */
  readonly lastEventId: string | undefined;
  /** The one of the description's `offers` that the client gets; '' where there are none. */
  readonly type: string;
}

export interface Reply {
  /** 200 unless it says otherwise. */
  readonly status?: 200 | 503;
  readonly body: string | Uint8Array;
  readonly contentType: string;
  /** Where something cheaper than a hash of the body is known; it differs whenever the body does. */
  readonly etag?: string;
  /** Compressed forms that are there already; for answers that the shared cache does not keep. */
  readonly form?: FindForm;
  /** Instead of the description's Cache-Control. */
  readonly cache?: string;
  /** How old the content was when the reply was made; 0 unless it says otherwise. */
  readonly ageMs?: number;
  /** Up to which age the shared cache keeps it; else Cache-Control tells. */
  readonly keptSeconds?: number;
  /** Instead of the body: server-sent events, written for as long as the client listens. */
  readonly stream?: StartStream;
}

export type StartStream = (client: Writable) => void;

/** Undefined when there is no such form. */
export type FindForm = (encoding: Exclude<Encoding, 'identity'>) => Promise<Uint8Array | undefined>;

export interface EndpointDescription<Query, Services> {
  /** What the documentation says of it. */
  readonly operation: Operation;
  readonly limit: RateLimit | undefined;
  /** Value of Cache-Control on a 200. */
  readonly cache: string;
  /**
   * Which answers go through the shared cache: without it, all whose Cache-Control has s-maxage. What costs less to make
   * than to keep does not.
   */
  readonly isCached?: (query: Query) => boolean;
  /** As of `Endpoint`. */
  readonly takesRest?: boolean;
  /** Replies bring compressed forms of their own. */
  readonly hasForms?: boolean;
  /** Replies are streams of events. */
  readonly isStream?: boolean;
  /** Media types that an answer comes in, the best first; the last is for clients that take none of them. */
  readonly offers?: readonly [string, ...string[]];
  /** The first problem becomes the 400 that names its parameter. */
  readonly parse: (request: EndpointRequest) => Parsed<Query>;
  /**
   * @param waiters those who wait; work that takes its time ends when they are gone
   * @throws {ApiError} for answers other than 200
   * @throws {OverloadedError} for a 503 that says when to come back
   */
  readonly handle: (query: Query, services: Services, waiters: Waiters) => Reply | Promise<Reply>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly form?: FindForm;
  /** How old the content was when the answer was made. */
  readonly ageMs?: number;
  readonly keptSeconds?: number;
  readonly stream?: StartStream;
}

/** Told of errors that are ours: the client only learns the fixed sentence. */
export type ReportError = (error: unknown) => void;

/** A request that was understood. */
export interface Question {
  /**
   * The same for requests that ask the same: defaults are filled in, unknown parameters are gone. Undefined when the
   * answer does not go through the shared cache.
   */
  readonly key: string | undefined;
  answer(services: unknown, report: ReportError, waiters: Waiters): Answer | Promise<Answer>;
}

export interface Endpoint {
  readonly operation: Operation;
  readonly limit: RateLimit | undefined;
  /** Whether the shared cache may keep some of its answers. */
  readonly isCacheable: boolean;
  /** Its path parameter also gets what has slashes, which it refuses as a bad value rather than as an unknown path. */
  readonly takesRest?: boolean;
  /** As of `EndpointDescription`. */
  readonly hasForms: boolean;
  readonly isStream: boolean;
  /** By Accept, among the `offers`. */
  readonly chooseType: (accept: string | undefined) => string;
  /** A question, or at once the refusal of what is wrong with the parameters. */
  read(request: EndpointRequest): Question | Answer;
}

export interface EndpointModule {
  readonly definition: Endpoint;
  readonly prerender: false;
  readonly GET: APIRoute;
  readonly HEAD: APIRoute;
  readonly OPTIONS: APIRoute;
  readonly ALL: APIRoute;
}

export function json(value: unknown): Reply {
  return { body: JSON.stringify(value), contentType: JSON_TYPE };
}

/** What is JSON already, in UTF-8. */
export function jsonText(body: Uint8Array | string): Reply {
  return { body, contentType: JSON_TYPE };
}

export function endpoint<Query, Services>(description: EndpointDescription<Query, Services>): EndpointModule {
  const isCacheable = description.isCached !== undefined || description.cache.includes('s-maxage');
  const isCached = description.isCached ?? (() => isCacheable);
  const definition: Endpoint = {
    operation: description.operation,
    limit: description.limit,
    isCacheable,
    takesRest: description.takesRest ?? false,
    hasForms: description.hasForms ?? false,
    isStream: description.isStream ?? false,
    chooseType: description.offers ? createTypeChoice(description.offers) : () => '',
    read(request) {
      try {
        const { query, problems } = description.parse(request);
        const [problem] = problems;
        if (problem) {
          const { isHeader, parameter, allowed } = problem;
          throw new ApiError(isHeader ? 'invalid_header' : 'invalid_parameter', { parameter, allowed });
        }
        return {
          key: isCached(query) ? (JSON.stringify(query) ?? '') : undefined,
          answer: (services, report, waiters) =>
            answerQuery(description, query, services as Services, report, waiters),
        };
      } catch (error) {
        if (error instanceof ApiError) return errorAnswer(error.code, error.values);
        throw error;
      }
    },
  };
  return { definition, prerender: false, ...astroRoutes(definition) };
}

function answerQuery<Query, Services>(
  { handle, cache, offers }: EndpointDescription<Query, Services>,
  query: Query,
  services: Services,
  report: ReportError,
  waiters: Waiters,
): Answer | Promise<Answer> {
  const refuse = (error: unknown): Answer => {
    if (error instanceof ApiError) return errorAnswer(error.code, error.values);
    if (error instanceof OverloadedError) return errorAnswer('overloaded', { seconds: error.seconds });
    // What was broken off because nobody waits any more has not failed.
    if (!waiters.isGone) report(error);
    return errorAnswer('internal');
  };
  try {
    const reply = handle(query, services, waiters);
    return reply instanceof Promise
      ? reply.then((settled) => replyAnswer(settled, cache, offers !== undefined)).catch(refuse)
      : replyAnswer(reply, cache, offers !== undefined);
  } catch (error) {
    return refuse(error);
  }
}

/** An error in the one form, with the headers that every error has. */
export function errorAnswer(
  code: ConstructorParameters<typeof ApiError>[0],
  values?: Readonly<Record<string, string | number>>,
): Answer {
  const status = errorStatus(code);
  return {
    status,
    headers: {
      ...API_HEADERS,
      'Content-Type': JSON_TYPE,
      'Cache-Control': 'no-store',
      ...(status === 405 ? { Allow: METHODS_ALLOWED } : {}),
      ...(status === 503 ? { 'Retry-After': String(values?.seconds) } : {}),
    },
    body: errorBody(code, values),
  };
}

function replyAnswer(reply: Reply, cache: string, isByType: boolean): Answer {
  return {
    status: reply.status ?? 200,
    headers: {
      ...API_HEADERS,
      'Content-Type': reply.contentType,
      'Cache-Control': reply.cache ?? cache,
      // nginx would collect the events otherwise.
      ...(reply.stream ? { 'X-Accel-Buffering': 'no' } : { ETag: reply.etag ?? strongEtag(reply.body) }),
      ...(isByType ? { Vary: 'Accept, Accept-Encoding' } : reply.form && { Vary: 'Accept-Encoding' }),
    },
    body: reply.body,
    ...(reply.form && { form: reply.form }),
    ...(reply.stream && { stream: reply.stream }),
    ...(reply.ageMs === undefined ? {} : { ageMs: reply.ageMs }),
    ...(reply.keptSeconds === undefined ? {} : { keptSeconds: reply.keptSeconds }),
  };
}

/** Astro's door. It limits nothing: only the front door knows the client's address. */
function astroRoutes(definition: Endpoint): Pick<EndpointModule, 'GET' | 'HEAD' | 'OPTIONS' | 'ALL'> {
  const toResponse = ({ status, headers, body, stream }: Answer, withBody = true): Response =>
    new Response(withBody ? (stream ? readStream(stream) : (body as BodyInit)) : null, { status, headers });
  const answer: (context: Parameters<APIRoute>[0]) => Promise<Answer> = async ({
    url,
    params,
    request,
    locals,
    routePattern,
  }) => {
    const read = definition.read({
      query: url.searchParams,
      path: params as Record<string, string>,
      lastEventId: request.headers.get('last-event-id') ?? undefined,
      type: definition.chooseType(request.headers.get('accept') ?? undefined),
    });
    if (!('answer' in read)) return read;
    const report = (error: unknown): void =>
      locals.services.log.error({ err: error, route: routePattern }, 'endpoint failed');
    return read.answer(locals.services, report, Waiters.lasting());
  };
  return {
    GET: async (context) => toResponse(await answer(context)),
    HEAD: async (context) => toResponse(await answer(context), false),
    OPTIONS: () => new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }),
    ALL: () => toResponse(errorAnswer('method_not_allowed')),
  };
}

function readStream(start: StartStream): BodyInit {
  const pipe = new PassThrough();
  start(pipe);
  return Readable.toWeb(pipe) as BodyInit;
}
