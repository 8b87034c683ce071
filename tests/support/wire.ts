/** A connection of raw bytes to a server, and what every answer in the error form has to carry. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, expect } from 'vitest';

export interface Answer {
  readonly status: number;
  /** Names and values as they came. */
  readonly fields: readonly (readonly string[])[];
  readonly text: string;
  /** The value of the one field of this name, which is given in lower case. */
  field(name: string): string | undefined;
}

/** A connection that is written to and read from byte by byte, without a client that repairs anything. */
export interface Wire {
  readonly socket: Socket;
  write(text: string): void;
  /** The next answer. */
  answer(isHead?: boolean): Promise<Answer>;
  /** What comes until the server ends the connection. */
  rest(): Promise<string>;
  hangUp(): void;
}

export function dial(port: number, localAddress?: string, allowHalfOpen = false): Wire {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen, ...(localAddress && { localAddress }) });
  let received = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => {};
  let failure: unknown;
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    wake();
  });
  for (const event of ['end', 'close'] as const) {
    socket.on(event, () => {
      isOver = true;
      wake();
    });
  }
  socket.on('error', (error) => (failure = error));
  afterAll(() => {
    socket.destroy();
  });

  const more = async (): Promise<void> => {
    if (isOver) {
      throw new Error(`the connection ended after ${JSON.stringify(received.toString())}`, {
        cause: failure,
      });
    }
    await new Promise<void>((resolve) => (wake = resolve));
  };
  const take = async (length: number): Promise<Buffer> => {
    while (received.length < length) await more();
    const taken = received.subarray(0, length);
    received = received.subarray(length);
    return taken;
  };
  return {
    socket,
    write: (text) => {
      socket.write(text, 'latin1');
    },
    async answer(isHead = false) {
      while (!received.includes('\r\n\r\n')) await more();
      const head = (await take(received.indexOf('\r\n\r\n') + 4)).toString('latin1');
      const [statusLine = '', ...lines] = head.trimEnd().split('\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(statusLine)?.[1]);
      const fields = lines.map((line) => /^([\w-]+): (.*)$/.exec(line)?.slice(1) ?? ['', line]);
      const field = (name: string): string | undefined => {
        const values = fields.filter(([key = '']) => key.toLowerCase() === name).map(([, value]) => value);
        if (values.length > 1) throw new Error(`${name} comes ${values.length} times: ${values.join(' | ')}`);
        return values[0];
      };
      const hasBody = !isHead && status !== 204 && status !== 304;
      const body = await take(hasBody ? Number(field('content-length')) : 0);
      return { status, fields, text: body.toString('utf8'), field };
    },
    async rest() {
      while (!isOver) await more();
      return received.toString('latin1');
    },
    hangUp: () => {
      socket.destroy();
    },
  };
}

/** The error form, with the fields that every error carries, each of them once. */
export function expectError(answer: Answer, status: number, text: string): void {
  expect(answer.text).toBe(JSON.stringify({ error: text }));
  expect(answer.status).toBe(status);
  expect(answer.field('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.field('cache-control')).toBe('no-store');
  expect(answer.field('access-control-allow-origin')).toBe('*');
  expect(answer.field('x-content-type-options')).toBe('nosniff');
  expect(answer.field('date')).toMatch(/GMT$/);
}
