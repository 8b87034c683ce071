/** Room for clients who listen to server-sent events: bounded per address and in all, kept awake, ended together. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

export interface StreamPlacesOptions {
  readonly perAddressMax?: number;
  readonly totalMax?: number;
  readonly beatMs?: number;
}

/** `address`: it has as many as one may have. `service`: all places are taken, or it ends. */
export type StreamRefusal = 'address' | 'service';

export interface StreamPlaces {
  /** Who refuses another stream to this address; undefined: there is a place. */
  findRefusal(address: string): StreamRefusal | undefined;
  /** The place is free again when the client has gone. @param onLeave told of that */
  take(client: Writable, address: string, onLeave: () => void): void;
  /** Places that are taken. */
  taken(): number;
  /** Ends every stream; listeners come back. */
  dismiss(): void;
  /** The same, and from now on there is no place: they come back to whoever serves then. */
  end(): void;
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
/** What whoever finds no place is told to wait. */
export const NO_PLACE_SECONDS = 30;

export function createStreamPlaces({
  perAddressMax = PER_ADDRESS_MAX,
  totalMax = TOTAL_MAX,
  beatMs = BEAT_MS,
}: StreamPlacesOptions = {}): StreamPlaces {
  const clients = new Set<Writable>();
  const byAddress = new Map<string, number>();
  let ended = false;
  let beating: NodeJS.Timeout | undefined;

  const beat = (): void => {
    // Who does not take what was sent before is ended by the server's time-out, if not sooner.
    for (const client of clients) if (!client.writableNeedDrain && !client.writableEnded) client.write(BEAT);
  };

  const dismiss = (): void => {
    for (const client of clients) if (!client.writableEnded) client.end();
  };

  return {
    findRefusal(address) {
      if (ended || clients.size >= totalMax) return 'service';
      return (byAddress.get(address) ?? 0) < perAddressMax ? undefined : 'address';
    },
    take(client, address, onLeave) {
      clients.add(client);
      byAddress.set(address, (byAddress.get(address) ?? 0) + 1);
      beating ??= setInterval(beat, beatMs).unref();
      client.once('close', () => {
        clients.delete(client);
        const left = (byAddress.get(address) ?? 1) - 1;
        if (left > 0) byAddress.set(address, left);
        else byAddress.delete(address);
        if (clients.size === 0) {
          clearInterval(beating);
          beating = undefined;
        }
        onLeave();
      });
    },
    taken: () => clients.size,
    dismiss,
    end() {
      ended = true;
      dismiss();
    },
  };
}

/** Who sends nothing any more is gone: nobody reads events through half a connection. */
export function endWithClient(request: IncomingMessage, response: ServerResponse): void {
  request.socket.once('end', () => response.end());
}
