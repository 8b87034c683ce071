import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Requester } from '../queues/fair-queue.ts';
import type { HeaderList, PreparedResponse } from './http-result.ts';

const NO_HEADERS: HeaderList = [];
const NEVER_ABORTED = new AbortController().signal;

export class RequestContext implements Requester {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: string;
  readonly askedAt = performance.now();
  /** No cache may keep these. */
  clientHeaders: HeaderList = NO_HEADERS;
  /** A declared path, `page` or `file`: never text from the client. */
  route = 'none';
  isPage = false;
  prepared: PreparedResponse | undefined;
  #controller: AbortController | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, client: string) {
    this.request = request;
    this.response = response;
    this.client = client;
  }

  /** Created on demand, because few answers take long. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController();
      const { response } = this;
      response.once('close', () => response.writableFinished || controller.abort());
      if (response.closed) controller.abort();
      this.#controller = controller;
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#controller?.signal.aborted === true;
  }

  /** For work that goes into the cache, which continues when the client disconnects. */
  get uncancellable(): Requester {
    return { client: this.client, askedAt: this.askedAt, signal: NEVER_ABORTED };
  }
}

export type Encoding = 'identity' | 'br' | 'gzip';

/** Splitting 15,400 commas takes 8 ms. Browsers send at most half as much. */
export const LIST_HEADER_MAX_LENGTH = 300;

/** @returns undefined also for a longer header */
function readListHeader(
  { headers }: IncomingMessage,
  name: 'accept-encoding' | 'if-none-match',
): string | undefined {
  const value = headers[name];
  return value !== undefined && value.length > LIST_HEADER_MAX_LENGTH ? undefined : value;
}

/** RFC 9110 section 12.5.3. Of equal weights, brotli wins. */
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

/** RFC 9110 section 13.1.2, by weak comparison. */
export function matchesEtag(request: IncomingMessage, etag: string): boolean {
  const ifNoneMatch = readListHeader(request, 'if-none-match');
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** Called after the head was sent. */
export type ResponseObserver = (context: RequestContext, status: number) => void;
