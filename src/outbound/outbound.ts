/**
 * All calls to other services: one deadline per exchange, a bound on the body, no redirects, no compressed bodies,
 * and pauses that the host asks for (429, or 503 with Retry-After). litecoin-core.ts and esplora.ts are clients.
 */
import { performance } from 'node:perf_hooks';
import { Agent, type Dispatcher } from 'undici';
import type { z } from 'zod';
import { OutboundError } from './outbound-error.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface OutboundRequest {
  /** With `socketPath` the host is ignored, for example `http://docker/containers/x/json`. */
  readonly url: string;
  readonly socketPath?: string | undefined;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the DNS lookup to the last byte of the body. */
  readonly deadlineMs: number;
  readonly bodyMaxBytes: number;
  /** Media types without parameters; default: any. */
  readonly contentTypes?: readonly string[];
  /** Default: 200 to 299. */
  readonly acceptStatus?: (status: number) => boolean;
  readonly signal?: AbortSignal | undefined;
}

interface OutboundAnswer {
  readonly status: number;
  readonly body: Buffer;
}

export type Outbound = ReturnType<typeof createOutbound>;

/** For a 429 without Retry-After. */
const PAUSE_AFTER_429_MS = 30_000;
/** HTTP/2 would be another protocol to defend against hostile answers. */
const BASE_OPTIONS = { allowH2: false } satisfies Agent.Options;
/** Servers keep idle connections longer than 4 s, so that few are closed when they are used again. */
const KEPT = { ...BASE_OPTIONS, connections: 16, keepAliveTimeout: 4_000 } satisfies Agent.Options;
/** One connection per request. */
const FRESH = { ...BASE_OPTIONS, pipelining: 0 } satisfies Agent.Options;
/** The server closed the connection before it answered. */
const CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/** @param now milliseconds of a monotonic clock */
export function createOutbound(now: () => number = () => performance.now()) {
  const kept = new Agent(KEPT);
  const fresh = new Agent(FRESH);
  /** By origin. All origins are in the settings, so there are few. */
  const pauses = new Map<string, number>();

  const exchange = async (request: OutboundRequest, origin: string): Promise<OutboundAnswer> => {
    const deadline = AbortSignal.timeout(request.deadlineMs);
    const ending = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    const sendBy = (agent: Agent) => agent.request(toOptions(request, ending));
    try {
      return await readAnswer(await open(request, ending, sendBy), request, origin);
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (!ending.aborted) throw toOutboundError(error as NodeJS.ErrnoException, origin);
      throw ending.reason === deadline.reason
        ? new OutboundError('timeout', origin, 'no whole answer in time')
        : new OutboundError('aborted', origin, 'the call was ended');
    }
  };

  /** undici does not retry when an idle connection turns out to be closed. A POST must not be repeated. */
  const open = async (
    { method, socketPath }: OutboundRequest,
    ending: AbortSignal,
    sendBy: (agent: Agent) => Promise<Dispatcher.ResponseData>,
  ): Promise<Dispatcher.ResponseData> => {
    if (socketPath !== undefined) return sendBy(new Agent({ ...FRESH, connect: { socketPath } }));
    if (method === 'POST') return sendBy(fresh);
    return sendBy(kept).catch((error: NodeJS.ErrnoException) => {
      if (ending.aborted || !CLOSED.includes(error.code ?? '')) throw error;
      return sendBy(fresh);
    });
  };

  return {
    /** @throws {OutboundError} */
    async send(request: OutboundRequest): Promise<OutboundAnswer> {
      const origin = originOf(request);
      const waitMs = Math.ceil((pauses.get(origin) ?? -Infinity) - now());
      if (waitMs > 0)
        throw new OutboundError('backing_off', origin, `left alone for ${Math.ceil(waitMs / 1000)} s more`, {
          retryAfterMs: waitMs,
        });
      try {
        return await exchange(request, origin);
      } catch (error) {
        const { status, retryAfterMs } = error as OutboundError;
        const pauseMs = retryAfterMs ?? PAUSE_AFTER_429_MS;
        if (status === 429 || (status === 503 && retryAfterMs !== undefined))
          pauses.set(origin, now() + pauseMs);
        throw error;
      }
    },
    close: (): void => void kept.destroy(),
  };
}

