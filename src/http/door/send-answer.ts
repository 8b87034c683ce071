/** What a client is answered: status, its own headers beside everybody's, and no content where it has that already. */
import type { ServerResponse } from 'node:http';
import { PREFLIGHT_HEADERS } from '../api-headers.ts';
import { VARY } from '../content-encoding.ts';
import type { Answer, StartStream } from '../endpoint.ts';
import { matchesEtag } from '../etag.ts';
import { readListHeader } from '../list-header.ts';
import type { StoredForm } from '../shared-cache.ts';
import { endWithClient } from '../stream-places.ts';
import type { Parting, Visit } from './visit.ts';

/** @param looksCached whether it is found or made now, an answer of the cache looks the same */
export function send(visit: Visit, answer: Answer, looksCached = false): void {
  if (visit.parting) return;
  const { status, body, headers } = answer;
  const isUnchanged = status === 200 && isKnown(visit, headers.ETag ?? headers.etag);
  const head = [...visit.own];
  for (const name in headers) {
    if (!isUnchanged || isOfUnchanged(name)) head.push(name, headers[name] as string);
  }
  if (looksCached && status === 200) {
    if (headers['Vary'] === undefined) head.push('Vary', VARY);
    head.push('Age', String(Math.floor((answer.ageMs ?? 0) / 1000)));
  }
  if (isUnchanged) return part(visit, { status: 304, head, body: undefined });
  head.push('Content-Length', String(Buffer.byteLength(body)));
  part(visit, { status, head, body });
}

export function sendStored(visit: Visit, stored: StoredForm, ageSeconds: number): void {
  if (visit.parting) return;
  const { etag, head: common, body, length } = stored;
  const age = String(ageSeconds);
  if (!isKnown(visit, etag)) {
    const head = [...visit.own, ...common, 'Age', age, 'Content-Length', length];
    return part(visit, { status: 200, head, body });
  }
  const head = [...visit.own, 'Age', age];
  for (let at = 0; at < common.length; at += 2) {
    const name = common[at] as string;
    if (isOfUnchanged(name)) head.push(name, common[at + 1] as string);
  }
  part(visit, { status: 304, head, body: undefined });
}

/** At once: the place that was there when the answer was made may be another's at the end of this turn. */
export function sendStream(
  { request, response, own }: Visit,
  { status, headers }: Answer,
  start: StartStream,
): void {
  response.writeHead(status, [...own, ...Object.entries(headers).flat()]);
  if (request.method === 'HEAD') return void response.end();
  endWithClient(request, response);
  start(response);
}

export function preflight(response: ServerResponse): void {
  response.writeHead(204, PREFLIGHT_HEADERS).end();
}

/** Whether the client has what this tag names (RFC 9110 section 13.1.2). */
function isKnown({ request }: Visit, etag: string | undefined): boolean {
  return etag !== undefined && matchesEtag(readListHeader(request, 'if-none-match'), etag);
}

/** A 304 has no content, and so no type. */
function isOfUnchanged(name: string): boolean {
  return name.toLowerCase() !== 'content-type';
}

/** It leaves at the end of this turn. */
function part(visit: Visit, parting: Parting): void {
  visit.parting = parting;
  visit.post(visit);
}
