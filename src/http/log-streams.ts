/**
 * A log as server-sent events. Listeners who know all of it hear what is new: one look at the log serves them all. Those
 * who come back to an earlier place catch up by themselves, in turns, a page whenever they have taken the one before. So
 * nothing is held for anybody but what is on its way.
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
  /** That a listener stands there, as an event without data. */
  readonly formatPlace: (number: number) => string;
  /** What follows a number. @param rows looked at, at most */
  readonly read: (after: number, rows: number) => LogPage;
}

export interface LogPage {
  /** Events; empty where nothing in these rows is told. */
  readonly events: string;
  /** Number of the last row that was looked at. */
  readonly last: number;
  readonly hasMore: boolean;
}

export interface LogStreams {
  /** As of `StreamPlaces`. */
  findRefusal(address: string): StreamRefusal | undefined;
  /** @param after number of the last row that the client knows; undefined: it begins now */
  open(client: Writable, address: string, after: number | undefined): void;
  /** Ends every stream; from now on there is no place. */
  end(): void;
  /** Who listens now. */
  size(): number;
}

export interface LogStreamsOptions extends StreamPlacesOptions {
  readonly lookMs?: number;
  /** A listener who has not taken so much of what was sent has fallen behind. */
  readonly lateBytes?: number;
}

const LOOK_MS = 100;
const LATE_BYTES = 64 * 1024;
const LIVE_ROWS = 50;
const CATCH_UP_ROWS = 20;
/** After some work the others' turn is so many times as long. */
const REST = 3;
const COME_BACK = ': za wolno; wróć z Last-Event-ID\n\n';

interface Listener {
  readonly client: Writable;
  /** Number of the last row that it was sent. */
  at: number;
}

export function createLogStreams(
  log: FollowedLog,
  { lookMs = LOOK_MS, lateBytes = LATE_BYTES, ...bounds }: LogStreamsOptions = {},
): LogStreams {
  const places = createStreamPlaces(bounds);
  /** They stand at `told`. */
  const live = new Set<Listener>();
  /** Who has taken the page before and waits for the next one; in turn. */
  const behind = new Set<Listener>();
  let told = 0;
  let version: unknown;
  let history = '';
  let working: NodeJS.Timeout | undefined;
  let isMore = false;

  const startAnew = (): void => {
    history = log.history();
    version = log.version();
    told = log.head();
    isMore = false;
  };

  const dismiss = (): void => {
    live.clear();
    behind.clear();
    places.dismiss();
  };

  const tellLive = (): void => {
    const latest = log.version();
    if (latest === version && !isMore) return;
    if (log.history() !== history) {
      // A backup was restored. Who comes back with an event of the old log is told so.
      dismiss();
      return startAnew();
    }
    const page = log.read(told, LIVE_ROWS);
    version = latest;
    told = page.last;
    isMore = page.hasMore;
    const events = page.events === '' ? undefined : Buffer.from(page.events);
    for (const listener of live) {
      listener.at = told;
      if (!events) continue;
      const { client } = listener;
      if (client.writableLength <= lateBytes && !client.writableEnded) {
        client.write(events);
        continue;
      }
      live.delete(listener);
      if (!client.writableEnded) client.end(COME_BACK);
    }
  };

  const tellOneBehind = (): void => {
    const [listener] = behind;
    if (!listener) return;
    const { client, at } = listener;
    if (client.writableEnded) return void behind.delete(listener);
    // Never more rows than there are numbers in between, so that it comes to stand where all do.
    const page = at < told ? log.read(at, Math.min(CATCH_UP_ROWS, told - at)) : undefined;
    behind.delete(listener);
    listener.at = page?.last ?? at;
    const isTaken = !page?.events || client.write(page.events);
    if (listener.at === told) live.add(listener);
    else if (isTaken) behind.add(listener);
    else client.once('drain', () => client.writableEnded || behind.add(listener));
  };

  const work = (): void => {
    const from = performance.now();
    let waitMs = lookMs;
    try {
      tellLive();
      tellOneBehind();
      if (isMore || behind.size > 0) waitMs = 1 + REST * (performance.now() - from);
    } catch {
      // The database is away: it is tried again.
    }
    working = setTimeout(work, waitMs).unref();
  };

  const leave = (listener: Listener): void => {
    live.delete(listener);
    behind.delete(listener);
    if (places.taken() > 0) return;
    clearTimeout(working);
    working = undefined;
  };

  return {
    findRefusal: (address) => places.findRefusal(address),
    open(client, address, after) {
      if (!working) {
        startAnew();
        working = setTimeout(work, lookMs).unref();
      }
      const listener = { client, at: after ?? told };
      places.take(client, address, () => leave(listener));
      client.write(RETRY_FIELD + log.formatPlace(listener.at));
      (listener.at === told ? live : behind).add(listener);
    },
    end() {
      places.end();
      dismiss();
    },
    size: () => places.taken(),
  };
}
