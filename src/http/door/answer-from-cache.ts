/** An answer that is kept already, or is made now. */
import type { Answer } from '../endpoint.ts';
import type { Produce } from '../shared-cache.ts';
import { Waiters } from '../waiters.ts';
import { answerFailure } from './answer-failure.ts';
import { send, sendStream } from './send-answer.ts';
import { sendForm, sendHit } from './send-form.ts';
import type { FrontDoor, Visit } from './visit.ts';

export function answerFromCache(
  door: FrontDoor,
  visit: Visit,
  key: string,
  produce: Produce,
): void {
  const hit = door.cache.find(key, produce);
  door.meter?.looked(hit !== undefined);
  if (hit) return sendHit(door, visit, hit);
  settle(door, visit, door.cache.compute(key, produce, visit.response), true);
}

/** @param looksCached as if the cache could have had it */
export function answerUncached(door: FrontDoor, visit: Visit, produce: Produce, looksCached: boolean): void {
  const waiters = new Waiters();
  const answer = produce(waiters);
  // Those that are there at once are most of them, and nobody leaves meanwhile.
  if (answer instanceof Promise) waiters.join(visit.response);
  settle(door, visit, answer, looksCached);
}

function settle(door: FrontDoor, visit: Visit, answer: Answer | Promise<Answer>, looksCached: boolean): void {
  if (!(answer instanceof Promise) && answer.stream) return sendStream(visit, answer, answer.stream);
  if (!(answer instanceof Promise)) return send(visit, answer, looksCached);
  answer.then(
    (settled) =>
      settled.form ? sendForm(door, visit, settled, looksCached) : send(visit, settled, looksCached),
    (error: unknown) => answerFailure(door, visit, error),
  );
}
