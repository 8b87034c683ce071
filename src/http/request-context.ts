/** A request and its response, and the one way in which responses are sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Requester } from '../queues/fair-queue.ts';
import { matchesEtag, type HeaderList, type PreparedResponse } from './http-result.ts';

const NO_HEADERS: HeaderList = [];
const NEVER_ABORTED = new AbortController().signal;

export class RequestContext implements Requester {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: string;
  readonly askedAt = performance.now();
  /** No cache may keep these. */
  clientHeaders: HeaderList = NO_HEADERS;
  /** A declared path, `page` or `file`: never text from the client. */
  route = 'none';
  isPage = false;
  prepared: PreparedResponse | undefined;
  #controller: AbortController | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, client: string) {
    this.request = request;
    this.response = response;
    this.client = client;
  }

  /** Created on demand, because few answers take long. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController();
      const { response } = this;
      response.once('close', () => response.writableFinished || controller.abort());
      if (response.closed) controller.abort();
      this.#controller = controller;
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#controller?.signal.aborted === true;
  }

  /** For work that goes into the cache, which continues when the client disconnects. */
  get uncancellable(): Requester {
    return { client: this.client, askedAt: this.askedAt, signal: NEVER_ABORTED };
  }
}

/** Called after the head was sent. */
export type ResponseObserver = (context: RequestContext, status: number) => void;

/** 500 bytes a second. */
const RECEIVE_MS = 120_000;
const RECEIVE_BYTE_MS = 2;

const CONTENT_HEADERS: ReadonlySet<string> = new Set(['Content-Type', 'Content-Length']);

/** Nothing else writes responses. @param onFailure is called after the connection was closed */
export function createSend(
  observers: readonly ResponseObserver[],
  onFailure: (context: RequestContext, error: unknown) => void,
  now: () => number,
): (context: RequestContext, prepared: PreparedResponse) => void {
  let queue: RequestContext[] = [];

  /** One write each took 1.4 to 1.6 times the processor time of all responses of an event loop's turn together. */
  const flush = (): void => {
    const batch = queue;
    queue = [];
    for (const context of batch) {
      try {
        write(context, observers, now);
      } catch (error) {
        context.response.destroy();
        onFailure(context, error);
      }
    }
  };

  return (context, prepared) => {
    if (context.prepared) return;
    context.prepared = prepared;
    // Another client could take its slot before the end of this turn.
    if (prepared.stream) return write(context, observers, now);
    if (queue.length === 0) setImmediate(flush);
    queue.push(context);
  };
}

function write(context: RequestContext, observers: readonly ResponseObserver[], now: () => number): void {
  const { request, response, prepared, clientHeaders } = context;
  if (!prepared || response.headersSent || response.destroyed) return;
  const { status, headers, etag, body, madeAt, stream } = prepared;
  const isUnchanged = status === 200 && etag !== undefined && matchesEtag(request, etag);
  const isOfContent = (at: number): boolean => CONTENT_HEADERS.has(headers[at - (at % 2)] as string);
  const shared = isUnchanged ? headers.filter((_, at) => !isOfContent(at)) : headers;
  const age = madeAt === undefined ? [] : ['Age', String(Math.floor((now() - madeAt) / 1000))];
  response.writeHead(isUnchanged ? 304 : status, [...clientHeaders, ...shared, ...age]);
  for (const observe of observers) observe(context, response.statusCode);
  if (request.method === 'HEAD' || isUnchanged) return void response.end();
  if (stream) {
    // No client reads events over half a connection.
    request.socket.once('end', () => response.end());
    return stream(response);
  }
  response.end(body);
  if (response.writableLength > 0) limitTime(context, body.length);
}

/** Ends a client that reads a few bytes before each idle time-out. */
function limitTime({ response }: RequestContext, bytes: number): void {
  const deadline = setTimeout(() => response.destroy(), RECEIVE_MS + bytes * RECEIVE_BYTE_MS).unref();
  response.once('close', () => clearTimeout(deadline));
}
