import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEventStreams } from '#src/http/event-streams.ts';
import type { EventStreamsOptions } from '#src/http/event-streams.ts';
import { listen } from '../../support/listen.ts';
import type { Heard } from '../../support/listen.ts';

const LOOK_MS = 1_000;

async function serve(options: Partial<EventStreamsOptions> = {}) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const versions = new Map([['a', '1']]);
  const versionOf = vi.fn((topic: string) => versions.get(topic));
  const streams = createEventStreams({ versionOf, lookMs: LOOK_MS, ...options });
  const server = createServer((request, response) => {
    const [, topic = '', address = ''] = request.url?.split('/') ?? [];
    streams.serve(request, response, topic, address);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    vi.useRealTimers();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    streams,
    versionOf,
    /** @param path topic and address, for example `/a/192.0.2.1` */
    open: (path: string): Promise<Heard> => listen(port, path),
    change: (version: string): void => {
      versions.set('a', version);
      vi.advanceTimersByTime(LOOK_MS);
    },
  };
}

const dataOf = async (heard: Heard): Promise<string> => (await heard.next()).data;

describe('server-sent events', () => {
  it('tell the version at once and each time that it changes, by one look for all who listen', async () => {
    const { change, versionOf, open } = await serve();
    const many = await Promise.all(Array.from({ length: 10 }, (_, place) => open(`/a/${place}`)));
    for (const heard of many) {
      expect(heard.status).toBe(200);
      expect(heard.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(await dataOf(heard)).toBe('1');
    }
    versionOf.mockClear();
    change('2');
    for (const heard of many) expect(await dataOf(heard)).toBe('2');
    expect(versionOf).toHaveBeenCalledTimes(1);
  });

  it('have a bound per address, and give places back', async () => {
    const { open } = await serve({ perAddressMax: 1 });
    const first = await open('/a/one');
    const second = await open('/a/one');
    expect([second.status, second.headers['retry-after']]).toEqual([503, '30']);
    first.close();
    await vi.waitFor(async () => expect((await open('/a/one')).status).toBe(200), { interval: 5 });
  });

  it('end for a newcomer where one client has the most, and go on for the others', async () => {
    const { change, open } = await serve({ totalMax: 2 });
    const [oldest, newest] = [await open('/a/one'), await open('/a/one')];
    const newcomer = await open('/a/two');
    expect(newcomer.status).toBe(200);
    await oldest.ended;
    change('2');
    for (const heard of [newest, newcomer])
      expect([await dataOf(heard), await dataOf(heard)]).toEqual(['1', '2']);
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
