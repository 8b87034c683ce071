import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGate } from '#src/turns/gate.ts';
import type { GateOptions } from '#src/turns/gate.ts';
import { OverloadedError } from '#src/turns/overloaded-error.ts';
import { measureHeap } from '../../support/measure-heap.ts';

const STAYS = new AbortController().signal;
/** Longer than any chain of promises in the gate. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What a promise gives or is rejected with. One that should have ended by now fails the test at once, and hangs nothing. */
async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  const caught = promise.catch((error: unknown) => error);
  return await Promise.race([caught, settled().then(() => 'nothing yet')]);
}

/** A gate in which the test ends work and pauses by hand, and that writes down what has begun. */
function open(options: Partial<GateOptions> = {}) {
  const clock = { now: 0 };
  const pauses: (() => void)[] = [];
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const gate = createGate({
    concurrency: 1,
    placesPerClient: 8,
    placesMax: 100,
    now: () => clock.now,
    pause: (next) => pauses.push(next),
    ...options,
  });
  /** A name begins with the letter of its client. */
  const ask = (name: string, signal = STAYS): Promise<string> =>
    gate.enter(name.charAt(0), signal, () => {
      begun.push(name);
      return new Promise((resolve) => endings.set(name, () => resolve(name)));
    });
  const end = async (name: string): Promise<void> => {
    endings.get(name)?.();
    endings.delete(name);
    await settled();
  };
  const goOn = (): void => {
    for (const next of pauses.splice(0)) next();
  };
  return { gate, clock, pauses, begun, endings, ask, end, goOn };
}

