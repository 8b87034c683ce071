/**
 * Server-sent events that say only that something has changed; whoever hears it asks anew. One look at each watched
 * topic serves all its listeners.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EVENTS_TYPE } from './api-headers.ts';
import { createStreamPlaces, endWithClient, NO_PLACE_SECONDS, RETRY_FIELD } from './stream-places.ts';
import type { StreamPlacesOptions } from './stream-places.ts';

export interface EventStreamsOptions extends StreamPlacesOptions {
  /** Differs when the topic has changed; undefined when there is no such topic. */
  readonly versionOf: (topic: string) => string | undefined;
  readonly lookMs?: number;
}

export interface EventStreams {
  /** Answers the request: an open stream, or 404 or 503 without a body. */
  serve(request: IncomingMessage, response: ServerResponse, topic: string, address: string): void;
  /** Ends every stream, and from now on each new one at once; listeners come back to whoever serves then. */
  readonly end: () => void;
}

const LOOK_MS = 1_000;

const HEADERS = {
  'Content-Type': EVENTS_TYPE,
  'Cache-Control': 'no-store',
  // nginx would collect the events otherwise.
  'X-Accel-Buffering': 'no',
};

export function createEventStreams({
  versionOf,
  lookMs = LOOK_MS,
  ...bounds
}: EventStreamsOptions): EventStreams {
  const topics = new Map<string, { version: string | undefined; listeners: Set<ServerResponse> }>();
  const places = createStreamPlaces(bounds);
  let looking: NodeJS.Timeout | undefined;

  /** What fails is looked at again the next time. */
  const look = (): void => {
    for (const [topic, watched] of topics) {
      try {
        const version = versionOf(topic);
        if (version === watched.version) continue;
        watched.version = version;
        for (const response of watched.listeners) response.write(formatEvent(version));
      } catch {
        continue;
      }
    }
  };

  const remove = (topic: string, response: ServerResponse): void => {
    const watched = topics.get(topic);
    watched?.listeners.delete(response);
    if (watched?.listeners.size === 0) topics.delete(topic);
    if (topics.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  };

  return {
    serve(request, response, topic, address) {
      if (places.findRefusal(address)) {
        response.writeHead(503, { 'Cache-Control': 'no-store', 'Retry-After': NO_PLACE_SECONDS }).end();
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
      const watched = topics.get(topic) ?? { version, listeners: new Set() };
      topics.set(topic, watched);
      watched.listeners.add(response);
      places.take(response, address, () => remove(topic, response));
      endWithClient(request, response);
      response.write(RETRY_FIELD + formatEvent(version));
      looking ??= setInterval(look, lookMs).unref();
    },
    end: () => places.end(),
  };
}

function formatEvent(version: string | undefined): string {
  return `data: ${version ?? ''}\n\n`;
}
