/** One address that asks for all that it is told on standard input at once: `node flood-client.ts ORIGIN`. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';

const CLIENT = '10.201.0.1';
const [origin = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: false });
const paths = (await text(process.stdin)).split('\n');
await Promise.all(
  paths.map(async (path) => {
    try {
      const request = get(origin + path, { agent, headers: { 'X-Forwarded-For': CLIENT } });
      const [answer] = (await once(request, 'response')) as [NodeJS.ReadableStream];
      await once(answer.resume(), 'close');
    } catch {
      // Some of a thousand connections at once may not come to be.
    }
  }),
);
