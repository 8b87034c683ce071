import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEventStreams } from '#src/http/event-streams.ts';
import type { EventStreams, EventStreamsOptions } from '#src/http/event-streams.ts';

interface Harness {
  readonly versions: Map<string, string>;
  readonly looks: string[];
  readonly streams: EventStreams;
  /** @param path topic and address, for example `/a/192.0.2.1` */
  readonly open: (path: string) => Promise<Heard>;
}

interface Heard {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  /** Resolves with the data of the next event. */
  next(): Promise<string>;
  readonly ended: Promise<unknown>;
  close(): void;
}

async function serve(options: Partial<EventStreamsOptions> = {}): Promise<Harness> {
  const versions = new Map([['a', '1']]);
  const looks: string[] = [];
  const streams = createEventStreams({
    versionOf: (topic) => {
      looks.push(topic);
      return versions.get(topic);
    },
    lookMs: 5,
    ...options,
  });
  const server = createServer((request, response) => {
    const [, topic = '', address = ''] = request.url?.split('/') ?? [];
    streams.serve(request, response, topic, address);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    versions,
    looks,
    streams,
    open: (path) =>
      new Promise((resolve) => {
        get({ port, path, agent: false }, (response) => {
          const events: string[] = [];
          let text = '';
          let wake = (): void => {};
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
            const parts = text.split('\n\n');
            text = parts.pop() ?? '';
            for (const part of parts) {
              const data = /^data: (.*)$/m.exec(part)?.[1];
              if (data !== undefined) events.push(data);
            }
            wake();
          });
          response.on('error', () => {});
          const ended = new Promise<void>((resolve) => response.once('close', resolve));
          resolve({
            status: response.statusCode,
            headers: response.headers,
            async next() {
              while (events.length === 0) await new Promise<void>((heard) => (wake = heard));
              return events.shift() ?? '';
            },
            ended,
            close: () => response.destroy(),
          });
        });
      }),
  };
}

describe('server-sent events', () => {
  it('tell the version at once and each time that it changes', async () => {
    const { versions, open } = await serve();
    const heard = await open('/a/one');
    expect(heard.status).toBe(200);
    expect(heard.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(await heard.next()).toBe('1');
    versions.set('a', '2');
    expect(await heard.next()).toBe('2');
  });

  it('look once for all who listen', async () => {
    const { versions, looks, open } = await serve({ lookMs: 50 });
    const many = await Promise.all(Array.from({ length: 10 }, (_, place) => open(`/a/${place}`)));
    for (const heard of many) await heard.next();
    const before = looks.length;
    versions.set('a', '2');
    for (const heard of many) expect(await heard.next()).toBe('2');
    // As many looks as times, not as listeners.
    expect(looks.length - before).toBeLessThan(10);
  });

  it('have a bound per address and in all, and give places back', async () => {
    const { versions, open } = await serve({ perAddressMax: 1, totalMax: 2 });
    const first = await open('/a/one');
    const second = await open('/a/one');
    expect(second.status).toBe(503);
    expect(second.headers['retry-after']).toBe('30');
    expect((await open('/a/two')).status).toBe(200);
    expect((await open('/a/three')).status).toBe(503);
    await first.next();
    first.close();
    await first.ended;
    versions.set('a', '2');
    let again = await open('/a/one');
    while (again.status === 503) again = await open('/a/one');
    expect(again.status).toBe(200);
  });

  it('end for a newcomer where one client has the most, and go on for the others', async () => {
    const { versions, open } = await serve({ totalMax: 2 });
    const [oldest, newest] = [await open('/a/one'), await open('/a/one')];
    const newcomer = await open('/a/two');
    expect(newcomer.status).toBe(200);
    await oldest.ended;
    for (const heard of [newest, newcomer]) expect(await heard.next()).toBe('1');
    versions.set('a', '2');
    for (const heard of [newest, newcomer]) expect(await heard.next()).toBe('2');
  });

  it('do not exist for what does not', async () => {
    const { open } = await serve();
    expect((await open('/b/one')).status).toBe(404);
  });

  it('all end at once, and no new ones begin', async () => {
    const { streams, open } = await serve();
    const many = await Promise.all([open('/a/one'), open('/a/two')]);
    streams.end();
    await Promise.all(many.map(({ ended }) => ended));
    expect((await open('/a/one')).status).toBe(503);
  });
});