describe('a gate', () => {
  it('begins at once when nothing is under way, and gives back what the work gives', async () => {
    const { ask, begun, end } = open();
    const answer = ask('a1');
    expect(begun).toEqual(['a1']);
    await end('a1');
    expect(await outcomeOf(answer)).toBe('a1');
  });

  it('lets clients take turns, whoever asked for more', async () => {
    const { ask, begun, end, goOn } = open();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void ask(name);
    for (let turn = 0; turn < 7; turn += 1) {
      await end(begun.at(-1) ?? '');
      goOn();
    }
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('puts who asks while his turn is under way behind those who came before', async () => {
    const { ask, begun, end, goOn } = open();
    for (const name of ['a1', 'b1', 'a2']) void ask(name);
    await end('a1');
    goOn();
    await end('b1');
    goOn();
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  it('puts who leaves and asks again behind those who came meanwhile', async () => {
    const { ask, begun, end, goOn } = open();
    const leaving = new AbortController();
    void ask('a1');
    const left = ask('b1', leaving.signal);
    void ask('c1');
    leaving.abort(new Error('gone'));
    expect(await outcomeOf(left)).toEqual(new Error('gone'));
    void ask('b2');
    await end('a1');
    goOn();
    await end('c1');
    goOn();
    expect(begun).toEqual(['a1', 'c1', 'b2']);
  });

  it('keeps what else a client asked for when he leaves one place', async () => {
    const { ask, begun, end, goOn } = open();
    const leaving = new AbortController();
    void ask('a1');
    const left = ask('b1', leaving.signal);
    void ask('b2');
    leaving.abort(new Error('gone'));
    expect(await outcomeOf(left)).toEqual(new Error('gone'));
    await end('a1');
    goOn();
    expect(begun).toEqual(['a1', 'b2']);
  });

  it('counts the places that a client still has when one of them is given back', async () => {
    const { gate, ask, end } = open({ placesPerClient: 3, concurrency: 3 });
    for (const name of ['a1', 'a2', 'a3']) void ask(name);
    await end('a1');
    void ask('a4');
    expect(gate.load).toBe(3);
    expect(await outcomeOf(ask('a5'))).toBeInstanceOf(OverloadedError);
    for (const name of ['a2', 'a3']) await end(name);
    void ask('a6');
    void ask('a7');
    expect(await outcomeOf(ask('a8'))).toBeInstanceOf(OverloadedError);
  });

  it('holds nothing of clients that have gone', async () => {
    const gate = createGate({
      concurrency: 1,
      placesPerClient: 1,
      placesMax: 1,
      now: () => 0,
      pause: (next) => next(),
    });
    const heapBefore = measureHeap();
    for (let client = 0; client < 50_000; client += 1) {
      await gate.enter(String(client).padStart(400, 'x'), STAYS, () => undefined);
      // The turn ends a little later than the work.
      await Promise.resolve();
    }
    expect(measureHeap() - heapBefore).toBeLessThan(8 * 1024 * 1024);
    expect(gate.load).toBe(0);
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

  it('has as many turns at a time as it is told', () => {
    const { ask, begun } = open({ concurrency: 2 });
    for (const name of ['a1', 'a2', 'a3']) void ask(name);
    expect(begun).toEqual(['a1', 'a2']);
  });

  it('ends a turn when it is told to, and keeps the place until the work has ended', async () => {
    const { gate, ask, begun, end, goOn } = open({ turnOf: () => Promise.resolve(), placesPerClient: 2 });
    void ask('a1');
    void ask('a2');
    await settled();
    goOn();
    expect(begun).toEqual(['a1', 'a2']);
    expect(gate.load).toBe(2);
    expect(await outcomeOf(ask('a3'))).toBeInstanceOf(OverloadedError);
    await end('a1');
    expect(gate.load).toBe(1);
  });

  it('refuses at once what is too much for one client, and nobody else', async () => {
    const { ask, begun } = open({ placesPerClient: 2 });
    void ask('a1');
    void ask('a2');
    expect(await outcomeOf(ask('a3'))).toBeInstanceOf(OverloadedError);
    void ask('b1');
    expect(begun).toEqual(['a1']);
  });

  it('refuses at once what is too much for all together', async () => {
    const { ask } = open({ placesMax: 2 });
    void ask('a1');
    void ask('b1');
    expect(await outcomeOf(ask('c1'))).toBeInstanceOf(OverloadedError);
  });

  it.each([
    [0, 1, 1],
    [2_000, 1, 16],
    [2_000, 4, 4],
    [60_000, 1, 60],
  ])('tells by turns of %i ms, %i at a time, that asking is worth it again in %i s', async (...row) => {
    const [lastsMs, concurrency, seconds] = row;
    const { ask, end, goOn, clock } = open({ placesMax: 8, concurrency });
    for (let turn = 0; turn < 100; turn += 1) {
      void ask('a');
      clock.now += lastsMs;
      await end('a');
      goOn();
    }
    for (let turn = 0; turn < 8; turn += 1) void ask(`${turn}`);
    expect(await outcomeOf(ask('x'))).toMatchObject({ seconds });
  });

  it('gives a place back as soon as its client leaves', async () => {
    const { gate, ask, begun, end, goOn } = open({ placesPerClient: 2 });
    const leaving = new AbortController();
    void ask('a1');
    const left = ask('a2', leaving.signal);
    leaving.abort(new Error('gone'));
    expect(gate.load).toBe(1);
    expect(await outcomeOf(left)).toEqual(new Error('gone'));
    void ask('a3');
    await end('a1');
    goOn();
    expect(begun).toEqual(['a1', 'a3']);
  });

  it('takes nobody in who has left already', async () => {
    const { gate, ask, begun } = open();
    expect(await outcomeOf(ask('a1', AbortSignal.abort(new Error('gone'))))).toEqual(new Error('gone'));
    expect([gate.load, begun]).toEqual([0, []]);
  });

  it('leaves it to work under way what to do when its client leaves', async () => {
    const { gate, ask, end } = open();
    const leaving = new AbortController();
    const answer = ask('a1', leaving.signal);
    leaving.abort(new Error('gone'));
    expect(gate.load).toBe(1);
    await end('a1');
    expect(await outcomeOf(answer)).toBe('a1');
    expect(gate.load).toBe(0);
  });

  it('goes on after work that fails, at once or later', async () => {
    const { gate, ask, begun, goOn } = open();
    const failAtOnce = (): never => {
      throw new Error('at once');
    };
    expect(await outcomeOf(gate.enter('a', STAYS, failAtOnce))).toEqual(new Error('at once'));
    await settled();
    goOn();
    const failing = gate.enter('a', STAYS, () => Promise.reject(new Error('later')));
    void ask('b1');
    expect(await outcomeOf(failing)).toEqual(new Error('later'));
    await settled();
    goOn();
    expect(begun).toEqual(['b1']);
    expect(gate.load).toBe(1);
  });

  it('rejects what waits when it is closed, and what comes later', async () => {
    const { gate, ask, end } = open();
    const running = ask('a1');
    const waiting = ask('b1');
    gate.close(new Error('closed'));
    expect(await outcomeOf(waiting)).toEqual(new Error('closed'));
    expect(await outcomeOf(ask('c1'))).toEqual(new Error('closed'));
    await end('a1');
    expect(await outcomeOf(running)).toBe('a1');
    expect(gate.load).toBe(0);
  });

  it('does nothing any more for what it rejected when it was closed', async () => {
    const { gate, ask, begun, end, goOn } = open();
    const leaving = new AbortController();
    void ask('a1');
    const waiting = ask('b1', leaving.signal);
    gate.close(new Error('closed'));
    leaving.abort(new Error('gone'));
    expect(await outcomeOf(waiting)).toEqual(new Error('closed'));
    expect(gate.load).toBe(1);
    await end('a1');
    goOn();
    expect([gate.load, begun]).toEqual([0, ['a1']]);
  });

  it('by default lets everything that has arrived go first between two turns', async () => {
    const gate = createGate({ concurrency: 1, placesPerClient: 9, placesMax: 9, now: () => 0 });
    const order: string[] = [];
    const work = (name: string) => () => void order.push(name);
    setImmediate(() => order.push('cheap'));
    await Promise.all(['a1', 'a2', 'a3'].map((name) => gate.enter('a', STAYS, work(name))));
    expect(order).toEqual(['a1', 'cheap', 'a2', 'a3']);
  });

  /** What anybody may do, in any order; a model knows who should wait and who should be refused. */
  it('is full only at its bounds, never idle, in order for each client, and fair between them', async () => {
    const action = fc.oneof(
      { weight: 5, arbitrary: fc.record({ ask: fc.constantFrom('a', 'b', 'c', 'd') }) },
      { weight: 1, arbitrary: fc.record({ leave: fc.nat(20) }) },
      { weight: 4, arbitrary: fc.record({ end: fc.nat(3) }) },
    );
    const bounds = fc.record({
      concurrency: fc.integer({ min: 1, max: 3 }),
      placesPerClient: fc.integer({ min: 1, max: 4 }),
      placesMax: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(bounds, fc.array(action, { maxLength: 60, size: 'max' }), async (limits, actions) => {
        const { gate, ask, begun, endings, end, goOn } = open(limits);
        const waiting: { name: string; leaving: AbortController; overtaken: string[] }[] = [];
        const underWay: string[] = [];
        const held = (client = ''): number =>
          [...waiting.map(({ name }) => name), ...underWay].filter((name) => name.startsWith(client)).length;
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
          expect(gate.load).toBe(held());
          if (waiting.length > 0) expect(underWay.length, 'nothing is idle').toBe(limits.concurrency);
        };
        for (const [number, step] of actions.entries()) {
          if ('ask' in step) {
            const name = `${step.ask}${number}`;
            const leaving = new AbortController();
            const isFull = held(step.ask) >= limits.placesPerClient || held() >= limits.placesMax;
            if (!isFull) waiting.push({ name, leaving, overtaken: [] });
            const asked = ask(name, leaving.signal);
            asked.catch(() => {});
            if (isFull) expect(await outcomeOf(asked)).toBeInstanceOf(OverloadedError);
          } else if ('leave' in step) {
            const [left] = waiting.splice(step.leave % Math.max(1, waiting.length), 1);
            left?.leaving.abort();
          } else {
            const [name] = underWay.splice(step.end % Math.max(1, underWay.length), 1);
            if (name !== undefined) await end(name);
            goOn();
          }
          look();
        }
        for (let left = held(); left > 0; left -= 1) {
          await end(underWay.shift() ?? '');
          goOn();
          look();
        }
        expect([gate.load, endings.size, waiting.length]).toEqual([0, 0, 0]);
      }),
      { numRuns: 300 },
    );
  });
});
