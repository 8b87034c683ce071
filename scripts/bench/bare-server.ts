/**
 * The measure of all cases: a node:http server that sends the same status line, headers and bodies as another one, and
 * does nothing else. Its argument is the other one's origin; its input are the paths, one a line, whose answers it sends
 * in turn.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What node:http adds by itself. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

const [origin = ''] = process.argv.slice(2);
const paths = (await text(process.stdin)).trim().split('\n');
const answers: { headers: Record<string, string>; body: Buffer }[] = [];
for (const [index, path] of paths.entries()) {
  const client = `10.251.${index >>> 8}.${index & 255}`;
  const answer = await fetch(origin + path, {
    headers: { 'Accept-Encoding': 'identity', 'X-Forwarded-For': client },
  });
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.has(name)));
  answers.push({ headers, body: Buffer.from(await answer.arrayBuffer()) });
}

let next = 0;
const server = createServer((_request, response) => {
  next = next + 1 === answers.length ? 0 : next + 1;
  const { headers, body } = answers[next] as (typeof answers)[number];
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
