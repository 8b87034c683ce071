/** Real servers on the loopback net that stand for outside services, well-behaved or not. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createRawServer, type AddressInfo, type Server, type Socket } from 'node:net';

export type LoopbackServer = Awaited<ReturnType<typeof listen>>;

/** Ends with the worker that runs the test file. @param at a Unix socket instead of a free port */
export async function startLoopbackServer(listener: RequestListener, at?: string) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  return listen(server, requests, at);
}

/** Handles each connection below HTTP. */
export function startRawLoopbackServer(onSocket: (socket: Socket) => void) {
  const server = createRawServer((socket) => {
    socket.on('error', () => {});
    onSocket(socket);
  });
  return listen(server, []);
}

/** @param requests gets method and target of each request in the order of their arrival; a raw server has none */
async function listen(server: Server, requests: string[], at?: string) {
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    socket.unref();
  });
  if (at === undefined) server.listen(0, '127.0.0.1');
  else server.listen(at);
  await once(server, 'listening');
  server.unref();
  const origin = at === undefined ? `http://127.0.0.1:${(server.address() as AddressInfo).port}` : at;
  return { origin, requests, /** Opened so far. */ connections: () => connections };
}

/** Ways in which a service can fail to answer, each as what happens to a connection. */
export const BAD_SERVICES = {
  /** Takes the request and says nothing. */
  hang: () => {},
  reset: (socket: Socket) => socket.once('data', () => socket.resetAndDestroy()),
  /** Promises more than it sends. */
  cut: (socket: Socket) =>
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{}'),
    ),
} satisfies Record<string, (socket: Socket) => unknown>;
