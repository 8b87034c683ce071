/**
 * A log as server-sent events. A subscriber gets the next page after it has received the one before, so that memory
 * holds one page each. A page is read once for all subscribers with the same cursor. When all slots are taken, the
 * oldest stream of the client with the most streams ends (client-slots.ts), and its client reconnects.
 */
import { performance } from 'node:perf_hooks';
import type { Writable } from 'node:stream';
import { ClientSlots, type SlotOwner } from '../queues/client-slots.ts';

export interface FollowedChanges {
  /** The name of the log, because row numbers of another log have no meaning in it, and its last row, or 0. Cheap. */
  readonly readHead: () => { readonly logId: string; readonly seq: number };
  /** An event without data, for the client's cursor. */
  readonly formatPlace: (number: number) => string;
  /** Rows that are not public have no event, and count for `last`. */
  readonly read: (after: number, rowsMax: number) => { readonly events: string; readonly last: number };
}

export const EVENTS_TYPE = 'text/event-stream; charset=utf-8';

interface Subscriber {
  readonly stream: Writable;
  readonly owner: SlotOwner<Subscriber>;
  /** Number of the last sent row. */
  at: number;
}

/** Several people behind the address of a school or provider. */
export const PER_ADDRESS_MAX = 20;
const TOTAL_MAX = 2_000;
export const NO_SLOT_SECONDS = 30;
const POLL_MS = 100;
const PAGE_ROWS = 20;
/** While clients catch up, other work gets three times as long as their pages. */
const PAUSE_FACTOR = 3;
/** Shorter than the idle time-outs of proxies and of our server. */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ':\n\n';
const RETRY_FIELD = 'retry: 5000\n';

export function createChangeStreams(
  changeLog: FollowedChanges,
  { perAddressMax = PER_ADDRESS_MAX, totalMax = TOTAL_MAX } = {},
) {
  const slots = new ClientSlots<Subscriber>();
  /** The longest wait comes first. */
  const subscribers = new Set<Subscriber>();
  let logId = '';
  /** The last row that a poll has seen. */
  let seen = 0;
  let isCatchingUp = false;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  const sendPage = (at: number, head: number, ready: readonly Subscriber[]): void => {
    const { events, last } = changeLog.read(at, Math.min(PAGE_ROWS, head - at));
    const chunk = Buffer.from(events);
    for (const subscriber of ready) {
      if (subscriber.at !== at) continue;
      subscriber.at = last;
      if (chunk.length > 0) subscriber.stream.write(chunk);
      subscribers.delete(subscriber);
      subscribers.add(subscriber);
    }
  };

  const closeAll = (): void => {
    for (const { stream } of subscribers) stream.end();
  };

  /** Sends a page for the newest cursor and one for the longest wait. @returns false without a ready subscriber */
  const sendPages = (): boolean => {
    const { logId: current, seq: head } = changeLog.readHead();
    if (current !== logId) {
      // A backup was restored. Clients with an event of the old log get 410.
      logId = current;
      closeAll();
      return false;
    }
    if (head === seen && !isCatchingUp) return false;
    const lagging = [...subscribers].filter(({ at, stream }) => at < head && !stream.writableEnded);
    const ready = lagging.filter(({ stream }) => !stream.writableNeedDrain);
    const [first] = ready;
    const newest = Math.max(...ready.map(({ at }) => at));
    for (const at of first ? new Set([newest, first.at]) : []) sendPage(at, head, ready);
    seen = head;
    isCatchingUp = lagging.some(({ at }) => at < head);
    return first !== undefined;
  };

  const poll = (): void => {
    const from = performance.now();
    let waitMs = POLL_MS;
    try {
      if (sendPages() && isCatchingUp)
        waitMs = Math.min(POLL_MS, 1 + PAUSE_FACTOR * (performance.now() - from));
    } catch {
      // The database cannot be read now.
    }
    timer = setTimeout(poll, waitMs).unref();
  };

  const sendHeartbeat = (): void => {
    // The idle time-out ends a client that does not read.
    for (const { stream } of subscribers)
      if (!stream.writableNeedDrain && !stream.writableEnded) stream.write(HEARTBEAT);
  };

  const release = (subscriber: Subscriber): void => {
    if (!subscribers.delete(subscriber)) return;
    subscriber.owner.items.delete(subscriber);
    slots.release(subscriber.owner);
    if (subscribers.size > 0) return;
    clearTimeout(timer);
    clearInterval(heartbeat);
    timer = undefined;
  };

  const makeRoomFor = (address: string): void => {
    const [oldest] = slots.findLargest(address)?.items ?? [];
    if (!oldest) return;
    release(oldest);
    // A client that does not read would keep its connection open.
    if (oldest.stream.writableLength > 0) oldest.stream.destroy();
    else oldest.stream.end();
  };

  return {
    /** @returns `overloaded` also when the process ends */
    findRefusal(address: string): 'streams_taken' | 'overloaded' | undefined {
      if (hasEnded) return 'overloaded';
      if (slots.countOf(address) >= perAddressMax) return 'streams_taken';
      return slots.taken >= totalMax && !slots.findLargest(address) ? 'overloaded' : undefined;
    },
    /** @param after number of the client's last row; undefined: from now on */
    open(stream: Writable, address: string, after: number | undefined): void {
      const { logId: current, seq: head } = changeLog.readHead();
      if (slots.taken >= totalMax) makeRoomFor(address);
      if (!timer) {
        logId = current;
        timer = setTimeout(poll, POLL_MS).unref();
        heartbeat = setInterval(sendHeartbeat, HEARTBEAT_MS).unref();
      }
      const owner = slots.acquire(address);
      const subscriber = { stream, owner, at: after ?? head };
      owner.items.add(subscriber);
      subscribers.add(subscriber);
      isCatchingUp ||= subscriber.at < head;
      stream.once('close', () => release(subscriber));
      stream.write(RETRY_FIELD + changeLog.formatPlace(subscriber.at));
    },
    /** Refuses new streams too: the clients reconnect to the next process. */
    end(): void {
      hasEnded = true;
      closeAll();
    },
    size: () => slots.taken,
  };
}
