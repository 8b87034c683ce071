import { expect, it } from 'vitest';
import { ClientSlots } from '#src/queues/client-slots.ts';

/** The clients with capital letters are /64 networks of one /48. */
function clientOf(letter: string): string {
  return /[A-Z]/.test(letter) ? `2001:db8:7:${letter.charCodeAt(0).toString(16)}` : letter;
}

it.each([
  ['the client with the most', 'aaab', 'c', 'a'],
  ['the newest of equal clients', 'aabb', 'c', 'b'],
  ['a client with two more than the newcomer', 'abbb', 'a', 'b'],
  ['nobody for a newcomer who would have as many then', 'aabbb', 'a', undefined],
  ['nobody where each client has one', 'ab', 'c', undefined],
  ['a client of the /48 with the most, though another has more for itself', 'ABCaab', 'd', 'C'],
  ['the largest client of that /48', 'AAABdd', 'e', 'A'],
  ['the largest neighbour, for a newcomer of the same /48', 'ABBBC', 'D', 'B'],
])('chooses %s to give up a slot', (_who, taken, newcomer, chosen) => {
  const slots = new ClientSlots<object>();
  for (const letter of taken) slots.acquire(clientOf(letter)).items.add({});
  const largest = slots.findLargest(clientOf(newcomer));
  expect(largest?.client).toBe(chosen && clientOf(chosen));
  expect([slots.taken, slots.countOf(clientOf('a'))]).toEqual([taken.length, taken.split('a').length - 1]);
});

it('leaves running work alone, and forgets clients and networks without slots', () => {
  const slots = new ClientSlots<object>();
  const [owner, same, neighbour] = ['A', 'A', 'B'].map((letter) => slots.acquire(clientOf(letter)));
  expect(slots.findLargest('c')).toBeUndefined();
  for (const each of [owner, same]) slots.release(each as NonNullable<typeof each>);
  expect([slots.taken, slots.countOf(clientOf('A'))]).toEqual([1, 0]);
  const again = slots.acquire(clientOf('A'));
  expect([again === owner, again.network === neighbour?.network]).toEqual([false, true]);
});
