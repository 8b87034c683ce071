/**
 * One HTTP exchange with somebody who may hang, lie or flood us: a deadline over all of it, a limit on the body, a
 * check of status and content type, redirects at most inside the same host. Over node:http, which gives Unix sockets
 * and one deadline for connecting, headers and body in a page of code; the fetch of Node itself has no sockets, follows
 * redirects to anywhere or nowhere, and unpacks compressed bodies without a bound.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { performance } from 'node:perf_hooks';
import { OutboundError } from './outbound-error.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface OutboundRequest {
  /** http or https. With `socketPath` only path and query count, for example `http://docker/containers/x/json`. */
  readonly url: string;
  /** Unix socket to connect to instead of the host of `url`. */
  readonly socketPath?: string | undefined;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything: looking up the name, connecting, redirects, headers and the last byte of the body. */
  readonly deadlineMs: number;
  readonly bodyMaxBytes: number;
  /** Media types without parameters, for example `application/json`; any when absent. */
  readonly contentTypes?: readonly string[];
  /** Statuses that are an answer; default: 200 to 299. A redirect that is accepted here is not followed. */
  readonly acceptStatus?: (status: number) => boolean;
  /** Ends the exchange early. */
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Media type without parameters, lower case; empty when there is none. */
  readonly contentType: string;
  readonly body: Buffer;
  /** From the first step to the last byte, milliseconds. */
  readonly latencyMs: number;
}

/** Connections that are kept between exchanges. */
export interface Connections {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
  close(): void;
}

const REDIRECTS_MAX = 3;
const SOCKETS_PER_HOST_MAX = 16;
const IDLE_SOCKETS_PER_HOST_MAX = 4;
/** Shorter than servers keep theirs, or a request meets a socket that is being closed. */
const IDLE_MS = 4_000;

export function createConnections(): Connections {
  const options = {
    keepAlive: true,
    maxSockets: SOCKETS_PER_HOST_MAX,
    maxFreeSockets: IDLE_SOCKETS_PER_HOST_MAX,
    timeout: IDLE_MS,
  };
  const connections = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  return {
    ...connections,
    close() {
      connections.http.destroy();
      connections.https.destroy();
    },
  };
}

/** @throws {OutboundError} for everything but an answer that the request accepts */
export async function exchange(request: OutboundRequest, connections: Connections): Promise<OutboundAnswer> {
  const startedAt = performance.now();
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort('timeout'), request.deadlineMs);
  const abort = (): void => ending.abort('aborted');
  if (request.signal?.aborted) abort();
  request.signal?.addEventListener('abort', abort, { once: true });
  try {
    let url = new URL(request.url);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await sendOnce(request, url, connections, ending.signal);
      if (!('location' in answer)) return { ...answer, latencyMs: performance.now() - startedAt };
      if (redirects >= REDIRECTS_MAX)
        throw new OutboundError(
          'redirect',
          originOf(request, url),
          `redirects more than ${REDIRECTS_MAX} times`,
        );
      url = answer.location;
    }
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', abort);
  }
}

/** What may be said of an address in a message: no path, query or credentials. */
export function originOf(request: Pick<OutboundRequest, 'socketPath'>, url: URL): string {
  return request.socketPath ?? url.origin;
}

type Received = Omit<OutboundAnswer, 'latencyMs'> | { readonly location: URL };

/** Tries again once where a kept connection turned out to be closed by the other side before it answered. */
async function sendOnce(
  request: OutboundRequest,
  url: URL,
  connections: Connections,
  ending: AbortSignal,
): Promise<Received> {
  const first = await send(request, url, connections, ending);
  if (first !== 'stale') return first;
  const second = await send(request, url, connections, ending, true);
  if (second !== 'stale') return second;
  throw new OutboundError('connection', originOf(request, url), 'connection was closed');
}

