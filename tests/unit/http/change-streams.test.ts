import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createChangeStreams, type FollowedChanges } from '#src/http/change-streams.ts';

/** Lets the time pass in which every new row is sent. */
const pass = (ms = 2_000): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** Streams of a log whose rows are numbers from 1 on. @param rowText follows the number in each event */
function start(options: Parameters<typeof createChangeStreams>[1] = {}, rowText = '') {
  let head = 0;
  let logId = 'first';
  let isFailing = false;
  const reads: number[] = [];
  const log: FollowedChanges = {
    readHead: () => ({ logId, seq: head }),
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
  const streams = createChangeStreams(log, options);
  onTestFinished(() => {
    streams.end();
    vi.useRealTimers();
  });
  return {
    streams,
    append: (count = 1) => (head += count),
    restore: () => (logId = 'second'),
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

/** It reads everything at once. */
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

/** It reads nothing until `take`. */
class Sleeper extends Reader {
  #waiting: (() => void) | undefined;
  override _write(chunk: Buffer, encoding: string, done: () => void): void {
    this.#waiting = () => super._write(chunk, encoding, done);
  }
  /** It reads everything that waits, one write after the other. */
  take(): void {
    for (let next = this.#waiting; next; next = this.#waiting) {
      this.#waiting = undefined;
      next();
    }
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, place) => place + 1);

describe('a log as a stream', () => {
  it('is read once for all subscribers that know all of it', async () => {
    const { append, follow, reads } = start();
    const readers = Array.from({ length: 50 }, (_, place) => follow(`address ${place}`));
    append();
    await pass();
    for (const reader of readers) expect(reader.text).toBe('retry: 5000\nid: 0\n\nid: 1\ndata: 1\n\n');
    expect(reads).toEqual([0]);
  });

  it('reaches each subscriber once and in order, wherever it begins, while rows are added', async () => {
    const { append, follow } = start();
    append(500);
    const readers = [0, 1, 250, 499, 500, undefined].map(
      (after) => [after ?? 500, follow('a', after)] as const,
    );
    for (let round = 0; round < 20; round += 1) {
      append(round * 10);
      await pass(110);
    }
    const end = 500 + 1900;
    await pass();
    for (const [after, reader] of readers) expect(reader.numbers()).toEqual(upTo(end).slice(after));
  });

  it.each([
    ['holds little more than a page for a client that reads nothing', 0],
    ['sends the next page to a client that catches up when it has read the one before', 200],
  ])('%s, and goes on for other clients', async (_what, before) => {
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

  it('ends all streams when a restore replaces the log, and follows the new log', async () => {
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

  it('is read again after a failure, and loses no row', async () => {
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

  it('sends heartbeats to clients that read, and none to others', async () => {
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

/** Which client gives one up is in queues/client-slots.test.ts. */
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

  it('end the oldest stream of the client with the most, and no stream for a client that would have as many', async () => {
    const { append, readers, refused, streams } = open('a1 a2 a3 b1 c1 d1 e1', { totalMax: 4 });
    append();
    await pass();
    const states = Object.entries(readers).map(([name, reader]) =>
      reader.writableEnded ? `${name} ended` : `${name} ${reader.numbers().join('')}`,
    );
    expect(states.join(', ')).toBe('a1 ended, a2 ended, a3 1, b1 1, c1 1, d1 1');
    expect([refused, streams.size()]).toEqual([['e1'], 4]);
  });

  it('are limited by address, a stream that ends frees one, and the end of the process ends all', async () => {
    const { readers, refused, streams } = open('a1 a2 a3 b1', { totalMax: 6, perAddressMax: 2 });
    expect([refused, streams.findRefusal('a')]).toEqual([['a3'], 'streams_taken']);
    readers['a1']?.destroy();
    await expect.poll(() => streams.size()).toBe(2);
    expect(streams.findRefusal('a')).toBeUndefined();
    streams.end();
    expect([streams.findRefusal('a'), readers['b1']?.writableEnded]).toEqual(['overloaded', true]);
  });

  it('end with the connection where the client has not read its events', () => {
    const { streams, follow } = start({ totalMax: 3 });
    const sleeper = new Sleeper();
    streams.open(sleeper, 'a', undefined);
    const [polite] = [follow('a'), follow('a')];
    for (const address of ['b', 'c']) follow(address);
    expect([sleeper.destroyed, polite.destroyed, polite.writableEnded]).toEqual([true, false, true]);
  });
});
