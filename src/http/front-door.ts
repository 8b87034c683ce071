/**
 * The front door: every request passes here, in this order: target (request-target.ts), API or page, rate limit
 * (rate-limit.ts), method, answer (endpoint.ts, shared-cache.ts), conditional request (etag.ts). It knows no noun; what it
 * serves is handed in by src/site.ts.
 *
 * Here is the way in. The rest is in door/: serve-api.ts, serve-page.ts, serve-file.ts and serve-events.ts decide what
 * a request gets; answer-from-cache.ts and make-page.ts find or make it; send-answer.ts says it, in the form of
 * send-form.ts; write-response.ts sends it. visit.ts is what all of them hand on.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createBatchedResponses } from './batched-responses.ts';
import { answerFailure } from './door/answer-failure.ts';
import { send } from './door/send-answer.ts';
import { serveApi } from './door/serve-api.ts';
import { serveEvents } from './door/serve-events.ts';
import { serveKnownPage, servePages } from './door/serve-page.ts';
import { isApi, isRead } from './door/visit.ts';
import type { FrontDoor, Visit } from './door/visit.ts';
import { writeResponse } from './door/write-response.ts';
import { errorAnswer } from './endpoint.ts';
import { parseRequestTarget } from './request-target.ts';

const NO_HEADERS: readonly string[] = [];
const ignore = (): void => {};

export function createFrontDoor(door: FrontDoor): RequestListener {
  const post = createBatchedResponses<Visit>((visit) => writeResponse(door, visit));
  return (request, response) => {
    response.on('error', ignore); // The client went away; nobody is left to tell.
    const begunAt = door.meter ? door.meter.begin() : 0;
    const visit: Visit = {
      request,
      response,
      own: NO_HEADERS,
      parting: undefined,
      route: 'none',
      begunAt,
      post,
    };
    try {
      closeAfterBody(request, response);
      const target = parseRequestTarget(request);
      if (!target) send(visit, errorAnswer('bad_request'));
      else if (isRead(request) && door.pageParameters[target.path]) serveKnownPage(door, visit, target);
      else if (isApi(door, target.path)) serveApi(door, visit, target);
      else if (isRead(request) && door.topicOf(target.path) !== undefined)
        serveEvents(door, visit, door.topicOf(target.path) ?? '');
      else servePages(door, visit, target);
    } catch (error) {
      answerFailure(door, visit, error);
    }
  };
}

/** Bodies are never read: a request that brings one gets its answer, and the connection ends. */
function closeAfterBody(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || (length !== undefined && length !== '0'))
    response.setHeader('Connection', 'close');
}
