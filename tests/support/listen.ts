/** A client of server-sent events over a real connection. */
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface HeardEvent {
  readonly id: string | undefined;
  /** Undefined for an event that only says where the listener stands. */
  readonly data: string | undefined;
}

export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** All that has come so far. */
  text(): string;
  /** The next event with data. */
  next(): Promise<HeardEvent & { readonly data: string }>;
  /** ID that the next connection would begin with. */
  lastId(): string | undefined;
  /** Resolves when the server has ended the stream, or the connection. */
  readonly ended: Promise<void>;
  close(): void;
}

export function listen(
  port: number,
  path: string,
  { headers, from }: { readonly headers?: Readonly<Record<string, string>>; readonly from?: string } = {},
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, agent: false, ...(headers && { headers }) };
    const sent = request({ ...options, ...(from && { localAddress: from }) }, (response) =>
      resolve(hear(response)),
    );
    sent.on('error', reject);
    sent.end();
  });
}

function hear(response: IncomingMessage): Heard {
  const events: (HeardEvent & { readonly data: string })[] = [];
  let text = '';
  let rest = '';
  let lastId: string | undefined;
  let isOver = false;
  let wake = (): void => {};
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
    wake();
  });
  response.on('error', () => {});
  const ended = new Promise<void>((resolve) =>
    response.once('close', () => {
      isOver = true;
      wake();
      resolve();
    }),
  );
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    async next() {
      while (events.length === 0) {
        if (isOver) throw new Error('the stream has ended');
        await new Promise<void>((heard) => (wake = heard));
      }
      return events.shift() as HeardEvent & { readonly data: string };
    },
    lastId: () => lastId,
    ended,
    close: () => response.destroy(),
  };
}
