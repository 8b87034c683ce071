/**
 * A log as server-sent events. A subscriber gets the next page after it has received the one before, so that memory
 * holds one page each. A page is read once for all subscribers with the same cursor.
 */
import { performance } from 'node:perf_hooks';
import type { Writable } from 'node:stream';
import { RETRY_FIELD, StreamSlots, type StreamSlotsOptions } from './stream-slots.ts';

export interface FollowedLog {
  /** The name of the log, because row numbers of another log have no meaning in it, and its last row, or 0. Cheap. */
  readonly readHead: () => { readonly history: string; readonly seq: number };
  /** An event without data, for the client's cursor. */
  readonly formatPlace: (number: number) => string;
  /** Rows that are not public have no event, and count for `last`. */
  readonly read: (after: number, rowsMax: number) => { readonly events: string; readonly last: number };
}

export type LogStreams = ReturnType<typeof createLogStreams>;

interface Subscriber {
  readonly client: Writable;
  /** Number of the last sent row. */
  at: number;
}

const POLL_MS = 100;
const PAGE_ROWS = 20;
/** While clients catch up, other work gets three times as long as their pages. */
const PAUSE_FACTOR = 3;

export function createLogStreams(log: FollowedLog, options: StreamSlotsOptions = {}) {
  const slots = new StreamSlots(options);
  /** The longest wait comes first. */
  const subscribers = new Set<Subscriber>();
  let history = '';
  /** The last row that a poll has seen. */
  let seen = 0;
  let isCatchingUp = false;
  let timer: NodeJS.Timeout | undefined;

  const sendPage = (at: number, head: number, ready: readonly Subscriber[]): void => {
    const { events, last } = log.read(at, Math.min(PAGE_ROWS, head - at));
    const chunk = Buffer.from(events);
    for (const subscriber of ready) {
      if (subscriber.at !== at) continue;
      subscriber.at = last;
      if (chunk.length > 0) subscriber.client.write(chunk);
      subscribers.delete(subscriber);
      subscribers.add(subscriber);
    }
  };

  /** Sends a page for the newest cursor and one for the longest wait. @returns false without a ready subscriber */
  const sendPages = (): boolean => {
    const { history: current, seq: head } = log.readHead();
    if (current !== history) {
      // A backup was restored. Clients with an event of the old log get 410.
      history = current;
      subscribers.clear();
      slots.closeAll();
      return false;
    }
    if (head === seen && !isCatchingUp) return false;
    const isReady = ({ at, client }: Subscriber): boolean =>
      at < head && !client.writableNeedDrain && !client.writableEnded;
    const ready = [...subscribers].filter(isReady);
    const [first] = ready;
    const newest = Math.max(...ready.map(({ at }) => at));
    for (const at of first ? new Set([newest, first.at]) : []) sendPage(at, head, ready);
    seen = head;
    isCatchingUp = [...subscribers].some(({ at }) => at < head);
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

  const remove = (subscriber: Subscriber): void => {
    subscribers.delete(subscriber);
    if (slots.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };

  return {
    findRefusal: (address: string) => slots.findRefusal(address),
    /** @param after number of the client's last row; undefined: from now on */
    open(client: Writable, address: string, after: number | undefined): void {
      const { history: current, seq: head } = log.readHead();
      if (!timer) {
        history = current;
        timer = setTimeout(poll, POLL_MS).unref();
      }
      const subscriber = { client, at: after ?? head };
      isCatchingUp ||= subscriber.at < head;
      slots.acquire(client, address, () => remove(subscriber));
      client.write(RETRY_FIELD + log.formatPlace(subscriber.at));
      subscribers.add(subscriber);
    },
    end(): void {
      subscribers.clear();
      slots.end();
    },
    size: () => slots.size,
  };
}
