import { hash, randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
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
  const headers = [...API_HEADER_LIST];
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
