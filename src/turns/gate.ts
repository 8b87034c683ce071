/**
 * Expensive work takes turns by client: whoever asks for much waits behind himself, not in front of others. What is
 * held is bounded, for each client and for all together; more is refused at once (overloaded-error.ts). Pages that are
 * rendered and searches pass a gate each.
 */
import { OverloadedError } from './overloaded-error.ts';

/** What a turn is taken to last before one was measured. */
const FIRST_GUESS_MS = 50;
/** How much the newest turn counts in the average. */
const NEWEST_SHARE = 0.1;
const RETRY_MAX_SECONDS = 60;

export interface Gate {
  /**
   * Does work when its turn has come, which may be at once.
   * @param client whose turn it takes
   * @param signal aborted when nobody waits any more: work that has not begun gives its place back at once, work under
   *   way has to look at the signal itself
   * @throws {OverloadedError} when there is no place; the signal's reason when it is aborted; what the work throws
   */
  enter<Result>(client: string, signal: AbortSignal, work: () => Result | Promise<Result>): Promise<Result>;
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
  /** What waits, by client; the client that comes first has the next turn. */
  const queues = new Map<string, Set<Ticket>>();
  /** Places that each client has. */
  const places = new Map<string, number>();
  let load = 0;
  let busy = 0;
  let averageMs = FIRST_GUESS_MS;
  let closedBy: Error | undefined;

  const takePlace = (client: string): void => {
    const taken = places.get(client) ?? 0;
    if (taken >= placesPerClient || load >= placesMax) {
      const seconds = Math.ceil((load * averageMs) / concurrency / 1_000);
      throw new OverloadedError(Math.min(RETRY_MAX_SECONDS, Math.max(1, seconds)));
    }
    places.set(client, taken + 1);
    load += 1;
  };

  const givePlaceBack = (client: string): void => {
    const left = (places.get(client) ?? 0) - 1;
    if (left > 0) places.set(client, left);
    else places.delete(client);
    load -= 1;
  };

  const giveTurns = (): void => {
    while (busy < concurrency) {
      const [next] = queues;
      if (!next) return;
      const [client, tickets] = next;
      const [ticket] = tickets;
      // Behind the others, if it has more.
      queues.delete(client);
      if (!ticket) continue;
      tickets.delete(ticket);
      if (tickets.size > 0) queues.set(client, tickets);
      busy += 1;
      ticket.begin();
    }
  };

  const endTurn = (startedAt: number): void => {
    averageMs += (now() - startedAt - averageMs) * NEWEST_SHARE;
    pause(() => {
      busy -= 1;
      giveTurns();
    });
  };

  return {
    async enter<Result>(client: string, signal: AbortSignal, work: () => Result | Promise<Result>) {
      signal.throwIfAborted();
      if (closedBy) throw closedBy;
      takePlace(client);
      return await new Promise<Result>((resolve, reject) => {
        const tickets = queues.get(client) ?? new Set<Ticket>();
        const leave = (): void => {
          tickets.delete(ticket);
          if (tickets.size === 0) queues.delete(client);
          ticket.giveUp(signal.reason as Error);
        };
        const ticket: Ticket = {
          begin() {
            signal.removeEventListener('abort', leave);
            const startedAt = now();
            const working = start(work).finally(() => givePlaceBack(client));
            working.then(resolve, reject);
            turnOf(working).then(
              () => endTurn(startedAt),
              () => endTurn(startedAt),
            );
          },
          giveUp(reason) {
            signal.removeEventListener('abort', leave);
            givePlaceBack(client);
            reject(reason);
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        queues.set(client, tickets.add(ticket));
        giveTurns();
      });
    },
    get load() {
      return load;
    },
    close(reason) {
      closedBy = reason;
      const waiting = [...queues.values()].flatMap((tickets) => [...tickets]);
      queues.clear();
      for (const ticket of waiting) ticket.giveUp(reason);
    },
  };
}

/** What it throws at once is a rejection too. */
async function start<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  return await work();
}
