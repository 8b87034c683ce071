import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers 404 where there is no answer or where making it fails, so that no imitated service ends the demo's process. */
export async function startStandIn(
  answer: (request: IncomingMessage) => Promise<object | Buffer | undefined>,
) {
  const server = createServer((request, response) => {
    response.on('error', () => {});
    const answered = answer(request).catch(() => undefined);
    void answered.then((body) => {
      if (body === undefined) return response.writeHead(404).end();
      // Pictures are recognized by their bytes.
      if (Buffer.isBuffer(body)) return response.end(body);
      return response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
}
