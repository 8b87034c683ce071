/**
 * Slots of event streams, per address and in total. When all are taken, the oldest stream of the client with the most
 * streams ends (client-slots.ts), and its client reconnects.
 */
import type { Writable } from 'node:stream';
import { ClientSlots } from '../turns/client-slots.ts';

export interface StreamSlotsOptions {
  readonly perAddressMax?: number;
  readonly totalMax?: number;
}

interface Stream {
  readonly client: Writable;
  readonly release: () => void;
}

/** Several people behind the address of a school or provider. */
export const PER_ADDRESS_MAX = 20;
const TOTAL_MAX = 2_000;
/** Shorter than the idle time-outs of proxies and of our server. */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ':\n\n';

const RETRY_MS = 5_000;
export const RETRY_FIELD = `retry: ${RETRY_MS}\n`;
export const NO_SLOT_SECONDS = 30;

export class StreamSlots {
  readonly #slots = new ClientSlots<Stream>();
  readonly #streams = new Set<Stream>();
  readonly #perAddressMax: number;
  readonly #totalMax: number;
  #hasEnded = false;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor({ perAddressMax = PER_ADDRESS_MAX, totalMax = TOTAL_MAX }: StreamSlotsOptions = {}) {
    this.#perAddressMax = perAddressMax;
    this.#totalMax = totalMax;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** @returns `address` when it has too many streams; `service` when no client has more, or the process ends */
  findRefusal(address: string): 'address' | 'service' | undefined {
    if (this.#hasEnded) return 'service';
    if (this.#slots.countOf(address) >= this.#perAddressMax) return 'address';
    return this.#isFull && !this.#slots.findLargest(address) ? 'service' : undefined;
  }

  /** @param onRelease is called once */
  acquire(client: Writable, address: string, onRelease: () => void): void {
    const [oldest] = (this.#isFull && this.#slots.findLargest(address)?.items) || [];
    const owner = this.#slots.acquire(address);
    const stream: Stream = {
      client,
      release: () => {
        if (!this.#streams.delete(stream)) return;
        owner.items.delete(stream);
        this.#slots.release(owner);
        if (this.#streams.size === 0) {
          clearInterval(this.#heartbeat);
          this.#heartbeat = undefined;
        }
        onRelease();
      },
    };
    owner.items.add(stream);
    this.#streams.add(stream);
    this.#heartbeat ??= setInterval(() => this.#sendHeartbeat(), HEARTBEAT_MS).unref();
    client.once('close', stream.release);
    if (!oldest) return;
    oldest.release();
    // A client that does not read would keep its connection open.
    if (oldest.client.writableLength > 0) oldest.client.destroy();
    else oldest.client.end();
  }

  closeAll(): void {
    for (const { client } of this.#streams) if (!client.writableEnded) client.end();
  }

  /** Refuses new streams too: the clients reconnect to the next process. */
  end(): void {
    this.#hasEnded = true;
    this.closeAll();
  }

  get #isFull(): boolean {
    return this.#streams.size >= this.#totalMax;
  }

  #sendHeartbeat(): void {
    // The idle time-out ends a client that does not read.
    for (const { client } of this.#streams)
      if (!client.writableNeedDrain && !client.writableEnded) client.write(HEARTBEAT);
  }
}
