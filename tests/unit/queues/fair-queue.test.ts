import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFairQueue, OverloadedError, type FairQueueOptions } from '#src/queues/fair-queue.ts';
import { trials } from '../../support/trials.ts';

const STAYS = new AbortController().signal;
/** Longer than any chain of promises in the queue. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The outcome of a promise that must be settled by now; a pending one fails the test at once. */
async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  const caught = promise.catch((error: unknown) => error);
  return await Promise.race([caught, settled().then(() => 'nothing yet')]);
}

/** A name begins with its client. The clients with capital letters are /64 networks of one /48. */
function clientOf(name: string): string {
  const letter = name.charAt(0);
  return /[A-Z]/.test(letter) ? `2001:db8:7:${letter.charCodeAt(0).toString(16)}` : letter;
}

/** A queue whose work and pauses the test ends, and the names of the work that has begun. */
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
  const endPause = (): void => {
    for (const next of pauses.splice(0)) next();
  };
  /** Ends each work and the pause after it. */
  const pass = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      await end(name);
      endPause();
    }
  };
  return { queue, clock, begun, endings, ask, end, endPause, pass };
}

it('rejects the newest work of the client with the most when all slots are taken', async () => {
  const { queue, ask } = open({ slotsMax: 5 });
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'];
  const outcomes = await Promise.all(names.map((name) => outcomeOf(ask(name))));
  expect(names.filter((_name, at) => outcomes[at] instanceof OverloadedError)).toEqual(['a4']);
  expect(queue.load).toBe(5);
});

it('begins the next work after the pause that follows a turn', async () => {
  const { ask, begun, end, endPause } = open();
  void ask('a1');
  await end('a1');
  void ask('b1');
  expect(begun).toEqual(['a1']);
  endPause();
  expect(begun).toEqual(['a1', 'b1']);
});

it('lets events that have arrived pass between two turns by default', async () => {
  const queue = createFairQueue({ concurrency: 1, slotsPerClient: 9, slotsMax: 9, now: () => 0 });
  const order: string[] = [];
  setImmediate(() => order.push('cheap'));
  const names = ['a1', 'a2', 'a3'];
  const run = (name: string) => queue.run({ client: 'a', signal: STAYS }, () => void order.push(name));
  await Promise.all(names.map(run));
  expect(order).toEqual(['a1', 'cheap', 'a2', 'a3']);
});

it('ends a turn before the work ends where turnEndOf says so, and keeps its slot until then', async () => {
  const { queue, ask, begun, end, endPause } = open({
    turnEndOf: () => Promise.resolve(),
    slotsPerClient: 2,
  });
  for (const name of ['a1', 'a2']) void ask(name);
  await settled();
  endPause();
  expect([begun, queue.load]).toEqual([['a1', 'a2'], 2]);
  expect(await outcomeOf(ask('a3'))).toBeInstanceOf(OverloadedError);
  await end('a1');
  expect(queue.load).toBe(1);
});

it.each([
  ['one by one while the wait is under a second', 50, ['A1', 'B1', 'C1', 'a1', 'b1']],
  ['as one client while the wait is longer', 5_000, ['A1', 'a1', 'b1', 'B1', 'C1']],
])('serves the clients of one /48 %s', async (_how, turnMs, order) => {
  const { ask, begun, clock, pass } = open();
  for (const name of ['x', 'A1', 'B1', 'C1', 'a1', 'b1']) void ask(name);
  for (const name of ['x', ...order]) {
    clock.now += turnMs;
    await pass(name);
  }
  expect(begun).toEqual(['x', ...order]);
});

it('rejects work 10 s after its client asked, and clears the timer of work that waits no longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { queue, clock, ask, pass } = open();
  void ask('a1');
  clock.now = 4_000;
  const late = ask('b1', STAYS, 0);
  const leaving = new AbortController();
  void ask('c1', leaving.signal);
  void ask('d1');
  vi.advanceTimersByTime(5_999);
  expect(await outcomeOf(late)).toBe('nothing yet');
  vi.advanceTimersByTime(1);
  expect(await outcomeOf(late)).toMatchObject({ name: 'OverloadedError', retryAfterSeconds: 1 });
  expect([queue.load, vi.getTimerCount()]).toEqual([3, 2]);
  leaving.abort();
  await pass('a1');
  expect([queue.load, vi.getTimerCount()]).toEqual([1, 0]);
});

