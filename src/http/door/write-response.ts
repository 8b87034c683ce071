/** What a visit parts with leaves at the end of its turn, together with others. */
import type { ServerResponse } from 'node:http';
import { answerFailure } from './answer-failure.ts';
import type { FrontDoor, Parting, Visit } from './visit.ts';

const SHORT_BYTES = 4_096;

export function writeResponse(door: FrontDoor, visit: Visit): void {
  const { request, response, parting } = visit;
  if (!parting || response.headersSent || response.destroyed) return;
  try {
    response.writeHead(parting.status, parting.head);
    if (request.method === 'HEAD') response.end();
    else endWith(response, parting);
    door.meter?.end(visit.route, parting.status, visit.begunAt, request);
  } catch (error) {
    visit.parting = undefined;
    answerFailure(door, visit, error);
  }
}

/** A short body leaves in one piece with the head: as text, each character of which is a byte. */
function endWith(response: ServerResponse, { body }: Parting): void {
  if (Buffer.isBuffer(body) && body.length <= SHORT_BYTES) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
}
