import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** @returns a free port of loopback, below those that the system assigns by itself, so that it stays free until it is used */
export async function findPort(): Promise<number> {
  const server = createServer();
  const port = randomInt(20_000, 32_000);
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return findPort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
