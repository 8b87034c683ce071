/**
 * The only way out: what a process shares between all its outgoing calls (http-exchange.ts makes one). Keeps connections, and
 * leaves alone for a while who asked for it (429 or 503 with Retry-After) or keeps failing (back-off.ts). It logs nothing;
 * its errors hold no secret. litecoin-core.ts and esplora.ts are clients of what they are named after.
 */
import { performance } from 'node:perf_hooks';
import type { z } from 'zod';
import { createBackOff } from './back-off.ts';
import { createConnections, exchange, originOf } from './http-exchange.ts';
import type { OutboundAnswer, OutboundRequest } from './http-exchange.ts';
import { OutboundError } from './outbound-error.ts';

export type { OutboundAnswer, OutboundRequest } from './http-exchange.ts';

export interface SendOptions {
  /**
   * `told`: only the pauses that the host asks for hold a request back; for probes, which have to see that a host is
   * back. `failures` (default): so do growing pauses after each failure.
   */
  readonly backOff?: 'told' | 'failures';
}

export interface Outbound {
  /** @throws {OutboundError} for everything but an answer that the request accepts */
  send(request: OutboundRequest, options?: SendOptions): Promise<OutboundAnswer>;
  /** Closes kept connections. */
  close(): void;
}

/** A host that says 429 without saying for how long. */
const PAUSE_AFTER_429_MS = 30_000;

/** @param now milliseconds of a clock that never goes back */
export function createOutbound(now: () => number = () => performance.now()): Outbound {
  const connections = createConnections();
  const pauses = createBackOff(now);

  /** Only what the host does counts, not that a caller lost interest or that a request was wrong. */
  const record = (error: OutboundError, countsFailures: boolean): void => {
    const { reason, origin, status, retryAfterMs } = error;
    if (reason === 'aborted') return;
    if (status === 429) pauses.told(origin, retryAfterMs ?? PAUSE_AFTER_429_MS);
    else if (status === 503 && retryAfterMs !== undefined) pauses.told(origin, retryAfterMs);
    const isHostAtFault = reason !== 'status' || (status ?? 0) >= 500;
    if (countsFailures && isHostAtFault) pauses.failed(origin);
  };

  return {
    async send(request, { backOff = 'failures' } = {}) {
      const origin = originOf(request, new URL(request.url));
      const afterFailures = backOff === 'failures';
      const waitMs = pauses.waitMs(origin, { afterFailures });
      if (waitMs > 0)
        throw new OutboundError('backing_off', origin, `left alone for ${Math.ceil(waitMs / 1000)} s more`, {
          retryAfterMs: waitMs,
        });
      try {
        const answer = await exchange(request, connections);
        pauses.succeeded(origin);
        return answer;
      } catch (error) {
        if (error instanceof OutboundError) record(error, afterFailures);
        throw error;
      }
    },
    close: () => connections.close(),
  };
}

/**
 * Sends and reads the answer as JSON of a shape; asks for and accepts only `application/json` unless the request says
 * otherwise.
 * @throws {OutboundError} also for an answer that is no JSON or has another shape (`shape`)
 */
export async function fetchJson<Schema extends z.ZodType>(
  outbound: Outbound,
  request: OutboundRequest,
  schema: Schema,
  options?: SendOptions,
): Promise<OutboundAnswer & { readonly value: z.output<Schema> }> {
  const answer = await outbound.send(
    {
      contentTypes: ['application/json'],
      ...request,
      headers: { Accept: 'application/json', ...request.headers },
    },
    options,
  );
  return { ...answer, value: readJson(answer.body, schema, originOf(request, new URL(request.url))) };
}

/** @throws {OutboundError} (`shape`) naming the place that is wrong, never its value */
export function readJson<Schema extends z.ZodType>(
  body: Buffer,
  schema: Schema,
  origin: string,
): z.output<Schema> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    throw new OutboundError('shape', origin, 'answered with something that is not JSON');
  }
  const result = schema.safeParse(parsed);
  if (result.success) return result.data;
  const place = result.error.issues[0]?.path.join('.').slice(0, 80) || 'the top';
  throw new OutboundError('shape', origin, `answered with JSON of another shape, at ${place}`);
}
