import { htmlAnswer } from './error-answers.ts';
import { PAGES_LIMIT } from '../rate-limit.ts';
import { takeFromPageLimit } from './page-limit.ts';
import { send } from './send-answer.ts';
import type { FrontDoor, Visit } from './visit.ts';

export function serveEvents(door: FrontDoor, visit: Visit, topic: string): void {
  const { request, response } = visit;
  const seconds = takeFromPageLimit(door, visit, PAGES_LIMIT);
  if (seconds === undefined) door.events.serve(request, response, topic, door.clientAddressOf(request));
  else send(visit, htmlAnswer(429, door.errorPages.rateLimited(seconds)));
}
