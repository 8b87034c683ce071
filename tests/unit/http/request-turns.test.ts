import { expect, it } from 'vitest';
import { createRequestTurns } from '#src/http/request-turns.ts';

const { signal } = new AbortController();
const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Requests whose work moves the clock; `done` has the clients in the order of their work. */
function open() {
  const clock = { now: 0 };
  const done: string[] = [];
  const turns = createRequestTurns(() => clock.now);
  const ask = (client: string, ms: number, failure?: Error): unknown =>
    turns.run({ client, signal, askedAt: clock.now }, () => {
      clock.now += ms;
      done.push(client);
      if (failure) throw failure;
    });
  return { done, ask };
}

it('answers at once within 5 ms of a round, and in the next round again', async () => {
  const { done, ask } = open();
  for (let request = 0; request < 50; request += 1) ask('a', 0.1);
  expect(done).toHaveLength(50);
  await nextRound();
  for (let request = 0; request < 50; request += 1) ask('a', 0.1);
  expect(done).toHaveLength(100);
});

it('lets a client with many slow requests wait, and none with few', async () => {
  const { done, ask } = open();
  const waiting = ['a', 'a', 'a', 'a', 'a', 'a'].map((client) => ask(client, 10));
  ask('b', 1);
  // The third one began the queue.
  expect(done).toEqual(['a', 'a', 'a', 'b']);
  await nextRound();
  ask('b', 1);
  expect(done.slice(0, 5)).toEqual(['a', 'a', 'a', 'b', 'b']);
  await Promise.all(waiting);
  expect(done).toHaveLength(8);
});

it('gives the IPv6 networks of one /48 one allowance', () => {
  const { done, ask } = open();
  for (let at = 0; at < 64; at += 1) ask(`2001:db8:7:${at}`, 10);
  expect(done).toHaveLength(3);
});

it('gives events a round between two turns of 5 ms', async () => {
  const { done, ask } = open();
  const waiting = Array.from({ length: 20 }, () => ask('a', 2));
  let rounds = 0;
  const count = (): void => {
    rounds += 1;
    if (done.length < 20) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(waiting);
  expect(done).toHaveLength(20);
  expect(rounds).toBeGreaterThanOrEqual(4);
});

it('fails with the error of the work, whether it waited or not', async () => {
  const { ask } = open();
  const fail = (): unknown => ask('a', 10, new Error('broken'));
  expect(fail).toThrow('broken');
  expect(fail).toThrow('broken');
  await expect(fail()).rejects.toThrow('broken');
});
