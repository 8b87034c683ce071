/** The result of a request, and the response that is made of it. */
import { hash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { API_HEADERS, JSON_TYPE, METHODS_ALLOWED, NO_STORE } from './response-headers.ts';
import { ApiError, errorBody, errorStatus } from './errors.ts';
import { OverloadedError } from '../turns/fair-queue.ts';

/** Headers as names and values in turn: one `writeHead` with them costs much less than many `setHeader` calls. */
export type HeaderList = readonly string[];

export interface HttpResult {
  /** 200 unless it says otherwise. */
  readonly status?: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  /** Cache-Control; an endpoint's own where it is absent. */
  readonly cache?: string;
  /** Where something cheaper than a hash of the body is known; it differs whenever the body does. */
  readonly etag?: string | undefined;
  /** All other headers: those of the API where they are absent. */
  readonly headers?: HeaderList;
  /** How old the content was when the result was made; 0 unless it says otherwise. */
  readonly ageMs?: number;
  /** Up to which age the shared cache keeps it; else Cache-Control tells. */
  readonly keptSeconds?: number;
  /** Instead of the body: server-sent events, written for as long as the client listens. */
  readonly stream?: StartStream;
}

export type StartStream = (client: Writable) => void;

/** A result with its headers put together. */
export interface PreparedResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly etag: string | undefined;
  readonly body: string | Uint8Array;
  /** Undefined when no shared cache keeps such an answer. */
  readonly ageMs: number | undefined;
  readonly stream: StartStream | undefined;
}

export const API_HEADER_LIST = Object.entries(API_HEADERS).flat();

export function json(value: unknown): HttpResult {
  return { body: JSON.stringify(value), contentType: JSON_TYPE };
}

/** The body is JSON already, in UTF-8. */
export function jsonText(body: Uint8Array | string): HttpResult {
  return { body, contentType: JSON_TYPE };
}

/** An error in the one form, with the headers that every error has. */
export function errorResult(
  code: ConstructorParameters<typeof ApiError>[0],
  values?: Readonly<Record<string, string | number>>,
): HttpResult {
  const status = errorStatus(code);
  const headers = [...API_HEADER_LIST];
  if (status === 405) headers.push('Allow', METHODS_ALLOWED);
  if (status === 503) headers.push('Retry-After', String(values?.seconds));
  return { status, contentType: JSON_TYPE, cache: NO_STORE, headers, body: errorBody(code, values) };
}

/** Undefined for an error that is a defect. */
export function toErrorResult(error: unknown): HttpResult | undefined {
  if (error instanceof ApiError) return errorResult(error.code, error.values);
  if (error instanceof OverloadedError) return errorResult('overloaded', { seconds: error.seconds });
  return undefined;
}

/** @param ageMs absent: no shared cache keeps such an answer */
export function prepare(
  { status = 200, contentType, body, cache, etag, headers = API_HEADER_LIST, stream }: HttpResult,
  ageMs?: number,
): PreparedResponse {
  const all = [...headers];
  if (contentType !== '') all.push('Content-Type', contentType);
  if (cache !== undefined) all.push('Cache-Control', cache);
  if (etag !== undefined) all.push('ETag', etag);
  if (status === 200 && !stream) all.push('Vary', 'Accept-Encoding');
  if (!stream && status !== 204) all.push('Content-Length', String(Buffer.byteLength(body)));
  return { status, headers: all, etag, body, ageMs, stream };
}

/** Characters of a strong validator (RFC 9110 section 8.8.3): 128 bits are plenty: two answers that collide harm only who made them. */
const TAG_LENGTH = 22;

export function strongEtag(body: string | Uint8Array): string {
  return `"${hash('sha256', body, 'base64url').slice(0, TAG_LENGTH)}"`;
}
