/**
 * Expensive work takes turns by client: a client that asks for much waits for itself, and others do not wait for it.
 * Places are bounded for each client and for all together. When all are taken, the newest waiting work of the client
 * with the most places makes room (places.ts). Pages and searches pass a gate each.
 */
import { OverloadedError } from './overloaded-error.ts';
import { Places } from './places.ts';
import type { Holder } from './places.ts';

/** Time from the question to the begin of its work. After it a visitor has gone, or asks again. */
const WAIT_MAX_MS = 10_000;
/** When all waiting work takes longer, the IPv6 clients of one /48 share their turns. */
const LONG_MS = 1_000;
/** What a turn is taken to last before one was measured. */
const FIRST_GUESS_MS = 50;
/** How much the newest turn counts in the average. */
const NEWEST_SHARE = 0.1;
const RETRY_MAX_SECONDS = 60;

/** The client that waits for an answer. */
export interface Asker {
  /** Its address. */
  readonly client: string;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** When it asked, by the clock of the gate; absent: now. */
  readonly askedAt?: number;
}

export interface Gate {
  /**
   * Does work when its turn has come, which may be at once. Work that has not begun gives its place back as soon as the
   * client has gone; work under way has to look at the signal itself.
   * @throws {OverloadedError} when there is no place, when another client needs the place, and after 10 s; the signal's
   *   reason when it is aborted; what the work throws
   */
  enter<Result>(asker: Asker, work: () => Result | Promise<Result>): Promise<Result>;
  /** Places that are taken: by work that waits or is under way. */
  readonly load: number;
  /** Work that waits, now or later, is rejected. */
  close(reason: Error): void;
}

export interface GateOptions {
  /** Turns at a time. */
  readonly concurrency: number;
  /** Places of one client. */
  readonly placesPerClient: number;
  /** Places of all clients together. */
  readonly placesMax: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** When a turn is over; by default when its work is. Its place is taken until then in any case. */
  readonly turnOf?: (work: Promise<unknown>) => Promise<unknown>;
  /** What comes between two turns: by default everything that has arrived meanwhile. */
  readonly pause?: (next: () => void) => void;
}

/** Work that waits for its turn. */
interface Ticket {
  begin(): void;
  giveUp(reason: Error): void;
}

export function createGate({
  concurrency,
  placesPerClient,
  placesMax,
  now,
  turnOf = (work) => work,
  pause = setImmediate,
}: GateOptions): Gate {
  const places = new Places<Ticket>();
  /** Clients with waiting work; the first one has the next turn. */
  const queue = new Set<Holder<Ticket>>();
  let busy = 0;
  let averageMs = FIRST_GUESS_MS;
  let closedBy: Error | undefined;

  const waitMs = (): number => (places.taken * averageMs) / concurrency;

  const overloaded = (): OverloadedError =>
    new OverloadedError(Math.min(RETRY_MAX_SECONDS, Math.max(1, Math.ceil(waitMs() / 1_000))));

  const takePlace = (client: string): Holder<Ticket> => {
    if (places.of(client) >= placesPerClient) throw overloaded();
    if (places.taken >= placesMax) {
      const newest = [...(places.findLargest(client)?.items ?? [])].at(-1);
      if (!newest) throw overloaded();
      newest.giveUp(overloaded());
    }
    return places.take(client);
  };

  const giveTurns = (): void => {
    while (busy < concurrency) {
      const [holder] = queue;
      const [ticket] = holder?.items ?? [];
      if (!holder || !ticket) return;
      // The others have their turns first, also those that ask later.
      const [, ...neighbours] =
        waitMs() > LONG_MS ? [...queue].filter(({ network }) => network === holder.network) : [];
      for (const served of [...neighbours, holder]) {
        queue.delete(served);
        queue.add(served);
      }
      busy += 1;
      ticket.begin();
    }
  };

  const endTurn = (startedAt: number): void => {
    pause(() => {
      averageMs += (now() - startedAt - averageMs) * NEWEST_SHARE;
      busy -= 1;
      giveTurns();
    });
  };

  return {
    async enter<Result>({ client, signal, askedAt = now() }: Asker, work: () => Result | Promise<Result>) {
      signal.throwIfAborted();
      if (closedBy) throw closedBy;
      const holder = takePlace(client);
      return await new Promise<Result>((resolve, reject) => {
        const stopWaiting = (): void => {
          clearTimeout(deadline);
          signal.removeEventListener('abort', leave);
          holder.items.delete(ticket);
          if (holder.items.size === 0) queue.delete(holder);
        };
        const leave = (): void => ticket.giveUp(signal.reason as Error);
        const ticket: Ticket = {
          begin() {
            stopWaiting();
            const startedAt = now();
            const working = start(work).finally(() => places.giveBack(holder));
            working.then(resolve, reject);
            turnOf(working).then(
              () => endTurn(startedAt),
              () => endTurn(startedAt),
            );
          },
          giveUp(reason) {
            stopWaiting();
            places.giveBack(holder);
            reject(reason);
          },
        };
        // The queue of pages may have taken all of it.
        const waitLeftMs = Math.max(0, askedAt + WAIT_MAX_MS - now());
        const deadline = setTimeout(() => ticket.giveUp(overloaded()), waitLeftMs).unref();
        signal.addEventListener('abort', leave, { once: true });
        holder.items.add(ticket);
        queue.add(holder);
        giveTurns();
      });
    },
    get load() {
      return places.taken;
    },
    close(reason) {
      closedBy = reason;
      for (const { items } of queue) for (const ticket of items) ticket.giveUp(reason);
    },
  };
}

/** What it throws at once is a rejection too. */
async function start<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  return await work();
}
