import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StreamSlots } from '#src/http/stream-slots.ts';
import { measureHeap } from '../../support/measure-heap.ts';

/** Takes a place for each name, if there is one; a name begins with its client. */
function open(names: readonly string[], totalMax: number, perAddressMax = 20) {
  const slots = new StreamSlots({ totalMax, perAddressMax });
  onTestFinished(() => slots.end());
  const clients = new Map<string, PassThrough>();
  const refused: string[] = [];
  const left: string[] = [];
  const ask = (name: string): void => {
    const letter = name.charAt(0);
    const address = /[A-Z]/.test(letter) ? `2001:db8:7:${letter.charCodeAt(0).toString(16)}` : letter;
    if (slots.findRefusal(address)) return void refused.push(name);
    const client = new PassThrough();
    clients.set(name, client);
    slots.acquire(client, address, () => left.push(name));
  };
  for (const name of names) ask(name);
  return { slots, clients, refused, left, ask };
}

describe('places of streams', () => {
  it.each([
    ['the oldest stream of the client with the most', 4, 'a1 a2 a3 b1 c1', 'a1', ''],
    ['one after the other, never the first of a newcomer', 4, 'a1 a2 a3 b1 c1 d1 e1', 'a1 a2', 'e1'],
    ['none for a client that has the most', 4, 'a1 b1 b2 b3 b4', '', 'b4'],
    ['none for a client that would have as many as any other', 4, 'a1 a2 b1 b2 a3', '', 'a3'],
    ['one in the /48 with the most, whatever single clients have', 6, 'A1 B1 B2 C1 a1 a2 b1', 'B1', ''],
    ['one of a neighbour in the same /48, for a newcomer of it', 6, 'A1 B1 B2 B3 C1 D1 E1', 'B1', ''],
  ])('end, when all are taken, %s', (_what, totalMax, names, ended, refused) => {
    const opened = open(names.split(' '), totalMax);
    expect(opened.left.join(' ')).toBe(ended);
    expect(opened.refused.join(' ')).toBe(refused);
    expect(opened.slots.size).toBe(totalMax);
    const over = [...opened.clients].filter(([, client]) => client.writableEnded).map(([name]) => name);
    expect(over.join(' ')).toBe(ended);
  });

  it('count each /64 for itself while places are free', () => {
    const { refused, left } = open(['A1', 'A2', 'A3', 'B1', 'B2', 'B3', 'a1'], 6, 2);
    expect([refused, left]).toEqual([['A3', 'B3'], []]);
  });

  it('are free again at once, and only once, when a stream ends to make room', async () => {
    const { slots, clients, left } = open(['a1', 'a2', 'b1'], 2);
    expect(slots.size).toBe(2);
    clients.get('a1')?.resume();
    await expect.poll(() => clients.get('a1')?.closed).toBe(true);
    expect([slots.size, left]).toEqual([2, ['a1']]);
  });

  it('break the connection of a client that has not taken its events, and end the others politely', () => {
    const { clients, ask } = open(['a1', 'a2', 'a3'], 3);
    // More than a stream takes that nobody reads from.
    clients.get('a1')?.write('x'.repeat(100_000));
    clients.get('a1')?.write('x');
    for (const name of ['b1', 'c1']) ask(name);
    expect(['a1', 'a2'].map((name) => clients.get(name)?.destroyed)).toEqual([true, false]);
    expect(clients.get('a2')?.writableEnded).toBe(true);
  });

  it('hold nothing of streams that have ended', () => {
    const { slots, left } = open(['a1', 'a2'], 2);
    const heapBefore = measureHeap();
    for (let number = 0; number < 4_000; number += 1) {
      const client = new PassThrough();
      const address = String(number).padStart(4_000, 'x');
      slots.acquire(client, address, () => left.push(''));
      client.emit('close');
    }
    expect(measureHeap() - heapBefore).toBeLessThan(8 * 1024 * 1024);
    expect(slots.size).toBe(1);
  });
});
