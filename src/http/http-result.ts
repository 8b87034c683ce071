/**
 * Endpoints and pages answer with an `HttpResult`; this file makes its headers, ETag and compressed body, and reads the
 * request's `If-None-Match` and `Accept-Encoding`.
 */
import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { API_HEADERS, CACHE_CONTROL, JSON_TYPE, METHODS_ALLOWED } from './response-headers.ts';
import { ApiError, errorStatus, errorText, type ErrorCode } from './errors.ts';
import { OverloadedError } from '../queues/fair-queue.ts';

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
  /** Age of the content when the result was made. */
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

/** @param madeAt by the clock of the cache; undefined when no shared cache keeps the response */
export function prepare(result: HttpResult, madeAt?: number) {
  const { status = 200, contentType = JSON_TYPE, body, cache, etag, stream, refusal } = result;
  const all = [...(result.headers ?? API_HEADER_LIST)];
  if (contentType !== '') all.push('Content-Type', contentType);
  if (cache !== undefined) all.push('Cache-Control', cache);
  if (etag !== undefined) all.push('ETag', etag);
  if (status === 200 && !stream) all.push('Vary', 'Accept-Encoding');
  if (!stream && status !== 204) all.push('Content-Length', String(Buffer.byteLength(body)));
  return { status, headers: all, etag, body, madeAt, stream, refusal };
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

/** Less arrives in one packet anyway. */
const COMPRESSED_FROM_BYTES = 1_400;
/** Half the time of the default 11, for a few percent more bytes. */
const BROTLI_QUALITY = 5;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export function isCompressible({ status = 200, body, contentType }: HttpResult): boolean {
  if (status !== 200 || body.length < COMPRESSED_FROM_BYTES) return false;
  if (contentType === 'application/octet-stream') return false;
  return !contentType?.startsWith('image/') || contentType.startsWith('image/svg');
}

/** Each encoding has its own strong ETag (RFC 9110 section 8.8.3). */
export async function encode(
  result: HttpResult,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<HttpResult> {
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
