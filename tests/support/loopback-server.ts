/** Real servers on the loopback net that stand for outside services, well-behaved or not. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createRawServer, type AddressInfo, type Server, type Socket } from 'node:net';

export type LoopbackServer = Awaited<ReturnType<typeof startLoopbackServer>>;

/** `requests` has method and target of each request in the order of their arrival. @param path as for `listen` */
export async function startLoopbackServer(listener: RequestListener, path?: string) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  return { requests, ...(await listen(server, path)) };
}

/** Handles each connection below HTTP. */
export function startRawLoopbackServer(onSocket: (socket: Socket) => void) {
  const server = createRawServer((socket) => {
    socket.on('error', () => {});
    onSocket(socket);
  });
  return listen(server);
}

/** Ends with the worker that runs the test file. @param path of a Unix socket instead of a free port */
export async function listen(server: Server, path?: string) {
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    socket.unref();
  });
  server.listen(path === undefined ? { port: 0, host: '127.0.0.1' } : { path });
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: path ?? `http://127.0.0.1:${port}`,
    /** Opened so far. */ connections: () => connections,
  };
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
