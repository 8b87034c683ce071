/**
 * The node:http server around the request handler: limits of size and time, the error form for what never becomes a
 * request, and the drain.
 */
import { createServer, STATUS_CODES } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from './errors.ts';
import { errorResult, prepare } from './http-result.ts';

const HEAD_MAX_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** A client that takes nothing of its answer for this long is gone. */
const IDLE_TIMEOUT_MS = 30_000;
/** Longer than the idle time-out of common proxies in front, so that they do not race us for the connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CONNECTIONS_CHECK_MS = 2_000;
/** Two kinds of streams take up to 2,000 each; an idle connection takes 16 kB, so that all take 80 MB. */
const CONNECTIONS_MAX = 5_000;
/**
 * Connections that the kernel queues until the process accepts them. With a passed socket they wait there for a restarted
 * process; Linux allows 4,096, and Node asks for 511.
 */
const QUEUED_MAX = 4_096;
/** Requests of a connection that wait for the answer before theirs. */
const PIPELINED_MAX = 32;
/** Requests in flight get this long once a drain began. */
export const DRAIN_MS = 8_000;
/** How often a drain ends idle connections; a request already on its way when the drain began arrives before. */
const DRAIN_SWEEP_MS = 200;
/**
 * A refused client may keep sending this long before its connection is cut. Cut at once, TCP would throw away the
 * answer together with what was not read yet.
 */
const LINGER_MS = 2_000;

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'request_head_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Open connections. */
const connections = new WeakMap<Server, ReadonlySet<Socket>>();
/** The response that a connection is busy with, or the last one: Node does not tell. */
const LATEST = Symbol('latest response');
const WAITING = Symbol('pipelined requests that wait');
type Connection = Duplex & { [LATEST]?: ServerResponse; [WAITING]?: number };

export function createHttpServer(answer: RequestListener): Server {
  const open = new Set<Socket>();
  // One listener: Node copies the list of several for each request.
  const listener: RequestListener = (request, response) => {
    const connection: Connection = request.socket;
    const previous = connection[LATEST];
    connection[LATEST] = response;
    if (!previous || previous.closed) return answer(request, response);
    // Pipelined requests take turns with those of other connections: 500 clients may send 20 requests each at once.
    const waiting = (connection[WAITING] ?? 0) + 1;
    connection[WAITING] = waiting;
    if (waiting > PIPELINED_MAX) return void connection.destroy();
    previous.once('close', () =>
      setImmediate(() => {
        connection[WAITING] = (connection[WAITING] ?? 0) - 1;
        if (connection.writable) answer(request, response);
      }),
    );
  };
  const server = createServer(
    {
      maxHeaderSize: HEAD_MAX_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      // Nobody reads a body here: streams of none need not be set up and ended.
      optimizeEmptyRequests: true,
      // Checked in request-target.ts, which answers in the error form.
      requireHostHeader: false,
    },
    listener,
  );
  server.timeout = IDLE_TIMEOUT_MS;
  server.maxConnections = CONNECTIONS_MAX;
  // Not among the options, nor in the documentation: lib/_http_server.js, socketOnEnd. Without it Node ends the
  // connection of a client that has ended its half, and the answer that is being made is lost.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  connections.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const refused = new WeakSet<Duplex>();
  /** In turn: earlier requests of the connection get their answers first. */
  const refuse = (socket: Duplex, code: ErrorCode): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const answering = (socket as Connection)[LATEST];
    if (!answering || answering.closed) refuseConnection(socket, code);
    else answering.once('close', () => refuseConnection(socket, code));
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuse(socket, CODES[error.code ?? ''] ?? 'bad_request');
  });
  return server;
}

/** Listens on an address, or on a socket that systemd opened and passed on. */
export function listen(
  server: Server,
  at: { readonly host: string; readonly port: number } | { readonly fd: number },
  onListening: () => void,
): void {
  server.listen({ ...at, backlog: QUEUED_MAX }, onListening);
}

/** Stops accepting, lets requests in flight finish for DRAIN_MS, then ends what is left. */
export function drainServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // From now on every response ends its connection.
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    const closeIdle = server.closeIdleConnections.bind(server);
    // `close` calls it at once, which would cut off a request that is on its way, and a response that a slow client still
    // reads: for Node its connection is idle already (lib/_http_server.js).
    server.closeIdleConnections = () => {};
    const sweep = setInterval(() => {
      const isSending = [...(connections.get(server) ?? [])].some((socket) => socket.writableLength > 0);
      if (!isSending) closeIdle();
    }, DRAIN_SWEEP_MS);
    server.close(() => {
      clearTimeout(deadline);
      clearInterval(sweep);
      resolve();
    });
  });
}

function refuseConnection(socket: Duplex, code: ErrorCode): void {
  if (!socket.writable) return;
  const { status, headers, body } = prepare(errorResult(code));
  const head = [...headers, 'Date', new Date().toUTCString(), 'Connection', 'close'].map((text, at) =>
    at % 2 === 0 ? `${text}: ` : `${text}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${String(body)}`);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
}
