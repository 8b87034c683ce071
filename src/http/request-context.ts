/** One request on its way to its response, and those who observe it: metrics and the log of requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Requester } from '../turns/fair-queue.ts';
import type { HeaderList, PreparedResponse } from './http-result.ts';

const NO_HEADERS: HeaderList = [];
const NEVER_ABORTED = new AbortController().signal;

export class RequestContext implements Requester {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: string;
  readonly askedAt = performance.now();
  /** Headers for this client only, which no cache may keep: the rate limit's. */
  clientHeaders: HeaderList = NO_HEADERS;
  /** The path of an endpoint or a known page as it was declared, or the kind of thing: never what a client wrote. */
  route = 'none';
  /** Its errors are pages. */
  isPage = false;
  prepared: PreparedResponse | undefined;
  #controller: AbortController | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, client: string) {
    this.request = request;
    this.response = response;
    this.client = client;
  }

  /** Aborted when the client has gone before its response was complete. Made when it is needed: few answers take long. */
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

  /** The same client for work that goes into the cache, and is therefore done also when the client has gone. */
  get lasting(): Requester {
    return { client: this.client, askedAt: this.askedAt, signal: NEVER_ABORTED };
  }
}

export interface RequestObserver {
  /** The head of a response has been sent. */
  onResponse(context: RequestContext, status: number): void;
  /** The response cache has been asked. */
  onLookup(isHit: boolean): void;
}

/** Undefined when there is no observer; a single one is handed on as it is. */
export function combineObservers(
  observers: readonly (RequestObserver | undefined)[],
): RequestObserver | undefined {
  const all = observers.filter((observer) => observer !== undefined);
  const [first] = all;
  if (all.length < 2) return first;
  return {
    onResponse(context, status) {
      for (const observer of all) observer.onResponse(context, status);
    },
    onLookup(isHit) {
      for (const observer of all) observer.onLookup(isHit);
    },
  };
}