it.each([
  [0, 1, 1],
  [2_000, 1, 16],
  [2_000, 4, 4],
  [60_000, 1, 60],
])('estimates from turns of %i ms, %i at a time, a wait of %i s', async (lastsMs, concurrency, seconds) => {
  const { ask, clock, pass } = open({ slotsMax: 8, concurrency });
  for (let turn = 0; turn < 100; turn += 1) {
    void ask('a');
    clock.now += lastsMs;
    await pass('a');
  }
  for (let turn = 0; turn < 8; turn += 1) void ask(`${turn}`);
  expect(await outcomeOf(ask('x'))).toMatchObject({ retryAfterSeconds: seconds });
});

it('refuses a client that has left, and lets work under way end when its client leaves', async () => {
  const { queue, ask, begun, pass } = open();
  expect(await outcomeOf(ask('a1', AbortSignal.abort(new Error('gone'))))).toEqual(new Error('gone'));
  const leaving = new AbortController();
  const answer = ask('a2', leaving.signal);
  leaving.abort();
  expect([queue.load, begun]).toEqual([1, ['a2']]);
  await pass('a2');
  expect([await outcomeOf(answer), queue.load]).toEqual(['a2', 0]);
});

it.each([
  ['throws', () => expect.unreachable('no luck')],
  ['rejects', () => Promise.reject(new Error('no luck'))],
])('begins the next work after work that %s', async (_how, fail) => {
  const { queue, ask, begun, endPause } = open();
  const failing = queue.run({ client: 'a', signal: STAYS }, fail);
  void ask('b1');
  expect(String(await outcomeOf(failing))).toContain('no luck');
  await settled();
  endPause();
  expect([begun, queue.load]).toEqual([['b1'], 1]);
});

it('rejects waiting and later work when it is stopped', async () => {
  const { queue, ask, begun, pass } = open();
  const leaving = new AbortController();
  const running = ask('a1');
  const waiting = ask('b1', leaving.signal);
  queue.stop(new Error('stopped'));
  leaving.abort(new Error('gone'));
  for (const asked of [waiting, ask('c1')]) expect(await outcomeOf(asked)).toEqual(new Error('stopped'));
  await pass('a1');
  expect([await outcomeOf(running), queue.load, begun]).toEqual(['a1', 0, ['a1']]);
});

it('keeps its bounds, is never idle, and passes over no client twice (property)', async () => {
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
      let waiting: { name: string; leaving: AbortController; overtaken: string[] }[] = [];
      const refused: string[] = [];
      const firstOf = (client: string) => waiting.find(({ name }) => name.startsWith(client));
      const heldBy = (client: string): number =>
        [...waiting.map(({ name }) => name), ...endings.keys()].filter((name) => name.startsWith(client))
          .length;
      /** Checks what has begun since the last look. */
      const look = (): void => {
        for (const name of begun.splice(0)) {
          const client = name.charAt(0);
          expect(firstOf(client)?.name, 'the oldest of its client').toBe(name);
          waiting = waiting.filter((one) => one.name !== name);
          for (const other of new Set(waiting.map((one) => one.name.charAt(0)))) {
            if (other === client) continue;
            const overtaken = firstOf(other)?.overtaken;
            expect(overtaken, `${other} waits for each other client once`).not.toContain(client);
            overtaken?.push(client);
          }
        }
        expect(queue.load).toBe(heldBy(''));
        if (waiting.length > 0) expect(endings.size, 'nothing is idle').toBe(limits.concurrency);
      };
      for (const [number, step] of actions.entries()) {
        if ('ask' in step) {
          const isFull = heldBy('') >= limits.slotsMax || heldBy(step.ask) >= limits.slotsPerClient;
          const asked = { name: `${step.ask}${number}`, leaving: new AbortController(), overtaken: [] };
          waiting.push(asked);
          ask(asked.name, asked.leaving.signal).catch((error: unknown) => {
            if (error instanceof OverloadedError) refused.push(asked.name);
            waiting = waiting.filter((other) => other !== asked);
          });
          await settled();
          expect(refused.splice(0)).toHaveLength(isFull ? 1 : 0);
        } else if ('leave' in step) {
          waiting[step.leave % Math.max(1, waiting.length)]?.leaving.abort();
          await settled();
        } else {
          await pass([...endings.keys()][step.end % Math.max(1, endings.size)] ?? '');
        }
        look();
      }
      for (; endings.size > 0; look()) await pass([...endings.keys()][0] ?? '');
      expect([queue.load, waiting.length]).toEqual([0, 0]);
    }),
    { numRuns: trials(100, 2_000) },
  );
});
