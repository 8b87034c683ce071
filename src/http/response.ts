/**
 * Endpoints and pages answer with an `HttpResult`. This file makes its headers, ETag and compressed body, reads the
 * request's `If-None-Match` and `Accept-Encoding`, and sends it.
 */
import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { API_HEADERS, CACHE_CONTROL, JSON_TYPE, METHODS_ALLOWED } from './response-headers.ts';
import { ApiError, errorStatus, errorText, type ErrorCode } from './errors.ts';
import { OverloadedError, type Requester } from '../queues/fair-queue.ts';

/** Names and values in turn: one `writeHead` is much cheaper than many `setHeader` calls. */
export type HeaderList = readonly string[];

export interface HttpResult {
  /** Default: 200. */
  readonly status?: number;
  /** Default: JSON. */
  readonly contentType?: string;
  readonly body: string | Uint8Array;
  /** Default: the endpoint's. */
  readonly cache?: string;
  /** Differs whenever the body does; default for endpoints: its hash. */
  readonly etag?: string | undefined;
  /** Without those of other fields; default: the API's. */
  readonly headers?: HeaderList;
  /** Age of the content when the result was made; without it only an answer from our cache says how old it is. */
  readonly ageMs?: number;
  /** Overrides Cache-Control for our own cache. */
  readonly ttlSeconds?: number;
  /** Server-sent events instead of the body. */
  readonly stream?: (client: Writable) => void;
  readonly refusal?: Refusal;
}

/** For the log of requests. */
export interface Refusal {
  readonly code: ErrorCode;
  /** Number of a failed request, shared by response, log line and `czujka doctor --request`. */
  readonly requestId?: string | undefined;
}

export function generateRequestId(): string {
  return randomBytes(4).toString('hex');
}

export const API_HEADER_LIST = Object.entries(API_HEADERS).flat();

/** SPEC 2.6. */
export function errorResult(
  code: ErrorCode,
  values?: Readonly<Record<string, string | number>>,
  requestId?: string,
): HttpResult {
  const status = errorStatus(code);
  const headers = [...API_HEADER_LIST, 'X-Error-Code', code];
  if (requestId !== undefined) headers.push('X-Request-Id', requestId);
  if (status === 405) headers.push('Allow', METHODS_ALLOWED);
  if (status === 503) headers.push('Retry-After', String(values?.seconds));
  const body = JSON.stringify({ error: errorText(code, values) });
  const refusal = { code, requestId };
  return { status, cache: CACHE_CONTROL.none, headers, body, refusal };
}

/** @returns undefined for an error that is a bug */
export function toErrorResult(error: unknown): HttpResult | undefined {
  if (error instanceof ApiError) return errorResult(error.code, error.values);
  if (error instanceof OverloadedError)
    return errorResult('overloaded', { seconds: error.retryAfterSeconds });
  return undefined;
}

export type PreparedResponse = Readonly<ReturnType<typeof prepare>>;
/** A promise while it is compressed. */
export type Preparation = PreparedResponse | Promise<PreparedResponse>;

/** @param madeAt by the clock of the cache; undefined for an answer that does not say how old it is */
export function prepare(result: HttpResult, madeAt?: number) {
  const { status = 200, contentType = JSON_TYPE, body, cache, etag, stream, refusal } = result;
  const all = [...(result.headers ?? API_HEADER_LIST)];
  if (contentType !== '') all.push('Content-Type', contentType);
  if (cache !== undefined) all.push('Cache-Control', cache);
  if (etag !== undefined) all.push('ETag', etag);
  if (status === 200 && !stream) all.push('Vary', 'Accept-Encoding');
  if (!stream && status !== 204) all.push('Content-Length', String(Buffer.byteLength(body)));
  return { status, headers: all, etag, body, madeAt: status === 200 ? madeAt : undefined, stream, refusal };
}

/** 128 bits. */
const ETAG_LENGTH = 22;

