/**
 * All calls to other services: one deadline per exchange, a bound on the body, no redirects, nothing is unpacked,
 * and pauses that the host asks for (429, or 503 with Retry-After). litecoin-core.ts and esplora.ts are clients.
 */
import { performance } from 'node:perf_hooks';
import { Agent, type Dispatcher } from 'undici';
import type { z } from 'zod';
import { BackOffError, OutboundError } from './outbound-error.ts';
import { untilAborted } from './until-aborted.ts';

export interface OutboundRequest {
  /** With `socketPath` the host is ignored, for example `http://docker/containers/x/json`. */
  readonly url: string;
  readonly socketPath?: string | undefined;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the DNS lookup to the last byte of the body; default: 6 s. */
  readonly deadlineMs?: number | undefined;
  /** Default: 1 MB. */
  readonly bodyMaxBytes?: number;
  /** Only the status and the headers count: at most 128 kB of the body are read, and nothing is returned. */
  readonly skipsBody?: boolean;
  /** Media type without parameters; default: any. An answer without one is judged by its body. */
  readonly contentType?: string;
  /** Default: 200 to 299. */
  readonly expectedStatuses?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type Outbound = ReturnType<typeof createOutbound>;

const DEADLINE_MS = 6_000;
const BODY_MAX_BYTES = 1_000_000;
/** For a 429 without Retry-After. */
const PAUSE_AFTER_429_MS = 30_000;
const PAUSE_MIN_MS = 1_000;
/** No answer may stop our calls for longer. */
const PAUSE_MAX_MS = 60 * 60_000;
/**
 * Each call has a connection of its own, so that none meets a connection that the server has just closed. HTTP/2 would
 * be another protocol to defend against hostile answers.
 */
const AGENT_OPTIONS = { allowH2: false, pipelining: 0, connections: 16 } satisfies Agent.Options;

/** @param now milliseconds of a monotonic clock */
export function createOutbound(now: () => number = () => performance.now()) {
  const agent = new Agent(AGENT_OPTIONS);
  /** By origin. All origins are in the settings, so there are few. */
  const pauses = new Map<string, number>();

  const exchange = async (request: OutboundRequest, ending: AbortSignal): Promise<Buffer> => {
    const { socketPath, expectedStatuses, contentType, bodyMaxBytes = BODY_MAX_BYTES } = request;
    const origin = originOf(request);
    const dispatcher =
      socketPath === undefined ? agent : new Agent({ ...AGENT_OPTIONS, connect: { socketPath } });
    // undici itself heeds the signal only once it is connected.
    const response = await untilAborted(dispatcher.request(toOptions(request, ending)), ending);
    const { statusCode: status, body } = response;
    const header = (name: string): string => [response.headers[name] ?? ''].flat().join();
    if (!(expectedStatuses?.includes(status) ?? (status >= 200 && status < 300))) {
      // Reads a short rest and cuts off a long one.
      void body.dump();
      const pauseMs = pauseAfter(status, header('retry-after'));
      if (pauseMs !== undefined) pauses.set(origin, now() + pauseMs);
      throw new OutboundError(origin, `answered ${status}`, status);
    }
    const type = header('content-type').split(';', 1)[0]?.trim().toLowerCase();
    if (contentType !== undefined && type && type !== contentType) {
      void body.dump();
      throw new OutboundError(origin, `answered with a type other than ${contentType}`);
    }
    if (request.skipsBody) {
      // Reads a short one and cuts off a long one.
      void body.dump();
      return Buffer.alloc(0);
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bodyMaxBytes)
        throw new OutboundError(origin, `answered with more than ${bodyMaxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };

  return {
    /** @returns the body @throws {OutboundError} */
    async send(request: OutboundRequest): Promise<Buffer> {
      const origin = originOf(request);
      const waitMs = (pauses.get(origin) ?? 0) - now();
      if (waitMs > 0) throw new BackOffError(origin, `left alone for ${Math.ceil(waitMs / 1000)} s more`);
      const deadline = AbortSignal.timeout(request.deadlineMs ?? DEADLINE_MS);
      const ending = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
      try {
        return await exchange(request, ending);
      } catch (error) {
        if (error instanceof OutboundError) throw error;
        // Errors of undici and Node may contain bytes of the request or answer, so only their code is kept.
        const { name, code = name } = error as NodeJS.ErrnoException;
        if (!ending.aborted) throw new OutboundError(origin, `connection failed (${code})`);
        const isLate = (ending.reason as Error).name === 'TimeoutError';
        throw new OutboundError(origin, isLate ? 'no whole answer in time' : 'the call was ended');
      }
    },
  };
}

/** @returns what messages may say of an address: no path, query or credentials */
export function originOf({ url, socketPath }: Pick<OutboundRequest, 'url' | 'socketPath'>): string {
  return socketPath ?? new URL(url).origin;
}

function toOptions(request: OutboundRequest, signal: AbortSignal) {
  const { origin, pathname, search } = new URL(request.url);
  return {
    origin,
    path: pathname + search,
    method: request.method ?? 'GET',
    headers: { 'User-Agent': 'Czujka', 'Accept-Encoding': 'identity', ...request.headers },
    body: request.body ?? null,
    signal,
  } satisfies Dispatcher.RequestOptions & { origin: string };
}

/** @param retryAfter a number of seconds; a date counts as none */
function pauseAfter(status: number, retryAfter: string): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  if (!/^\d+(?:\.\d+)?$/.test(retryAfter)) return status === 429 ? PAUSE_AFTER_429_MS : undefined;
  return Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, Number(retryAfter) * 1_000));
}

/** Takes `application/json`, and JSON without a type. @throws {OutboundError} also for another shape */
export async function fetchJson<Schema extends z.ZodType>(
  outbound: Outbound,
  request: OutboundRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const body = await outbound.send({
    contentType: 'application/json',
    ...request,
    headers: { Accept: 'application/json', ...request.headers },
  });
  const origin = originOf(request);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    throw new OutboundError(origin, 'answered with something that is not JSON');
  }
  return checkShape(parsed, schema, origin);
}

/** @param subject begins the message @throws {OutboundError} with the path in the JSON, never its value */
export function checkShape<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  origin: string,
  subject = '',
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const place = result.error.issues[0]?.path.join('.').slice(0, 80) || 'the top';
  throw new OutboundError(origin, `${subject}answered with JSON of another shape, at ${place}`);
}
