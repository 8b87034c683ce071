/** Clients that keep a server busy while something else is measured. */

import { Agent, get } from 'node:http';

export interface Others {
  end(): Promise<void>;
}

/** One address that asks for all of these at once, as long as its limit for a minute lasts. */
export function flood(origin: string, paths: readonly string[]): Others {
  const agent = new Agent({ keepAlive: false });
  const asked = paths.map(
    (path) =>
      new Promise<void>((resolve) => {
        const request = get(origin + path, { agent, headers: { 'X-Forwarded-For': FLOODER } }, (answer) => {
          answer.resume().once('close', resolve);
        });
        // Some of a thousand connections at once may not come to be.
        request.once('error', () => resolve());
      }),
  );
  return {
    async end() {
      await Promise.all(asked);
    },
  };
}

const FLOODER = '10.201.0.1';

/** A client a path, each asking for its own again as soon as it has its answer; no answer comes from a cache. */
export function askBeside(origin: string, paths: readonly string[]): Others {
  let isEnded = false;
  let asked = 0;
  const clients = paths.map(async (path) => {
    while (!isEnded) {
      // Every place in the list is another question.
      asked += 1;
      const client = `10.200.${(asked >>> 8) & 255}.${asked & 255}`;
      const address = `${origin}${path}${asked % 20_000}`;
      await (await fetch(address, { headers: { 'X-Forwarded-For': client } })).arrayBuffer();
    }
  });
  return {
    async end() {
      isEnded = true;
      await Promise.all(clients);
    },
  };
}
