/**
 * Places of clients that listen to server-sent events: bounded per address and in all, kept awake, ended together. When
 * all places are taken, the oldest stream of the client with the most streams ends (places.ts); its client reconnects.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { Places } from '../turns/places.ts';

export interface StreamPlacesOptions {
  readonly perAddressMax?: number;
  readonly totalMax?: number;
  readonly beatMs?: number;
}

/** `address`: it has as many as one may have. `service`: no client has more streams, or the service ends. */
export type StreamRefusal = 'address' | 'service';

export interface StreamPlaces {
  /** @returns undefined when this address can have another stream */
  findRefusal(address: string): StreamRefusal | undefined;
  /** The place is free again when the client has gone or has made room. @param onLeave called then, once */
  take(client: Writable, address: string, onLeave: () => void): void;
  /** Places that are taken. */
  taken(): number;
  /** Ends every stream; listeners come back. */
  dismiss(): void;
  /** The same, and from now on there is no place: they come back to whoever serves then. */
  end(): void;
}

interface Stream {
  readonly client: Writable;
  /** Gives the place back. */
  leave(): void;
}

/** People behind one address of a school or a provider, each with a page or two. */
export const PER_ADDRESS_MAX = 20;
const TOTAL_MAX = 2_000;
/** Shorter than the time after which proxies and our own server take a silent connection for dead. */
const BEAT_MS = 15_000;
const BEAT = ':\n\n';

/** How long a browser waits before it comes back. */
const RETRY_MS = 5_000;
export const RETRY_FIELD = `retry: ${RETRY_MS}\n`;
/** Retry-After of a client that finds no place, in seconds. */
export const NO_PLACE_SECONDS = 30;

export function createStreamPlaces({
  perAddressMax = PER_ADDRESS_MAX,
  totalMax = TOTAL_MAX,
  beatMs = BEAT_MS,
}: StreamPlacesOptions = {}): StreamPlaces {
  const places = new Places<Stream>();
  const streams = new Set<Stream>();
  let ended = false;
  let beating: NodeJS.Timeout | undefined;

  const beat = (): void => {
    // Who does not take what was sent before is ended by the server's time-out, if not sooner.
    for (const { client } of streams)
      if (!client.writableNeedDrain && !client.writableEnded) client.write(BEAT);
  };

  const dismiss = (): void => {
    for (const { client } of streams) if (!client.writableEnded) client.end();
  };

  const isFull = (): boolean => places.taken >= totalMax;

  return {
    findRefusal(address) {
      if (ended) return 'service';
      if (places.of(address) >= perAddressMax) return 'address';
      return isFull() && !places.findLargest(address) ? 'service' : undefined;
    },
    take(client, address, onLeave) {
      const [oldest] = (isFull() && places.findLargest(address)?.items) || [];
      const holder = places.take(address);
      const stream: Stream = {
        client,
        leave() {
          if (!streams.delete(stream)) return;
          holder.items.delete(stream);
          places.giveBack(holder);
          if (streams.size === 0) {
            clearInterval(beating);
            beating = undefined;
          }
          onLeave();
        },
      };
      holder.items.add(stream);
      streams.add(stream);
      beating ??= setInterval(beat, beatMs).unref();
      client.once('close', () => stream.leave());
      if (oldest) makeRoom(oldest);
    },
    taken: () => places.taken,
    dismiss,
    end() {
      ended = true;
      dismiss();
    },
  };
}

/** A client that has not taken its events would keep its connection open after the end. */
function makeRoom(stream: Stream): void {
  stream.leave();
  if (stream.client.writableLength > 0) stream.client.destroy();
  else stream.client.end();
}

/** Who sends nothing any more is gone: nobody reads events through half a connection. */
export function endWithClient(request: IncomingMessage, response: ServerResponse): void {
  request.socket.once('end', () => response.end());
}
