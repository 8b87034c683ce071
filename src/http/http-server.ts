/** The node:http server: limits of size and time, the target of a request, errors for invalid HTTP, and the drain. */
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ClientSlots } from '../queues/client-slots.ts';
import { addressKey } from './rate-limit.ts';
import { errorResult, prepareResponse, type ErrorCode } from './response.ts';

/** Requests of a connection that wait for the response before theirs. */
const PIPELINED_MAX = 32;
export const DRAIN_MS = 8_000;
/** A request that is on its way arrives before the first sweep. */
const DRAIN_SWEEP_MS = 200;
/** A refused client may keep sending this long: closing at once would discard the response with the unread input. */
const LINGER_MS = 2_000;

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'request_head_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const connections = new WeakMap<Server, ReadonlySet<Socket>>();
/** A connection's current or last response, which Node does not expose. */
const LATEST = Symbol('latest response');
const WAITING = Symbol('waiting pipelined requests');
type Connection = Duplex & { [LATEST]?: ServerResponse; [WAITING]?: number };

/** @param target undefined for an invalid form of target or Host */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget | undefined,
) => void;

export function createHttpServer(handler: RequestHandler, connectionsMax = 5_000): Server {
  const open = new Set<Socket>();
  const slots = new ClientSlots<Socket>();
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    // No handler reads a body.
    if (encoding !== undefined || (length !== undefined && length !== '0'))
      response.setHeader('Connection', 'close');
    handler(request, response, parseRequestTarget(request));
  };
  // Node copies a list of several listeners for each request.
  const listener: RequestListener = (request, response) => {
    const connection: Connection = request.socket;
    const previous = connection[LATEST];
    connection[LATEST] = response;
    if (!previous || previous.closed) return handle(request, response);
    // Otherwise 500 clients could start 20 requests each before other connections.
    const waiting = (connection[WAITING] ?? 0) + 1;
    connection[WAITING] = waiting;
    if (waiting > PIPELINED_MAX) return void connection.destroy();
    previous.once('close', () =>
      setImmediate(() => {
        connection[WAITING] = (connection[WAITING] ?? 0) - 1;
        if (connection.writable) handle(request, response);
      }),
    );
  };
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      // Longer than the idle time-out of common proxies, so that the proxy closes first.
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000,
      // No handler reads a body.
      optimizeEmptyRequests: true,
      // parseRequestTarget checks it.
      requireHostHeader: false,
    },
    listener,
  );
  server.timeout = 30_000;
  // Up to 2,000 are event streams. An idle connection takes 16 kB, all together 80 MB.
  server.maxConnections = connectionsMax;
  // Undocumented (lib/_http_server.js, socketOnEnd): without it a half-closed connection ends before its response.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  connections.set(server, open);
  server.on('connection', (socket) => {
    const owner = slots.acquire(addressKey(socket.remoteAddress));
    owner.items.add(socket);
    open.add(socket);
    socket.once('close', () => {
      slots.release(owner);
      owner.items.delete(socket);
      open.delete(socket);
    });
    if (slots.taken < connectionsMax) return;
    // Keeps the last place free: an address that takes all others must not keep newcomers out.
    const [oldest] = slots.findLargest(owner.client, 0)?.items ?? [];
    if (!oldest) server.emit('drop');
    (oldest ?? socket).destroy();
  });
  // Node would invite a body that nothing reads, and answer other expectations without headers.
  server.on('checkContinue', listener).on('checkExpectation', listener);
  const refuseLast = (socket: Connection, code: ErrorCode, isHead = false): void => {
    const answering = socket[LATEST];
    if (!answering || answering.closed) refuseConnection(socket, code, isHead);
    else answering.once('close', () => refuseConnection(socket, code, isHead));
  };
  server.on('connect', (_request, socket) => {
    // Node no longer looks after this socket.
    socket.on('error', () => {}).resume();
    refuseLast(socket, 'method_not_allowed');
  });
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    // Only the packet with the error is known, which is the first one as a rule.
    const isHead = error.rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
    refuseLast(socket, CODES[error.code ?? ''] ?? 'bad_request', isHead);
  });
  return server;
}

export interface RequestTarget {
  /** Decoded but for `%2F`, which stays one character of a parameter; without trailing slashes; `/` for the root. */
  readonly path: string;
  /** Whether the path does not decode and stands here as it came. */
  readonly isMalformed: boolean;
  /** Raw, without the question mark. */
  readonly query: string;
}

/**
 * The path is decoded once: rate limit, routes and pages must see the same one (`/api/%73cammers`).
 * @returns undefined for an invalid form of target or Host
 */
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

/** Lets requests in flight finish for DRAIN_MS, then closes all connections. */
export function drainServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    const sweep = setInterval(() => {
      const isSending = [...(connections.get(server) ?? [])].some((socket) => socket.writableLength > 0);
      if (!isSending) server.closeIdleConnections();
    }, DRAIN_SWEEP_MS);
    // Not http.Server's: that closes idle connections at once, and for Node a connection is idle while a slow client
    // still reads.
    TcpServer.prototype.close.call(server, () => {
      clearTimeout(deadline);
      clearInterval(sweep);
      resolve();
    });
  });
}

function refuseConnection(socket: Duplex, code: ErrorCode, isHead: boolean): void {
  if (!socket.writable) return;
  const { status, headers, body } = prepareResponse(errorResult(code));
  const head = [...headers, 'Date', new Date().toUTCString(), 'Connection', 'close'].map((text, at) =>
    at % 2 === 0 ? `${text}: ` : `${text}\r\n`,
  );
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${isHead ? '' : String(body)}`,
  );
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
}