function send(
  request: OutboundRequest,
  url: URL,
  connections: Connections,
  ending: AbortSignal,
  onFreshSocket = false,
): Promise<Received | 'stale'> {
  const origin = originOf(request, url);
  const isSecure = url.protocol === 'https:' && request.socketPath === undefined;
  // What is not safe to repeat gets a connection of its own, which cannot be a stale one.
  const ownSocket = onFreshSocket || request.method === 'POST';
  const agent = isSecure ? connections.https : connections.http;
  return new Promise((resolve, reject) => {
    let sent: ClientRequest;
    const fail = (error: OutboundError): void => {
      reject(error);
      sent?.destroy();
    };
    const failFor = (error: NodeJS.ErrnoException): void => fail(toOutboundError(error, origin, ending));
    if (ending.aborted) return reject(toOutboundError(undefined, origin, ending));
    try {
      sent = (isSecure ? httpsRequest : httpRequest)({
        ...(request.socketPath === undefined
          ? { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port }
          : { socketPath: request.socketPath }),
        path: url.pathname + url.search,
        method: request.method ?? 'GET',
        headers: {
          Host: url.host,
          'User-Agent': 'Czujka',
          'Accept-Encoding': 'identity',
          ...request.headers,
          ...(request.body === undefined
            ? {}
            : { 'Content-Length': String(Buffer.byteLength(request.body)) }),
        },
        agent: ownSocket ? false : agent,
      });
    } catch {
      // Node names the offending header with its value; ours must not.
      return reject(
        new OutboundError('connection', origin, 'request cannot be sent: a header or path is not valid'),
      );
    }
    const abort = (): void => fail(toOutboundError(undefined, origin, ending));
    ending.addEventListener('abort', abort, { once: true });
    sent.on('close', () => ending.removeEventListener('abort', abort));
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && !ownSocket && error.code === 'ECONNRESET' && !ending.aborted) resolve('stale');
      else failFor(error);
    });
    sent.on('response', (response) => {
      response.on('error', failFor);
      const refusal = refuse(request, origin, response);
      if (refusal instanceof OutboundError) return fail(refusal);
      if (refusal) {
        const location = nextLocation(refusal, url, request);
        resolve(location ? { location } : Promise.reject(redirectError(origin)));
        sent.destroy();
        return;
      }
      readBody(request, origin, response, fail, resolve);
    });
    // A protocol switch is no answer to us.
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail(new OutboundError('not_http', origin, 'answered with a protocol switch'));
    });
    sent.end(request.body);
  });
}

/** @returns an error, the address of a redirect, or undefined for an answer whose body may be read */
function refuse(
  request: OutboundRequest,
  origin: string,
  response: IncomingMessage,
): OutboundError | string | undefined {
  const status = response.statusCode ?? 0;
  const isAccepted = (request.acceptStatus ?? ((code: number) => code >= 200 && code < 300))(status);
  if (!isAccepted) {
    const location = response.headers.location;
    if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) return location;
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], Date.now());
    return new OutboundError('status', origin, `answered ${status}`, { status, retryAfterMs });
  }
  const { contentTypes } = request;
  if (contentTypes && !contentTypes.includes(mediaType(response)))
    return new OutboundError(
      'content_type',
      origin,
      `answered with a type other than ${contentTypes.join(', ')}`,
    );
  const encoding = response.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return new OutboundError(
      'content_type',
      origin,
      'answered with a compressed body, which was not asked for',
    );
  if (Number(response.headers['content-length'] ?? 0) > request.bodyMaxBytes)
    return tooLarge(request, origin);
  return undefined;
}

function readBody(
  request: OutboundRequest,
  origin: string,
  response: IncomingMessage,
  fail: (error: OutboundError) => void,
  resolve: (answer: Received) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > request.bodyMaxBytes) return fail(tooLarge(request, origin));
    chunks.push(chunk);
  });
  response.on('end', () =>
    resolve({
      status: response.statusCode ?? 0,
      headers: response.headers,
      contentType: mediaType(response),
      body: Buffer.concat(chunks),
    }),
  );
}

function mediaType(response: IncomingMessage): string {
  return (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** @returns undefined for another host: credentials and trust were meant for this one */
function nextLocation(location: string, from: URL, request: OutboundRequest): URL | undefined {
  if (request.socketPath !== undefined || request.method === 'POST' || !URL.canParse(location, from.href))
    return undefined;
  const next = new URL(location, from.href);
  const isSame = next.protocol === from.protocol && next.host === from.host;
  const isUpgrade =
    from.protocol === 'http:' &&
    next.protocol === 'https:' &&
    next.hostname === from.hostname &&
    from.port === '' &&
    next.port === '';
  return isSame || isUpgrade ? next : undefined;
}

function redirectError(origin: string): OutboundError {
  return new OutboundError('redirect', origin, 'redirects to another host');
}

function tooLarge(request: OutboundRequest, origin: string): OutboundError {
  return new OutboundError('too_large', origin, `answered with more than ${request.bodyMaxBytes} bytes`);
}

/** Node's own errors may carry bytes of the answer; only their code goes on. */
function toOutboundError(
  error: NodeJS.ErrnoException | undefined,
  origin: string,
  ending: AbortSignal,
): OutboundError {
  if (ending.aborted && ending.reason === 'timeout')
    return new OutboundError('timeout', origin, 'no whole answer in time');
  if (ending.aborted) return new OutboundError('aborted', origin, 'the call was ended');
  const code = error?.code ?? 'closed';
  return code.startsWith('HPE_')
    ? new OutboundError('not_http', origin, `answered with something that is not HTTP (${code})`)
    : new OutboundError('connection', origin, `connection failed (${code})`);
}
