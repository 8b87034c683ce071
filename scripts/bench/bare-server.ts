/** The measure of all cases: a node:http server that sends the same status line, headers and body to every request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What node:http adds by itself. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

const [url = ''] = process.argv.slice(2);
const answer = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
const body = Buffer.from(await answer.arrayBuffer());
const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.has(name)));

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
