/** What metrics and the log of requests are told of each request. */
import type { RequestContext } from './request-context.ts';

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
