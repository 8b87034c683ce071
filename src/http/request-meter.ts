/** What the front door tells of each request; metrics and the log of requests listen. */
import type { IncomingMessage } from 'node:http';

export interface RequestMeter {
  /** @returns a moment by the meter's own clock */
  begin(): number;
  /**
   * @param route an endpoint's or a page's path as it was declared, or `page`, `file`, `none`: never what a client wrote
   * @param begunAt from `begin`
   */
  end(route: string, status: number, begunAt: number, request: IncomingMessage): void;
  /** The shared cache was looked into. */
  looked(found: boolean): void;
}

/** Undefined when nobody listens; one listener is handed on as it is. */
export function joinMeters(meters: readonly (RequestMeter | undefined)[]): RequestMeter | undefined {
  const listening = meters.filter((meter) => meter !== undefined);
  const [first] = listening;
  if (listening.length < 2) return first;
  return {
    begin: () => performance.now(),
    end(...facts) {
      for (const meter of listening) meter.end(...facts);
    },
    looked(found) {
      for (const meter of listening) meter.looked(found);
    },
  };
}
