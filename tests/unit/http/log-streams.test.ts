import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogStreams, type FollowedLog, type LogStreams } from '#src/http/log-streams.ts';
import type { StreamSlotsOptions } from '#src/http/stream-slots.ts';

interface Harness {
  readonly streams: LogStreams;
  /** Rows of the log: numbers from 1 on. */
  readonly append: (count?: number) => void;
  readonly restore: () => void;
  readonly fail: (isFailing: boolean) => void;
  readonly reads: number[];
}

/** Lets time go by in which all that is new is told. */
const pass = (ms = 2_000): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** @param rowText what each row's event is filled up with */
function start(options: StreamSlotsOptions = {}, rowText = ''): Harness {
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
    fail: (failing) => (isFailing = failing),
    reads,
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
    const { streams, append, reads } = start();
    const readers = Array.from({ length: 50 }, (_, place) => {
      const reader = new Reader();
      streams.open(reader, `address ${place}`, undefined);
      return reader;
    });
    append();
    await pass();
    for (const reader of readers) expect(reader.numbers()).toEqual([1]);
    expect(reads).toEqual([0]);
  });

  it('gives everybody every row once and in order, wherever he begins and whatever comes meanwhile', async () => {
    const { streams, append } = start();
    append(500);
    const readers = [0, 1, 250, 499, 500, undefined].map((after) => {
      const reader = new Reader();
      streams.open(reader, 'a', after);
      return { reader, after: after ?? 500 };
    });
    for (let round = 0; round < 20; round += 1) {
      append(round * 10);
      await pass(110);
    }
    const end = 500 + 1900;
    await pass();
    for (const { reader, after } of readers) expect(reader.numbers()).toEqual(upTo(end).slice(after));
  });

  it('holds nothing but a page for a client that takes nothing, and goes on for the others', async () => {
    const { streams, append } = start({}, 'x'.repeat(600));
    const slow = new Sleeper({ highWaterMark: 1_000 });
    const quick = new Reader();
    streams.open(slow, 'a', undefined);
    streams.open(quick, 'b', undefined);
    for (let count = 1; count <= 50; count += 1) {
      append();
      await pass();
      expect(quick.numbers()).toHaveLength(count);
    }
    expect(slow.writableLength).toBeLessThan(1_000 + 2 * 700);
    for (let page = 0; page < 10; page += 1) {
      slow.take();
      await pass();
    }
    expect(slow.numbers()).toEqual(upTo(50));
  });

  it('gives a page to who catches up only when he has taken the one before', async () => {
    const { streams, append, reads } = start({}, 'x'.repeat(1_000));
    append(200);
    const sleeper = new Sleeper({ highWaterMark: 1_000 });
    const reader = new Reader();
    streams.open(sleeper, 'a', 0);
    streams.open(reader, 'b', 0);
    await pass();
    expect(reader.numbers()).toEqual(upTo(200));
    expect(sleeper.writableLength).toBeLessThan(21 * 1_100);
    expect(reads.filter((after) => after === 0)).toHaveLength(1);
    for (let page = 0; page < 10; page += 1) {
      sleeper.take();
      await pass();
    }
    expect(sleeper.numbers()).toEqual(upTo(200));
  });

  it('ends all when the log is another one, and begins with that one', async () => {
    const { streams, append, restore } = start();
    const reader = new Reader();
    streams.open(reader, 'a', undefined);
    restore();
    await pass();
    expect(reader.writableEnded).toBe(true);
    const next = new Reader();
    streams.open(next, 'a', undefined);
    append();
    await pass();
    expect(next.numbers()).toEqual([1]);
    expect(reader.numbers()).toEqual([]);
  });

  it('tries again when the log cannot be read, and loses nothing', async () => {
    const { streams, append, fail } = start();
    append(30);
    const [live, late] = [new Reader(), new Reader()];
    streams.open(live, 'a', undefined);
    fail(true);
    streams.open(late, 'a', 0);
    append();
    await pass();
    fail(false);
    await pass();
    expect([live.numbers(), late.numbers()]).toEqual([[31], upTo(31)]);
  });

  it('ends the oldest stream of the client with the most for a newcomer, and goes on for the others', async () => {
    const { streams, append } = start({ totalMax: 3 });
    const [oldest, behind, newest, newcomer] = ['a', 'a', 'a', 'b'].map((address, at) => {
      const reader = new Reader();
      streams.open(reader, address, at === 1 ? 0 : undefined);
      return reader;
    });
    const ended = [oldest, behind, newest, newcomer].map((reader) => reader?.writableEnded);
    expect(ended).toEqual([true, false, false, false]);
    append();
    await pass();
    for (const reader of [behind, newest, newcomer]) expect(reader?.numbers()).toEqual([1]);
    expect(oldest?.text).toBe('retry: 5000\nid: 0\n\n');
    expect(streams.size()).toBe(3);
  });

  it('sends a beat to who takes it, and none to who does not', async () => {
    const { streams } = start();
    const [reader, sleeper] = [new Reader(), new Sleeper({ highWaterMark: 10 })];
    streams.open(reader, 'a', undefined);
    streams.open(sleeper, 'a', undefined);
    const before = sleeper.writableLength;
    await pass(60_000);
    expect(reader.text.match(/^:$/gm)).toHaveLength(4);
    expect(sleeper.writableLength).toBe(before);
  });
});