/** @returns what messages may say of an address: no path, query or credentials */
export function originOf({ url, socketPath }: Pick<OutboundRequest, 'url' | 'socketPath'>): string {
  return socketPath ?? new URL(url).origin;
}

function toOptions(
  request: OutboundRequest,
  signal: AbortSignal,
): Dispatcher.RequestOptions & { origin: string } {
  const { origin, pathname, search } = new URL(request.url);
  return {
    origin,
    path: pathname + search,
    method: request.method ?? 'GET',
    headers: { 'User-Agent': 'Czujka', 'Accept-Encoding': 'identity', ...request.headers },
    body: request.body ?? null,
    signal,
  };
}

async function readAnswer(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  request: OutboundRequest,
  origin: string,
): Promise<OutboundAnswer> {
  const refusal = refuse(status, headers, request, origin);
  if (refusal) {
    // Reads a short rest, so that the connection can be reused, and cuts off a long one.
    void body.dump();
    throw refusal;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > request.bodyMaxBytes)
      throw new OutboundError('too_large', origin, `answered with more than ${request.bodyMaxBytes} bytes`);
    chunks.push(chunk);
  }
  return { status, body: Buffer.concat(chunks) };
}

function refuse(
  status: number,
  headers: Dispatcher.ResponseData['headers'],
  { acceptStatus = (code) => code >= 200 && code < 300, contentTypes }: OutboundRequest,
  origin: string,
): OutboundError | undefined {
  const header = (name: string): string => [headers[name] ?? ''].flat().join();
  if (!acceptStatus(status)) {
    if (status >= 300 && status < 400)
      return new OutboundError('redirect', origin, `answered ${status}, and redirects are not followed`);
    const retryAfterMs = parseRetryAfter(header('retry-after'), Date.now());
    return new OutboundError('status', origin, `answered ${status}`, { status, retryAfterMs });
  }
  const type = header('content-type').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (contentTypes && !contentTypes.includes(type))
    return new OutboundError(
      'content_type',
      origin,
      `answered with a type other than ${contentTypes.join(', ')}`,
    );
  // It may unpack to any size.
  if (!['', 'identity'].includes(header('content-encoding')))
    return new OutboundError(
      'content_type',
      origin,
      'answered with a compressed body, which was not asked for',
    );
  return undefined;
}

/** Errors of undici and Node may contain bytes of the request or answer, so only their code is kept. */
function toOutboundError({ name, code = 'closed' }: NodeJS.ErrnoException, origin: string): OutboundError {
  if (name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW')
    return new OutboundError('not_http', origin, 'answered with something that is not HTTP');
  return new OutboundError(
    'connection',
    origin,
    code === 'UND_ERR_INVALID_ARG'
      ? 'request cannot be sent: a header or path is not valid'
      : `connection failed (${code})`,
  );
}

/**
 * Accepts only `application/json` unless the request says otherwise.
 * @throws {OutboundError} also for invalid JSON or another shape (`shape`)
 */
export async function fetchJson<Schema extends z.ZodType>(
  outbound: Outbound,
  request: OutboundRequest,
  schema: Schema,
): Promise<{ readonly status: number; readonly value: z.output<Schema> }> {
  const { status, body } = await outbound.send({
    contentTypes: ['application/json'],
    ...request,
    headers: { Accept: 'application/json', ...request.headers },
  });
  return { status, value: readJson(body, schema, originOf(request)) };
}

/** @throws {OutboundError} (`shape`) */
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
  return checkShape(parsed, schema, origin);
}

/**
 * @param subject comes before the message, with a space
 * @throws {OutboundError} (`shape`) with the path in the JSON, never its value
 */
export function checkShape<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  origin: string,
  subject = '',
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const place = result.error.issues[0]?.path.join('.').slice(0, 80) || 'the top';
  throw new OutboundError('shape', origin, `${subject}answered with JSON of another shape, at ${place}`);
}
