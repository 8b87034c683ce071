/** A request on its way through the front door, and what the door works with. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../log.ts';
import type { Gate } from '../../turns/gate.ts';
import type { BatchedResponses } from '../batched-responses.ts';
import type { ClientAddressOf } from '../client-address.ts';
import type { Encoding } from '../content-encoding.ts';
import type { ErrorPages } from '../error-pages.ts';
import type { EventStreams } from '../event-streams.ts';
import type { PageView } from '../page-view.ts';
import type { RateLimit, RateLimiter } from '../rate-limit.ts';
import type { RenderPage } from '../rendered-page.ts';
import type { RequestMeter } from '../request-meter.ts';
import type { MatchRoute } from '../routes.ts';
import type { SharedCache } from '../shared-cache.ts';

export interface FrontDoor {
  readonly matchRoute: MatchRoute;
  /** Handed to endpoints and, as Astro.locals.services, to pages. */
  readonly services: object;
  readonly limiter: RateLimiter;
  readonly cache: SharedCache;
  readonly chooseEncoding: (request: IncomingMessage) => Encoding;
  /** By path of a page, the parameters that it reads. */
  readonly pageParameters: Readonly<Record<string, readonly string[]>>;
  /** The rate limit of a page, or of a picture that is served as one, by its path. */
  readonly pageLimitOf: (path: string) => RateLimit;
  readonly clientAddressOf: ClientAddressOf;
  /** Told of every page that somebody opens, whether it is made now or found in the cache. */
  readonly onPageView: (view: PageView) => void;
  /** Built files of the site; calls next when it has none for the path. */
  readonly serveStatic: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  /** The built file that is sent at an address of before; undefined for every other path. */
  readonly fileInPlaceOf: (path: string) => string | undefined;
  /** Value of Link on `/api` itself: where the interface is described. */
  readonly descriptionLink: string;
  /** What the server-sent events under a path are about; undefined for every other path. */
  readonly topicOf: (path: string) => string | undefined;
  readonly events: EventStreams;
  readonly renderPage: RenderPage;
  /** Names and values in turn; by default those of page-headers.ts. */
  readonly pageHeaders?: readonly string[] | undefined;
  /** Of those who ask for pages that have to be rendered, by their address. */
  readonly pageTurns: Gate;
  readonly errorPages: ErrorPages;
  /** Undefined: nobody wants to know. */
  readonly meter?: RequestMeter | undefined;
  readonly log: Log;
}

/** A request on its way to its answer. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /**
   * Headers of this client, beside the answer's, which may be everybody's: names and values in turn. Handed to
   * writeHead with the others: Node checks and stores what setHeader gets one by one, which costs more than everything
   * else here.
   */
  own: readonly string[];
  /** What it is answered with, once that is known. */
  parting: Parting | undefined;
  /** What was asked for, as the meter names it: the path of an endpoint or a list page, or what kind of thing it was. */
  route: string;
  /** By the meter's clock. */
  readonly begunAt: number;
  readonly post: BatchedResponses<Visit>;
}

export interface Parting {
  readonly status: number;
  readonly head: string[];
  readonly body: string | Uint8Array | undefined;
}

/** Everything under /api, and the endpoints that live elsewhere, such as badges and feeds. */
export function isApi(door: FrontDoor, path: string): boolean {
  return path === '/api' || path.startsWith('/api/') || door.matchRoute(path) !== undefined;
}

export function isRead(request: IncomingMessage): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}
