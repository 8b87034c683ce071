/** What a visit parts with leaves at the end of its turn, together with others. */
import { answerFailure } from './answer-failure.ts';
import type { FrontDoor, Visit } from './visit.ts';

export function writeResponse(door: FrontDoor, visit: Visit): void {
  const { request, response, parting } = visit;
  if (!parting || response.headersSent || response.destroyed) return;
  try {
    response.writeHead(parting.status, parting.head);
    if (request.method === 'HEAD') response.end();
    else response.end(parting.body);
    door.meter?.end(visit.route, parting.status, visit.begunAt, request);
  } catch (error) {
    visit.parting = undefined;
    answerFailure(door, visit, error);
  }
}
