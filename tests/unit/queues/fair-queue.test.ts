import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFairQueue, OverloadedError, type FairQueueOptions } from '#src/queues/fair-queue.ts';
import { measureHeap } from '../../support/measure-heap.ts';
import { trials } from '../../support/trials.ts';

const STAYS = new AbortController().signal;
/** Longer than any chain of promises in the queue. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The outcome of a promise that must be settled by now; a pending one fails the test at once. */
async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  const caught = promise.catch((error: unknown) => error);
  return await Promise.race([caught, settled().then(() => 'nothing yet')]);
}

/** A name begins with the letter of its client. The clients with capital letters are /64 networks of one /48. */
function clientOf(name: string): string {
  const letter = name.charAt(0);
  return /[A-Z]/.test(letter) ? `2001:db8:7:${letter.charCodeAt(0).toString(16)}` : letter;
}

/** Settles with the names that were refused or evicted, in the order of the questions. */
async function overloadedOf(asked: Readonly<Record<string, Promise<unknown>>>): Promise<string[]> {
  const outcomes = await Promise.all(
    Object.entries(asked).map(async ([name, promise]) => [name, await outcomeOf(promise)] as const),
  );
  return outcomes.filter(([, outcome]) => outcome instanceof OverloadedError).map(([name]) => name);
}

/** A queue in which the test ends work and pauses by hand, and that writes down what has begun. */
function open(options: Partial<FairQueueOptions> = {}) {
  const clock = { now: 0 };
  const pauses: (() => void)[] = [];
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const queue = createFairQueue({
    concurrency: 1,
    slotsPerClient: 8,
    slotsMax: 100,
    now: () => clock.now,
    pause: (next) => pauses.push(next),
    ...options,
  });
  const ask = (name: string, signal = STAYS, askedAt = clock.now): Promise<string> => {
    const asked = queue.run({ client: clientOf(name), signal, askedAt }, () => {
      begun.push(name);
      return new Promise<string>((resolve) => endings.set(name, () => resolve(name)));
    });
    // Some tests look at what has begun, and not at what is refused.
    asked.catch(() => {});
    return asked;
  };
  const end = async (name: string): Promise<void> => {
    endings.get(name)?.();
    endings.delete(name);
    await settled();
  };
  const goOn = (): void => {
    for (const next of pauses.splice(0)) next();
  };
  /** Ends work, its turn and the pause after it. */
  const pass = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      await end(name);
      goOn();
    }
  };
  return { queue, clock, pauses, begun, endings, ask, end, goOn, pass };
}

