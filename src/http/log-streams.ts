/**
 * A log as server-sent events. Every subscriber has a cursor of its own; a page is read once for all who stand at the same
 * place, and a subscriber gets the next one when it has taken the one before. So only what is on its way is in memory.
 */
import { performance } from 'node:perf_hooks';
import type { Writable } from 'node:stream';
import { createStreamPlaces, RETRY_FIELD } from './stream-places.ts';
import type { StreamPlacesOptions, StreamRefusal } from './stream-places.ts';

/** A log whose rows have growing numbers. */
export interface FollowedLog {
  /** Differs when there is something new; cheap. */
  readonly version: () => unknown;
  /** Name of the log; numbers of another one mean nothing in it. */
  readonly history: () => string;
  /** Number of its last row, 0 when there is none. */
  readonly head: () => number;
  /** That a subscriber stands there, as an event without data. */
  readonly formatPlace: (number: number) => string;
  /** Reads the rows that follow a number. @param rows the most that are looked at */
  readonly read: (after: number, rows: number) => LogPage;
}

export interface LogPage {
  /** Events; empty where nothing in these rows is public. */
  readonly events: string;
  /** Number of the last row that was looked at. */
  readonly last: number;
  readonly hasMore: boolean;
}

export interface LogStreams {
  /** As `StreamPlaces` has it. */
  findRefusal(address: string): StreamRefusal | undefined;
  /** @param after number of the last row that the client knows; undefined: it begins now */
  open(client: Writable, address: string, after: number | undefined): void;
  /** Ends every stream; from now on there is no place. */
  end(): void;
  /** Subscribers now. */
  size(): number;
}

interface Subscriber {
  readonly client: Writable;
  /** Number of the last row that it was sent. */
  at: number;
}

const POLL_MS = 100;
const PAGE_ROWS = 20;
/** Other work gets this many times as long as the pages of those who catch up. */
const REST = 3;

export function createLogStreams(log: FollowedLog, bounds: StreamPlacesOptions = {}): LogStreams {
  const places = createStreamPlaces(bounds);
  /** The one that has waited longest first. */
  const subscribers = new Set<Subscriber>();
  let version: unknown;
  let history = '';
  let isBehind = false;
  let working: NodeJS.Timeout | undefined;

  const dismiss = (): void => {
    subscribers.clear();
    places.dismiss();
  };

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

  /** Sends a page to those who know most, and one to those who have waited longest. @returns whether there was one */
  const sendPages = (): boolean => {
    const latest = log.version();
    if (latest === version && !isBehind) return false;
    if (log.history() !== history) {
      // A backup was restored. A client that comes back with an event of the old log gets 410.
      history = log.history();
      dismiss();
      return false;
    }
    const head = log.head();
    const isReady = ({ at, client }: Subscriber): boolean =>
      at < head && !client.writableNeedDrain && !client.writableEnded;
    const ready = [...subscribers].filter(isReady);
    const [first] = ready;
    const newest = Math.max(...ready.map(({ at }) => at));
    for (const at of first ? new Set([newest, first.at]) : []) sendPage(at, head, ready);
    version = latest;
    isBehind = [...subscribers].some(({ at }) => at < head);
    return first !== undefined;
  };

  const work = (): void => {
    const from = performance.now();
    let waitMs = POLL_MS;
    try {
      if (sendPages() && isBehind) waitMs = Math.min(POLL_MS, 1 + REST * (performance.now() - from));
    } catch {
      // The database is away: it is tried again.
    }
    working = setTimeout(work, waitMs).unref();
  };

  const leave = (subscriber: Subscriber): void => {
    subscribers.delete(subscriber);
    if (places.taken() > 0) return;
    clearTimeout(working);
    working = undefined;
  };

  return {
    findRefusal: (address) => places.findRefusal(address),
    open(client, address, after) {
      if (!working) {
        history = log.history();
        working = setTimeout(work, POLL_MS).unref();
      }
      const head = log.head();
      const subscriber = { client, at: after ?? head };
      isBehind ||= subscriber.at < head;
      places.take(client, address, () => leave(subscriber));
      client.write(RETRY_FIELD + log.formatPlace(subscriber.at));
      subscribers.add(subscriber);
    },
    end() {
      places.end();
      dismiss();
    },
    size: () => places.taken(),
  };
}
