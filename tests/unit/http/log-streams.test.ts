import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogStreams, type FollowedLog } from '#src/http/log-streams.ts';
import { measureHeap } from '../../support/measure-heap.ts';

/** Lets time go by in which all that is new is told. */
const pass = (ms = 2_000): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** Streams of a log whose rows are numbers from 1 on. @param rowText what each row's event is filled up with */
function start(options: Parameters<typeof createLogStreams>[1] = {}, rowText = '') {
  let head = 0;
  let history = 'first';
  let isFailing = false;
  const reads: number[] = [];
  const log: FollowedLog = {
    readHead: () => ({ history, seq: head }),
    formatPlace: (number) => `id: ${number}\n\n`,
    read: (after, rows) => {
      if (isFailing) throw new Error('the database is away');
      reads.push(after);
      const last = Math.min(head, after + rows);
      const numbers = Array.from({ length: last - after }, (_, place) => after + place + 1);
      const events = numbers.map((number) => `id: ${number}\ndata: ${number}${rowText}\n\n`).join('');
      return { events, last };
    },
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const streams = createLogStreams(log, options);
  onTestFinished(() => {
    streams.end();
    vi.useRealTimers();
  });
  return {
    streams,
    append: (count = 1) => (head += count),
    restore: () => (history = 'second'),
    fail: (failing: boolean) => (isFailing = failing),
    reads,
    /** A reader of the rows from here on. */
    follow: (address: string, after?: number): Reader => {
      const reader = new Reader();
      streams.open(reader, address, after);
      return reader;
    },
  };
}

/** Takes all at once. */
class Reader extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
  numbers(): number[] {
    return [...this.text.matchAll(/^data: (\d+)/gm)].map(([, number]) => Number(number));
  }
}

/** Takes nothing until it is let. */
class Sleeper extends Reader {
  #waiting: (() => void) | undefined;
  override _write(chunk: Buffer, encoding: string, done: () => void): void {
    this.#waiting = () => super._write(chunk, encoding, done);
  }
  /** Takes all that waits, one write after the other. */
  take(): void {
    for (let next = this.#waiting; next; next = this.#waiting) {
      this.#waiting = undefined;
      next();
    }
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, place) => place + 1);

describe('a log as a stream', () => {
  it('is read once for all who know all of it', async () => {
    const { append, follow, reads } = start();
    const readers = Array.from({ length: 50 }, (_, place) => follow(`address ${place}`));
    append();
    await pass();
    for (const reader of readers) expect(reader.text).toBe('retry: 5000\nid: 0\n\nid: 1\ndata: 1\n\n');
    expect(reads).toEqual([0]);
  });

  it('gives everybody every row once and in order, wherever he begins and whatever comes meanwhile', async () => {
    const { append, follow } = start();
    append(500);
    const readers = [0, 1, 250, 499, 500, undefined].map((after) => ({
      reader: follow('a', after),
      after: after ?? 500,
    }));
    for (let round = 0; round < 20; round += 1) {
      append(round * 10);
      await pass(110);
    }
    const end = 500 + 1900;
    await pass();
    for (const { reader, after } of readers) expect(reader.numbers()).toEqual(upTo(end).slice(after));
  });

  it.each([
    ['holds little more than a page for a client that takes nothing', 0],
    ['gives a page to who catches up only when he has taken the one before', 200],
  ])('%s, and goes on for the others', async (_what, before) => {
    const { streams, append, follow } = start({}, 'x'.repeat(1_000));
    append(before);
    const sleeper = new Sleeper({ highWaterMark: 1_000 });
    streams.open(sleeper, 'a', 0);
    const reader = follow('b', 0);
    for (let count = 1; count <= 50; count += 1) {
      append();
      await pass();
      expect(reader.numbers()).toEqual(upTo(before + count));
    }
    expect(sleeper.writableLength).toBeLessThan(21 * 1_100);
    for (let page = 0; page < 20; page += 1) {
      sleeper.take();
      await pass();
    }
    expect(sleeper.numbers()).toEqual(upTo(before + 50));
  });

  it('ends all when the log is another one, and begins with that one', async () => {
    const { streams, append, restore, follow } = start();
    // It stays open until its client has read the end.
    const reader = new Sleeper();
    streams.open(reader, 'a', undefined);
    restore();
    await pass();
    expect(reader.writableEnded).toBe(true);
    const next = follow('a');
    append();
    await pass();
    expect([next.numbers(), reader.numbers()]).toEqual([[1], []]);
  });

  it('tries again when the log cannot be read, and loses nothing', async () => {
    const { append, fail, follow } = start();
    append(30);
    const live = follow('a');
    fail(true);
    const late = follow('a', 0);
    append();
    await pass();
    fail(false);
    await pass();
    expect([live.numbers(), late.numbers()]).toEqual([[31], upTo(31)]);
  });

  it('sends a beat to who takes it, and none to who does not', async () => {
    const { streams, follow } = start();
    const reader = follow('a');
    const sleeper = new Sleeper({ highWaterMark: 10 });
    streams.open(sleeper, 'a', undefined);
    const before = sleeper.writableLength;
    await pass(60_000);
    expect(reader.text.match(/^:$/gm)).toHaveLength(4);
    expect(sleeper.writableLength).toBe(before);
  });
});