describe('a fair queue', () => {
  it.each([
    ['one after the other, whoever asked for more', 'a1 a2 a3 a4 b1 b2 c1', 'a1 a2 b1 c1 a3 b2 a4'],
    ['those who came before first, when one asks while his turn is under way', 'a1 b1 a2', 'a1 b1 a2'],
  ])('lets clients take turns, %s', async (_how, names, order) => {
    const { ask, begun, pass } = open();
    for (const name of names.split(' ')) void ask(name);
    for (const name of order.split(' ')) await pass(name);
    expect(begun.join(' ')).toBe(order);
  });

  it('puts who leaves and asks again behind those who came meanwhile', async () => {
    const { ask, begun, pass } = open();
    const leaving = new AbortController();
    void ask('a1');
    const left = ask('b1', leaving.signal);
    void ask('c1');
    leaving.abort(new Error('gone'));
    expect(await outcomeOf(left)).toEqual(new Error('gone'));
    void ask('b2');
    await pass('a1', 'c1');
    expect(begun).toEqual(['a1', 'c1', 'b2']);
  });

  it('holds nothing of evicted work and of clients that have gone', async () => {
    const { queue, begun } = open({ slotsMax: 3 });
    void queue.run({ client: 'a', signal: STAYS }, () => new Promise(() => {}));
    const heapBefore = measureHeap();
    for (let number = 0; number < 2_000; number += 1) {
      const leaving = new AbortController();
      const asked = ['x', 'x', 'y'].map((letter) =>
        queue
          .run({ client: letter + String(number).padStart(4_000, 'x'), signal: leaving.signal }, () =>
            begun.push(letter),
          )
          .catch((error: unknown) => error),
      );
      expect(await asked[1]).toBeInstanceOf(OverloadedError);
      leaving.abort(new Error('gone'));
      await Promise.all(asked);
    }
    expect(measureHeap() - heapBefore).toBeLessThan(8 * 1024 * 1024);
    expect([queue.load, begun]).toEqual([1, []]);
  });

  it('begins nothing between the end of a turn and the end of the pause', async () => {
    const { ask, begun, end, goOn } = open();
    void ask('a1');
    await end('a1');
    void ask('b1');
    expect(begun).toEqual(['a1']);
    goOn();
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('ends a turn when it is told to, and keeps the place until the work has ended', async () => {
    const { queue, ask, begun, end, goOn } = open({ turnOf: () => Promise.resolve(), slotsPerClient: 2 });
    void ask('a1');
    void ask('a2');
    await settled();
    goOn();
    expect(begun).toEqual(['a1', 'a2']);
    expect(queue.load).toBe(2);
    expect(await outcomeOf(ask('a3'))).toBeInstanceOf(OverloadedError);
    await end('a1');
    expect(queue.load).toBe(1);
  });

  /** All names ask in this order; the last ones find all places taken. Of single clients log-streams.test.ts has a table. */
  it.each([
    ['in the /48 with the most, whatever single clients have', 'A1 B1 C1 a1 a2 D1 b1', 'D1'],
    ['of a neighbour in the same /48, for a newcomer of it', 'A1 B1 B2 B3 C1 D1 E1', 'B3'],
  ])('ends, when all places are taken, %s', async (_what, names, overloaded) => {
    const { queue, ask } = open({ slotsMax: 6 });
    const asked = Object.fromEntries(names.split(' ').map((name) => [name, ask(name)]));
    expect(await overloadedOf(asked)).toEqual(overloaded.split(' '));
    expect(queue.load).toBe(6);
  });

  it.each([
    ['one by one while all are done within a second', 50, ['A1', 'B1', 'C1', 'a1', 'b1']],
    ['as one client while they take longer', 5_000, ['A1', 'a1', 'b1', 'B1', 'C1']],
  ])('gives turns to the clients of one /48 %s', async (_how, turnMs, order) => {
    const { ask, begun, clock, pass } = open();
    void ask('x');
    for (const name of ['A1', 'B1', 'C1', 'a1', 'b1']) void ask(name);
    for (const name of ['x', ...order]) {
      clock.now += turnMs;
      await pass(name);
    }
    expect(begun).toEqual(['x', ...order]);
  });

  describe('of which work waits', () => {
    const start = (): ReturnType<typeof open> => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      return open();
    };

    it('refuses it 10 s after its client asked, and gives its place back', async () => {
      const { queue, ask, clock, begun, pass } = start();
      const underWay = ask('a1');
      clock.now = 4_000;
      const late = ask('b1', STAYS, 0);
      const later = ask('c1');
      vi.advanceTimersByTime(5_999);
      expect(await outcomeOf(late)).toBe('nothing yet');
      vi.advanceTimersByTime(1);
      expect(await outcomeOf(late)).toMatchObject({ name: 'OverloadedError', retryAfterSeconds: 1 });
      expect(queue.load).toBe(2);
      vi.advanceTimersByTime(4_000);
      expect(await outcomeOf(later)).toBeInstanceOf(OverloadedError);
      await pass('a1');
      expect(await outcomeOf(underWay)).toBe('a1');
      expect([begun, queue.load]).toEqual([['a1'], 0]);
    });

    it('keeps no timer for work that has begun, was evicted or has no client any more', async () => {
      const { queue, ask, pass } = start();
      const leaving = new AbortController();
      for (const name of ['a1', 'b1', 'd1']) void ask(name);
      void ask('c1', leaving.signal);
      expect(vi.getTimerCount()).toBe(3);
      leaving.abort();
      await pass('a1');
      expect(vi.getTimerCount()).toBe(1);
      queue.stop(new Error('closed'));
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  it.each([
    [0, 1, 1],
    [2_000, 1, 16],
    [2_000, 4, 4],
    [60_000, 1, 60],
  ])('tells by turns of %i ms, %i at a time, that asking is worth it again in %i s', async (...row) => {
    const [lastsMs, concurrency, seconds] = row;
    const { ask, clock, pass } = open({ slotsMax: 8, concurrency });
    for (let turn = 0; turn < 100; turn += 1) {
      void ask('a');
      clock.now += lastsMs;
      await pass('a');
    }
    for (let turn = 0; turn < 8; turn += 1) void ask(`${turn}`);
    expect(await outcomeOf(ask('x'))).toMatchObject({ retryAfterSeconds: seconds });
  });

  it('takes nobody in who has left already', async () => {
    const { queue, ask, begun } = open();
    expect(await outcomeOf(ask('a1', AbortSignal.abort(new Error('gone'))))).toEqual(new Error('gone'));
    expect([queue.load, begun]).toEqual([0, []]);
  });

  it('leaves it to work under way what to do when its client leaves', async () => {
    const { queue, ask, end } = open();
    const leaving = new AbortController();
    const answer = ask('a1', leaving.signal);
    leaving.abort(new Error('gone'));
    expect(queue.load).toBe(1);
    await end('a1');
    expect(await outcomeOf(answer)).toBe('a1');
    expect(queue.load).toBe(0);
  });

  it.each([
    [
      'at once',
      () => {
        throw new Error('no luck');
      },
    ],
    ['later', () => Promise.reject(new Error('no luck'))],
  ])('goes on after work that fails %s', async (_when, fail) => {
    const { queue, ask, begun, goOn } = open();
    const failing = queue.run({ client: 'a', signal: STAYS }, fail);
    void ask('b1');
    expect(await outcomeOf(failing)).toEqual(new Error('no luck'));
    await settled();
    goOn();
    expect([begun, queue.load]).toEqual([['b1'], 1]);
  });

  it('rejects what waits when it is closed, once, and what comes later', async () => {
    const { queue, ask, begun, pass } = open();
    const leaving = new AbortController();
    const running = ask('a1');
    const waiting = ask('b1', leaving.signal);
    queue.stop(new Error('closed'));
    leaving.abort(new Error('gone'));
    expect(await outcomeOf(waiting)).toEqual(new Error('closed'));
    expect(await outcomeOf(ask('c1'))).toEqual(new Error('closed'));
    expect(queue.load).toBe(1);
    await pass('a1');
    expect(await outcomeOf(running)).toBe('a1');
    expect([queue.load, begun]).toEqual([0, ['a1']]);
  });

  it('by default lets everything that has arrived go first between two turns', async () => {
    const queue = createFairQueue({ concurrency: 1, slotsPerClient: 9, slotsMax: 9, now: () => 0 });
    const order: string[] = [];
    const work = (name: string) => () => void order.push(name);
    setImmediate(() => order.push('cheap'));
    await Promise.all(
      ['a1', 'a2', 'a3'].map((name) => queue.run({ client: 'a', signal: STAYS }, work(name))),
    );
    expect(order).toEqual(['a1', 'cheap', 'a2', 'a3']);
  });

  /** Random operations of clients; a model knows which client waits and which is refused. */
  it('is full only at its bounds, never idle, in order for each client, and fair between them', async () => {
    const action = fc.oneof(
      { weight: 5, arbitrary: fc.record({ ask: fc.constantFrom('a', 'b', 'A', 'B') }) },
      { weight: 1, arbitrary: fc.record({ leave: fc.nat(20) }) },
      { weight: 4, arbitrary: fc.record({ end: fc.nat(3) }) },
    );
    const bounds = fc.record({
      concurrency: fc.integer({ min: 1, max: 3 }),
      slotsPerClient: fc.integer({ min: 1, max: 4 }),
      slotsMax: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(bounds, fc.array(action, { maxLength: 60, size: 'max' }), async (limits, actions) => {
        const { queue, ask, begun, endings, pass } = open(limits);
        const waiting: { name: string; leaving: AbortController; overtaken: string[] }[] = [];
        const underWay: string[] = [];
        const rejected: [name: string, error: unknown][] = [];
        const held = (clients: string | RegExp = ''): number =>
          [...waiting.map(({ name }) => name), ...underWay].filter((name) => name.search(clients) === 0)
            .length;
        /** The clients that may have to make room for this one; none: it is refused. */
        const findLargest = (newcomer: string): string[] => {
          const networkOf = (client: string): RegExp | string => (/[A-Z]/.test(client) ? /[A-Z]/ : client);
          const isNear = (client: string): boolean => `${networkOf(client)}` === `${networkOf(newcomer)}`;
          const others = [...new Set(waiting.map(({ name }) => name.charAt(0)))].filter((client) =>
            isNear(client)
              ? held(client) > held(newcomer) + 1
              : held(networkOf(client)) > held(networkOf(newcomer)) + 1,
          );
          const mostOf = (names: string[], count: (client: string) => number): string[] =>
            names.filter((client) => count(client) === Math.max(...names.map(count)));
          return mostOf(
            mostOf(others, (client) => held(networkOf(client))),
            held,
          );
        };
        let seen = 0;
        /** Checks what has begun since the last look. */
        const look = (): void => {
          for (const name of begun.slice(seen)) {
            const client = name.charAt(0);
            const first = waiting.find((other) => other.name.startsWith(client));
            expect(first?.name, 'the oldest of its client').toBe(name);
            waiting.splice(waiting.indexOf(first as (typeof waiting)[number]), 1);
            underWay.push(name);
            const firsts = waiting.filter(
              (one, place) =>
                !waiting.slice(0, place).some((other) => other.name.startsWith(one.name.charAt(0))),
            );
            for (const { name: other, overtaken } of firsts) {
              if (other.startsWith(client)) continue;
              overtaken.push(client);
              expect(new Set(overtaken).size, `${other} waits for each other client once`).toBe(
                overtaken.length,
              );
            }
          }
          seen = begun.length;
          expect(queue.load).toBe(held());
          if (waiting.length > 0) expect(underWay.length, 'nothing is idle').toBe(limits.concurrency);
        };
        for (const [number, step] of actions.entries()) {
          if ('ask' in step) {
            const name = `${step.ask}${number}`;
            const leaving = new AbortController();
            const isFull = held() >= limits.slotsMax;
            const newest = (isFull ? findLargest(step.ask) : []).map(
              (client) => waiting.findLast((other) => other.name.startsWith(client))?.name,
            );
            const isTooMuch = held(step.ask) >= limits.slotsPerClient;
            ask(name, leaving.signal).catch((error: unknown) => rejected.push([name, error]));
            await settled();
            waiting.push({ name, leaving, overtaken: [] });
            const going = isTooMuch || (isFull && newest.length === 0) ? [name] : newest;
            const gone = rejected.splice(0);
            expect(gone.length).toBe(Math.min(1, going.length));
            for (const [other, error] of gone) {
              expect(going).toContain(other);
              expect(error).toBeInstanceOf(OverloadedError);
              waiting.splice(
                waiting.findIndex((one) => one.name === other),
                1,
              );
            }
          } else if ('leave' in step) {
            const [left] = waiting.splice(step.leave % Math.max(1, waiting.length), 1);
            left?.leaving.abort();
            await settled();
            rejected.length = 0;
          } else {
            const [name] = underWay.splice(step.end % Math.max(1, underWay.length), 1);
            if (name !== undefined) await pass(name);
          }
          look();
        }
        for (let left = held(); left > 0; left -= 1) {
          await pass(underWay.shift() ?? '');
          look();
        }
        expect([queue.load, endings.size, waiting.length]).toEqual([0, 0, 0]);
      }),
      { numRuns: trials(100, 2_000) },
    );
  });
});
