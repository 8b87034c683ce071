/** The yardstick: a node:http server that sends the same status line, headers and bodies as another server, in turn. */
import { once } from 'node:events';
import { createServer } from 'node:http';

/** node:http adds these itself. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

process.on('disconnect', () => process.exit(0));
const [{ origin, paths }] = (await once(process, 'message')) as [{ origin: string; paths: string[] }];
const answers: { headers: Record<string, string>; body: Buffer }[] = [];
for (const [at, path] of paths.entries()) {
  const asked = { 'Accept-Encoding': 'identity', 'X-Forwarded-For': `10.251.0.${at}` };
  const answer = await fetch(origin + path, { headers: asked });
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.has(name)));
  answers.push({ headers, body: Buffer.from(await answer.arrayBuffer()) });
}
let next = 0;
const server = createServer((_request, response) => {
  next = (next + 1) % answers.length;
  const { headers, body } = answers[next] as (typeof answers)[number];
  response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.({ ready: server.address() }));
