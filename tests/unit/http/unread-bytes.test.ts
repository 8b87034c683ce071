import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createUnreadBytes } from '#src/http/unread-bytes.ts';

const KB = 1024;

/** Unread responses of at most 100 kB together, and the names of those that are disconnected. */
function open() {
  const unread = createUnreadBytes(100 * KB);
  const ended: string[] = [];
  const add = (name: string, kilobytes: number, client = name.charAt(0)) => {
    const response = Object.assign(new EventEmitter(), {
      destroy: () => {
        ended.push(name);
        // As the events of a socket do, it comes later.
        setImmediate(() => response.emit('close'));
      },
    });
    unread.add(response as unknown as ServerResponse, client, kilobytes * KB);
    return response;
  };
  return { unread, ended, add };
}

it('has no room for the client with the most bytes, and room for others', () => {
  const { unread, add } = open();
  add('a1', 50);
  const last = add('a2', 40);
  expect(unread.hasRoomFor('a', 10 * KB)).toBe(true);
  expect([unread.hasRoomFor('a', 20 * KB), unread.hasRoomFor('b', 20 * KB)]).toEqual([false, true]);
  expect(unread.hasRoomFor('b', 90 * KB)).toBe(false);
  last.emit('close');
  expect(unread.hasRoomFor('a', 20 * KB)).toBe(true);
});

it('disconnects the oldest responses of the client with the most bytes', async () => {
  const { ended, add } = open();
  for (const name of ['a1', 'a2', 'a3']) add(name, 30);
  add('b1', 30);
  expect(ended).toEqual(['a1']);
  add('b2', 40);
  expect(ended).toEqual(['a1', 'b1']);
  await new Promise(setImmediate);
  add('a4', 8);
  expect(ended).toEqual(['a1', 'b1', 'a2']);
});

it('counts the IPv6 networks of one /48 together', () => {
  const { unread, ended, add } = open();
  for (const at of [1, 2, 3, 4]) add(`six${at}`, 20, `2001:db8:7:${at}`);
  expect(unread.hasRoomFor('2001:db8:7:5', 30 * KB)).toBe(false);
  add('a1', 30);
  expect(ended).toHaveLength(1);
});

it('never refuses a small response, and disconnects its own client where no other has more', () => {
  const { unread, ended, add } = open();
  add('a1', 95);
  expect(unread.hasRoomFor('a', 15 * KB)).toBe(true);
  add('a2', 15);
  expect(ended).toEqual(['a1']);
});

it('knows a client whose responses without a body ended before', () => {
  const { unread, add } = open();
  const [first, second] = [add('a1', 0), add('a2', 0)];
  first.emit('close');
  add('a3', 90);
  second.emit('close');
  expect(unread.hasRoomFor('b', 20 * KB)).toBe(true);
});