export function strongEtag(body: string | Uint8Array): string {
  return `"${hash('sha256', body, 'base64url').slice(0, ETAG_LENGTH)}"`;
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
function chooseEncoding(request: IncomingMessage): Encoding {
  const acceptEncoding = readListHeader(request, 'accept-encoding');
  if (acceptEncoding === undefined) return 'identity';
  const weights = new Map(
    acceptEncoding.split(',').map((choice) => {
      const [name = '', ...parameters] = choice.split(';').map((text) => text.trim().toLowerCase());
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

/** Less arrives in one packet anyway. */
const COMPRESSED_FROM_BYTES = 1_400;
/** Half the time of the default 11, for a few percent more bytes. */
const BROTLI_QUALITY = 5;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

function isCompressible({ status = 200, body, contentType }: HttpResult): boolean {
  if (status !== 200 || body.length < COMPRESSED_FROM_BYTES) return false;
  if (contentType === 'application/octet-stream') return false;
  return !contentType?.startsWith('image/') || contentType.startsWith('image/svg');
}

export function encodingFor(request: IncomingMessage, result: HttpResult): Encoding {
  return isCompressible(result) ? chooseEncoding(request) : 'identity';
}

/** For one client, too: on a phone that saves more than the millisecond it takes. */
export function prepareIn(encoding: Encoding, result: HttpResult, madeAt?: number): Preparation {
  if (encoding === 'identity') return prepare(result, madeAt);
  return compress(result, encoding).then((compressed) => prepare(compressed, madeAt));
}

/** Each encoding has its own strong ETag (RFC 9110 section 8.8.3). */
async function compress(result: HttpResult, encoding: Exclude<Encoding, 'identity'>): Promise<HttpResult> {
  const { headers = API_HEADER_LIST, etag, body } = result;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const compressed = await (encoding === 'gzip' ? compressGzip(body) : compressBrotli(body, { params }));
  return {
    ...result,
    headers: [...headers, 'Content-Encoding', encoding],
    etag: etag && `${etag.slice(0, -1)}-${encoding}"`,
    body: toUnpooledBuffer(compressed),
  };
}

/** A slice of Node's buffer pool would keep the whole pool in memory. */
export function toUnpooledBuffer(body: string | Uint8Array): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (Buffer.isBuffer(bytes) && bytes.buffer.byteLength < 2 * bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

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

/** Called after the head was sent. */
export type ResponseObserver = (context: RequestContext, status: number) => void;

/** 500 bytes a second. */
const RECEIVE_MS = 120_000;
const RECEIVE_BYTE_MS = 2;

const CONTENT_HEADERS: ReadonlySet<string> = new Set(['Content-Type', 'Content-Length']);

/** Nothing else writes responses, but those of built files and of refused connections. @param onFailure is called after the connection was closed */
export function createSend(
  observers: readonly ResponseObserver[],
  onFailure: (context: RequestContext, error: unknown) => void,
  now: () => number,
): (context: RequestContext, prepared: PreparedResponse) => void {
  let queue: RequestContext[] = [];

  /** One write each took 1.4 to 1.6 times the processor time of all responses of an event loop's turn together. */
  const flush = (): void => {
    const batch = queue;
    queue = [];
    for (const context of batch) {
      try {
        write(context, observers, now);
      } catch (error) {
        context.response.destroy();
        onFailure(context, error);
      }
    }
  };

  return (context, prepared) => {
    if (context.prepared) return;
    context.prepared = prepared;
    // Another client could take its slot before the end of this turn.
    if (prepared.stream) return write(context, observers, now);
    if (queue.length === 0) setImmediate(flush);
    queue.push(context);
  };
}

function write(context: RequestContext, observers: readonly ResponseObserver[], now: () => number): void {
  const { request, response, prepared, clientHeaders } = context;
  if (!prepared || response.headersSent || response.destroyed) return;
  const { status, headers, etag, body, madeAt, stream } = prepared;
  const isUnchanged = status === 200 && etag !== undefined && matchesEtag(request, etag);
  const isOfContent = (at: number): boolean => CONTENT_HEADERS.has(headers[at - (at % 2)] as string);
  const shared = isUnchanged ? headers.filter((_, at) => !isOfContent(at)) : headers;
  const age = madeAt === undefined ? [] : ['Age', String(Math.floor((now() - madeAt) / 1000))];
  response.writeHead(isUnchanged ? 304 : status, [...clientHeaders, ...shared, ...age]);
  for (const observe of observers) observe(context, response.statusCode);
  if (request.method === 'HEAD' || isUnchanged) return void response.end();
  if (stream) {
    // No client reads events over half a connection.
    request.socket.once('end', () => response.end());
    return stream(response);
  }
  response.end(body);
  if (response.writableLength > 0) limitTime(context, body.length);
}

/** Ends a client that reads a few bytes before each idle time-out. */
function limitTime({ response }: RequestContext, bytes: number): void {
  const deadline = setTimeout(() => response.destroy(), RECEIVE_MS + bytes * RECEIVE_BYTE_MS).unref();
  response.once('close', () => clearTimeout(deadline));
}
