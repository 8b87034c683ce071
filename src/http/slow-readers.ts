/**
 * Ends connections whose client takes its answer far too slowly. One that takes nothing is ended by the server's idle
 * time-out; a few bytes before each time-out would hold a connection, and the answer in memory, for ever.
 */
import type { Socket } from 'node:net';

export interface SlowReaderOptions {
  /** Over so long the rate is looked at. */
  readonly windowMs?: number;
  /** A client that takes less in a window is ended; answers of the service are seldom larger than this. */
  readonly windowBytesMin?: number;
}

const WINDOW_MS = 120_000;
/** 500 bytes a second: a tenth of what the slowest mobile networks carry. */
const WINDOW_BYTES_MIN = 60_000;
const LOOKS_A_WINDOW = 12;

interface Reading {
  readonly since: number;
  readonly taken: number;
}

/** @returns ends the watch */
export function endSlowReaders(
  sockets: ReadonlySet<Socket>,
  { windowMs = WINDOW_MS, windowBytesMin = WINDOW_BYTES_MIN }: SlowReaderOptions = {},
): () => void {
  const readings = new WeakMap<Socket, Reading>();
  const look = (): void => {
    const now = performance.now();
    for (const socket of sockets) {
      const waiting = bytesWaiting(socket);
      if (waiting === 0) {
        readings.delete(socket);
        continue;
      }
      const taken = socket.bytesWritten - waiting;
      const reading = readings.get(socket);
      if (reading && now - reading.since < windowMs) continue;
      if (reading && taken - reading.taken < windowBytesMin) socket.destroy();
      else readings.set(socket, { since: now, taken });
    }
  };
  const timer = setInterval(look, windowMs / LOOKS_A_WINDOW).unref();
  return () => clearInterval(timer);
}

/** What the operating system has not taken yet. Node itself reads it there: lib/net.js, Socket.prototype._onTimeout. */
function bytesWaiting(socket: Socket & { readonly _handle?: { readonly writeQueueSize: number } }): number {
  return socket._handle?.writeQueueSize ?? 0;
}
