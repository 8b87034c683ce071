/**
 * Server-sent events that say only that something has changed; whoever hears it asks anew. One look at each watched
 * topic serves all its listeners, and their number is bounded, per address and in all.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface EventStreamsOptions {
  /** Differs when the topic has changed; undefined when there is no such topic. */
  readonly versionOf: (topic: string) => string | undefined;
  readonly perAddressMax?: number;
  readonly totalMax?: number;
  readonly lookMs?: number;
  readonly beatMs?: number;
}

export interface EventStreams {
  /** Answers the request: an open stream, or 404 or 503 without a body. */
  serve(request: IncomingMessage, response: ServerResponse, topic: string, address: string): void;
  /** Ends every stream, and from now on each new one at once; listeners come back to whoever serves then. */
  readonly end: () => void;
}

interface Listener {
  readonly response: ServerResponse;
  readonly address: string;
}

/** People behind one address of a school or a provider, each with a page or two. */
const PER_ADDRESS_MAX = 20;
const TOTAL_MAX = 2_000;
const LOOK_MS = 1_000;
/** Shorter than the time after which proxies and our own server take a silent connection for dead. */
const BEAT_MS = 15_000;
/** How long a browser waits before it comes back. */
const RETRY_MS = 5_000;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // nginx would collect the events otherwise.
  'X-Accel-Buffering': 'no',
};

export function createEventStreams({
  versionOf,
  perAddressMax = PER_ADDRESS_MAX,
  totalMax = TOTAL_MAX,
  lookMs = LOOK_MS,
  beatMs = BEAT_MS,
}: EventStreamsOptions): EventStreams {
  const topics = new Map<string, { version: string | undefined; listeners: Set<Listener> }>();
  const byAddress = new Map<string, number>();
  let total = 0;
  let ended = false;
  let looking: NodeJS.Timeout | undefined;
  let beating: NodeJS.Timeout | undefined;

  const forEachListener = (act: (listener: Listener) => void): void => {
    for (const { listeners } of topics.values()) for (const listener of listeners) act(listener);
  };

  /** What fails is looked at again the next time. */
  const look = (): void => {
    for (const [topic, watched] of topics) {
      try {
        const version = versionOf(topic);
        if (version === watched.version) continue;
        watched.version = version;
        for (const { response } of watched.listeners) response.write(formatEvent(version));
      } catch {
        continue;
      }
    }
  };

  const startTimers = (): void => {
    looking ??= setInterval(look, lookMs).unref();
    beating ??= setInterval(() => forEachListener(({ response }) => response.write(':\n\n')), beatMs).unref();
  };

  const stopTimers = (): void => {
    clearInterval(looking);
    clearInterval(beating);
    looking = undefined;
    beating = undefined;
  };

  const remove = (topic: string, listener: Listener): void => {
    const watched = topics.get(topic);
    if (!watched?.listeners.delete(listener)) return;
    if (watched.listeners.size === 0) topics.delete(topic);
    total -= 1;
    const left = (byAddress.get(listener.address) ?? 1) - 1;
    if (left > 0) byAddress.set(listener.address, left);
    else byAddress.delete(listener.address);
    if (total === 0) stopTimers();
  };

  return {
    serve(request, response, topic, address) {
      if (ended || total >= totalMax || (byAddress.get(address) ?? 0) >= perAddressMax) {
        response.writeHead(503, { 'Cache-Control': 'no-store', 'Retry-After': '30' }).end();
        return;
      }
      const version = versionOf(topic);
      if (version === undefined) {
        response.writeHead(404, { 'Cache-Control': 'no-store' }).end();
        return;
      }
      response.writeHead(200, HEADERS);
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      const listener = { response, address };
      const watched = topics.get(topic) ?? { version, listeners: new Set() };
      topics.set(topic, watched);
      watched.listeners.add(listener);
      total += 1;
      byAddress.set(address, (byAddress.get(address) ?? 0) + 1);
      response.on('close', () => remove(topic, listener));
      // Who sends nothing any more is gone: nobody reads events through half a connection.
      request.socket.once('end', () => response.end());
      response.write(`retry: ${RETRY_MS}\n${formatEvent(version)}`);
      startTimers();
    },
    end() {
      ended = true;
      forEachListener(({ response }) => response.end());
    },
  };
}

function formatEvent(version: string | undefined): string {
  return `data: ${version ?? ''}\n\n`;
}