/** How client-slots.ts chooses who gives one up; among the networks of a /48 it is in fair-queue.test.ts. */
describe('slots of streams', () => {
  /** Opens a stream for each name, if it is not refused; a name begins with its client. */
  const open = (names: string, options: { totalMax: number; perAddressMax?: number }) => {
    const started = start(options);
    const readers: Record<string, Reader> = {};
    const refused: string[] = [];
    for (const name of names.split(' ')) {
      const address = name.charAt(0);
      if (started.streams.findRefusal(address)) refused.push(name);
      else readers[name] = started.follow(address);
    }
    return { ...started, readers, refused };
  };

  it.each([
    ['the oldest stream of the client with the most', 'a1 a2 a3 b1 c1', 'a1', ''],
    ['one after the other, never the first of a newcomer', 'a1 a2 a3 b1 c1 d1 e1', 'a1 a2', 'e1'],
    ['none for a client that has the most', 'a1 b1 b2 b3 b4', '', 'b4'],
  ])('end, when all are taken, %s', async (_what, names, ended, refused) => {
    const opened = open(names, { totalMax: 4 });
    const told = (isEnded: boolean): string[] =>
      Object.keys(opened.readers).filter((name) => opened.readers[name]?.writableEnded === isEnded);
    expect([told(true).join(' '), opened.refused.join(' ')]).toEqual([ended, refused]);
    expect(opened.streams.size()).toBe(4);
    opened.append();
    await pass();
    for (const [name, reader] of Object.entries(opened.readers))
      expect(reader.numbers()).toEqual(told(true).includes(name) ? [] : [1]);
  });

  it('are counted by address while some are free, and freed once by a stream that ends', async () => {
    const { readers, refused, streams } = open('a1 a2 a3 b1', { totalMax: 6, perAddressMax: 2 });
    expect([refused, streams.findRefusal('a')]).toEqual([['a3'], 'streams_taken']);
    readers['a1']?.destroy();
    await expect.poll(() => streams.size()).toBe(2);
    expect(streams.findRefusal('a')).toBeUndefined();
    streams.end();
    expect(streams.findRefusal('a')).toBe('overloaded');
  });

  it('break the connection of a client that has not taken its events', () => {
    const { streams, follow } = start({ totalMax: 3 });
    const sleeper = new Sleeper();
    streams.open(sleeper, 'a', undefined);
    const [polite] = [follow('a'), follow('a')];
    for (const address of ['b', 'c']) follow(address);
    expect([sleeper.destroyed, polite.destroyed, polite.writableEnded]).toEqual([true, false, true]);
  });

  it('hold nothing of streams that have ended', () => {
    const { streams } = open('a1 a2', { totalMax: 2 });
    const heapBefore = measureHeap();
    for (let number = 0; number < 4_000; number += 1) {
      const reader = new Reader();
      streams.open(reader, String(number).padStart(4_000, 'x'), undefined);
      reader.emit('close');
    }
    expect(measureHeap() - heapBefore).toBeLessThan(8 * 1024 * 1024);
    expect(streams.size()).toBe(1);
  });
});
