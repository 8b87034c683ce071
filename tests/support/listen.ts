/** A client of server-sent events over a real connection. */
import { request, type IncomingMessage } from 'node:http';

export type Heard = ReturnType<typeof hear>;

export function openEvents(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, agent: false, headers };
    const sent = request(options, (response) => resolve(hear(response)));
    sent.on('error', reject).end();
  });
}

function hear(response: IncomingMessage) {
  const events: { readonly id: string | undefined; readonly data: string }[] = [];
  let text = '';
  let rest = '';
  let lastId: string | undefined;
  let isOver = false;
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const id = /^id: (.*)$/m.exec(part)?.[1];
      const data = /^data: (.*)$/m.exec(part)?.[1];
      lastId = id ?? lastId;
      if (data !== undefined) events.push({ id, data });
    }
  });
  response.on('error', () => {});
  const ended = new Promise<void>((resolve) => response.once('close', resolve)).then(() => {
    isOver = true;
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    /** All that has come so far. */
    text: () => text,
    /** The next event with data; others only say where the listener stands. */
    async next() {
      for (;;) {
        const event = events.shift();
        if (event) return event;
        if (isOver) throw new Error('the stream has ended');
        await Promise.race([ended, new Promise((resolve) => response.once('data', resolve))]);
      }
    },
    /** ID that the next connection would begin with. */
    lastId: () => lastId,
    ended,
    close: () => void response.destroy(),
  };
}
