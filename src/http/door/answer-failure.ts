import { errorAnswer } from '../endpoint.ts';
import { failedPage } from './error-answers.ts';
import { send } from './send-answer.ts';
import { isApi } from './visit.ts';
import type { FrontDoor, Visit } from './visit.ts';

/** The last resort: something here or in Astro's handler broke. */
export function answerFailure(door: FrontDoor, visit: Visit, error: unknown): void {
  const { request, response, route } = visit;
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  if (response.headersSent) {
    door.log.error({ err: error, route }, 'answer broke off');
    // The client must neither take a part for the whole nor wait for the rest.
    if (!response.writableEnded) response.destroy();
  } else if (isApi(door, path)) {
    door.log.error({ err: error, route }, 'request failed');
    send(visit, errorAnswer('internal'));
  } else {
    send(visit, failedPage(door, route, error));
  }
}
