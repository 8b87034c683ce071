/** The one place that writes responses: conditional requests, HEAD, streams, and the queue in which responses leave. */
import { matchesEtag } from './request-headers.ts';
import type { HeaderList, PreparedResponse } from './http-result.ts';
import type { RequestContext, RequestObserver } from './request-context.ts';
import { endWithClient } from './stream-places.ts';

/** A client may take this long for a response of any length, and so much longer for each byte: 500 bytes a second. */
const TAKE_MS = 120_000;
const TAKE_BYTE_MS = 2;

/** A 304 has no content, and so neither type nor length. */
const OF_CONTENT: ReadonlySet<string> = new Set(['Content-Type', 'Content-Length']);

export type Send = (context: RequestContext, prepared: PreparedResponse) => void;

/** @param onFailure is called when a response cannot be written; its connection has been closed */
export function createSend(
  observer: RequestObserver | undefined,
  onFailure: (context: RequestContext, error: unknown) => void,
): Send {
  let queue: RequestContext[] = [];

  /**
   * Responses leave together, once a turn of the event loop. A write for each would wake the client's process each time:
   * it took 1.4 to 1.6 times the processor time.
   */
  const flush = (): void => {
    const leaving = queue;
    queue = [];
    for (const context of leaving) {
      try {
        write(context, observer);
      } catch (error) {
        context.response.destroy();
        onFailure(context, error);
      }
    }
  };

  return (context, prepared) => {
    if (context.prepared) return;
    context.prepared = prepared;
    // At once: the place of a stream may be another client's at the end of this turn.
    if (prepared.stream) return write(context, observer);
    if (queue.length === 0) setImmediate(flush);
    queue.push(context);
  };
}

function write(context: RequestContext, observer: RequestObserver | undefined): void {
  const { request, response, prepared, clientHeaders } = context;
  if (!prepared || response.headersSent || response.destroyed) return;
  const { status, etag, body, ageMs, stream } = prepared;
  const isUnchanged = status === 200 && etag !== undefined && matchesEtag(request, etag);
  const shared = isUnchanged ? withoutContent(prepared.headers) : prepared.headers;
  const age = ageMs === undefined ? [] : ['Age', String(Math.floor(ageMs / 1000))];
  const headers = [...clientHeaders, ...shared, ...age];
  response.writeHead(isUnchanged ? 304 : status, headers);
  observer?.onResponse(context, response.statusCode);
  if (request.method === 'HEAD' || isUnchanged) return void response.end();
  if (stream) {
    endWithClient(request, response);
    return stream(response);
  }
  response.end(body);
  if (response.writableLength > 0) limitTime(context, body.length);
}

function withoutContent(headers: HeaderList): HeaderList {
  return headers.filter((_, at) => !OF_CONTENT.has(headers[at - (at % 2)] as string));
}

/** A few bytes before each idle time-out would hold a connection, and the response in memory, for ever. */
function limitTime({ response }: RequestContext, bytes: number): void {
  const deadline = setTimeout(() => response.destroy(), TAKE_MS + bytes * TAKE_BYTE_MS).unref();
  response.once('close', () => clearTimeout(deadline));
}
