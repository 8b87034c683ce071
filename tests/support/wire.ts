/** A connection of raw bytes to a server, without a client that repairs anything. */
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Answer } from './test-site.ts';

export interface WireAnswer extends Answer {
  readonly fields: readonly (readonly string[])[];
}

export interface DialOptions {
  /** Address of the client on the loopback net. */
  readonly from?: string | undefined;
  readonly allowHalfOpen?: boolean;
}

/** Called inside a test, with which the connection ends. */
export function dial(port: number, { from, allowHalfOpen = false }: DialOptions = {}) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen, ...(from && { localAddress: from }) });
  let received = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => {};
  let failure: unknown;
  socket.on('data', (part: Buffer) => (received = Buffer.concat([received, part])));
  for (const event of ['end', 'close'] as const) socket.on(event, () => (isOver = true));
  for (const event of ['data', 'end', 'close'] as const) socket.on(event, () => wake());
  socket.on('error', (error) => (failure = error));
  onTestFinished(() => void socket.destroy());

  const more = async (): Promise<void> => {
    if (isOver) throw new Error(`ended after ${JSON.stringify(String(received))}`, { cause: failure });
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
    write: (text: string) => void socket.write(text, 'latin1'),
    /** The next answer. */
    async answer(isHead = false): Promise<WireAnswer> {
      while (!received.includes('\r\n\r\n')) await more();
      const head = (await take(received.indexOf('\r\n\r\n') + 4)).toString('latin1');
      const [statusLine = '', ...lines] = head.trimEnd().split('\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(statusLine)?.[1]);
      const fields = lines.map((line) => /^([\w-]+): (.*)$/.exec(line)?.slice(1) ?? ['', line]);
      const headers = collect(fields);
      const hasBody = !isHead && status !== 204 && status !== 304;
      const body = await take(hasBody ? Number(headers['content-length']) : 0);
      return { status, headers, fields, text: body.toString('utf8') };
    },
    /** All bytes until the server ends the connection. */
    async rest(): Promise<string> {
      while (!isOver) await more();
      return received.toString('latin1');
    },
  };
}

/** The answer to one request on a connection of its own; request line and header lines are sent as they are. */
export async function exchange(
  port: number,
  requestLine: string,
  headerLines: readonly string[] = ['Host: a'],
  from?: string,
): Promise<WireAnswer> {
  const wire = dial(port, { from });
  wire.write(`${[requestLine, ...headerLines].join('\r\n')}\r\n\r\n`);
  const answer = await wire.answer(requestLine.startsWith('HEAD '));
  wire.socket.destroy();
  return answer;
}

/** By lower-case name. @throws when a field comes twice */
function collect(fields: WireAnswer['fields']): IncomingHttpHeaders {
  const headers: Record<string, string> = {};
  for (const [name = '', value = ''] of fields) {
    const key = name.toLowerCase();
    if (Object.hasOwn(headers, key)) throw new Error(`${name} comes twice: ${headers[key]} | ${value}`);
    headers[key] = value;
  }
  return headers;
}
