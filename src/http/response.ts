/**
 * Endpoints and pages answer with an `HttpResult`, or throw an `ApiError`. This file makes headers, ETag and compressed body
 * of it, and reads the request's `If-None-Match` and `Accept-Encoding`.
 */
import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { OverloadedError } from '../queues/fair-queue.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const METHODS_ALLOWED = 'GET, HEAD, OPTIONS';

/** Every answer under /api has these. */
export const API_HEADERS: readonly string[] = Object.entries({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Age, ' +
    'X-Error-Code, X-Request-Id, Deprecation, Sunset',
  'X-Content-Type-Options': 'nosniff',
}).flat();

/** Browsers keep it for at most two hours. */
const PREFLIGHT_HEADERS = {
  Allow: METHODS_ALLOWED,
  'Access-Control-Allow-Methods': METHODS_ALLOWED,
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '7200',
};

/** Cache-Control of endpoints and pages. */
export const CACHE_CONTROL = {
  /** SPEC 4.1 and 8. */
  entries: 'public, s-maxage=30, stale-while-revalidate=300',
  /** Never stale: proofs that become private leave other caches within 30 s. */
  proofs: 'public, s-maxage=30',
  /** SPEC 8. */
  status: 'public, s-maxage=15',
  /** Removed content disappears at once. */
  revalidated: 'public, no-cache',
  /** Mirrors see a removal within 30 s. */
  changes: 'public, s-maxage=30',
  avatar: 'public, max-age=3600',
  waitingAvatar: 'public, max-age=30',
  none: 'no-store',
} as const;

export type CacheControlName = keyof typeof CACHE_CONTROL;

/**
 * The end of an answer in our own cache (response-cache.ts): the age that Cache-Control names. `listChange` also ends with a
 * change of the lists or their orders, `oneSecond` also after a second, because search.db may be late, and the speed of an
 * answer about one person would say that another asked. `notCached`: each request gets an answer of its own, which is
 * cheaper to make than to keep.
 */
export type CachedUntil = 'notCached' | 'expiry' | 'listChange' | 'oneSecond';

export interface HttpResult {
  /** Default: 200. */
  readonly status?: number;
  /** Default: JSON. */
  readonly contentType?: string;
  readonly body: string | Uint8Array;
  /** Default: the endpoint's. */
  readonly cacheControl?: string;
  /** Differs whenever the body does; default for endpoints: its hash. */
  readonly etag?: string | undefined;
  /** Names and values in turn, because one `writeHead` is much cheaper than many `setHeader` calls; default: the API's. */
  readonly headers?: readonly string[];
  /** Age of the content when the result was made; without it no answer says how old it is. */
  readonly ageMs?: number;
  /** Overrides Cache-Control for our own cache. */
  readonly ttlSeconds?: number;
  /** Server-sent events instead of the body. */
  readonly stream?: (response: Writable) => void;
  readonly error?: LoggedError;
}

export type PendingResult = HttpResult | Promise<HttpResult>;

/** For the log of requests. */
export interface LoggedError {
  readonly code: ErrorCode;
  /** Number of a failed request, shared by response, log line and `czujka doctor --request`. */
  readonly requestId?: string | undefined;
}

export function generateRequestId(): string {
  return randomBytes(4).toString('hex');
}

/** SPEC section 7, which leaves some statuses open. Clients get nothing else of an error. */
export const ERRORS = {
  bad_request: { status: 400, text: 'Nieprawidłowe zapytanie.' },
  invalid_parameter: { status: 400, text: 'Nieprawidłowy parametr {parameter}: {allowed}.' },
  invalid_header: { status: 400, text: 'Nieprawidłowy nagłówek {parameter}: {allowed}.' },
  check_without_subject: { status: 400, text: 'Podaj nick albo ID.' },
  donation_id_invalid: { status: 400, text: 'Nieprawidłowe ID płatności' },
  not_found: { status: 404, text: 'Nie znaleziono' },
  cursor_gone: {
    status: 410,
    text: 'Ten kursor jest już nieważny. Pobierz listy od nowa, zaczynając od {manifest}',
  },
  snapshot_gone: { status: 410, text: 'Tego pliku już nie ma. Pobierz ponownie manifest: {manifest}' },
  method_not_allowed: { status: 405, text: 'Metoda niedozwolona' },
  request_timeout: { status: 408, text: 'Przekroczono czas oczekiwania na zapytanie.' },
  expectation_failed: {
    status: 417,
    text: 'Nieobsługiwany nagłówek Expect: dozwolona wartość to 100-continue.',
  },
  rate_limited: { status: 429, text: 'Za dużo zapytań. Spróbuj ponownie za {seconds} s.' },
  request_head_too_large: { status: 431, text: 'Nagłówki lub adres zapytania są za długie: najwyżej 16 kB.' },
  overloaded: { status: 503, text: 'Serwis jest przeciążony. Spróbuj ponownie za {seconds} s.' },
  streams_taken: {
    status: 503,
    text: 'Z jednego adresu IP można mieć najwyżej {most} otwartych strumieni. Zamknij któryś albo spróbuj ponownie za {seconds} s.',
  },
  snapshots_remade: { status: 503, text: 'Pliki list powstają od nowa. Spróbuj ponownie za {seconds} s.' },
  internal: { status: 500, text: 'Błąd podczas pobierania danych.' },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Values of placeholders in the text or the page of an error. */
export type ErrorValues = Readonly<Record<string, string | number>> & {
  /** The number that visitors quote and operators find in the log. */
  readonly requestId?: string;
  /** The requested page, whose question stays in the field. */
  readonly url?: string;
};

export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly values: ErrorValues;

  constructor(code: ErrorCode, values: ErrorValues = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}

export function errorText(code: ErrorCode, values: ErrorValues = {}): string {
  return ERRORS[code].text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));
}

/** SPEC 2.6. */
export function errorResult(code: ErrorCode, values: ErrorValues = {}): HttpResult {
  const { status } = ERRORS[code];
  const { requestId, seconds } = values;
  const headers = [...API_HEADERS, 'X-Error-Code', code];
  if (requestId !== undefined) headers.push('X-Request-Id', requestId);
  if (status === 405) headers.push('Allow', METHODS_ALLOWED);
  if (status === 503) headers.push('Retry-After', String(seconds));
  const body = JSON.stringify({ error: errorText(code, values) });
  const error = { code, requestId };
  return { status, cacheControl: CACHE_CONTROL.none, headers, body, error };
}

/** @returns undefined for a failure of ours, which is logged */
export function findErrorResult(error: unknown): HttpResult | undefined {
  if (error instanceof ApiError) return errorResult(error.code, error.values);
  if (error instanceof OverloadedError)
    return errorResult('overloaded', { seconds: error.retryAfterSeconds });
  return undefined;
}

export const PREFLIGHT: HttpResult = {
  status: 204,
  contentType: '',
  headers: [...API_HEADERS, ...Object.entries(PREFLIGHT_HEADERS).flat()],
  body: '',
};

export type PreparedResponse = Readonly<ReturnType<typeof prepareResponse>>;
/** A promise while it is compressed. */
export type PendingResponse = PreparedResponse | Promise<PreparedResponse>;

/** @param madeAt by the clock of the cache; undefined for an answer that does not say how old it is */
export function prepareResponse(result: HttpResult, madeAt?: number) {
  const { status = 200, contentType = JSON_TYPE, body, cacheControl, etag, stream, error } = result;
  const all = [...(result.headers ?? API_HEADERS)];
  if (contentType !== '') all.push('Content-Type', contentType);
  if (cacheControl !== undefined) all.push('Cache-Control', cacheControl);
  if (etag !== undefined) all.push('ETag', etag);
  if (status === 200 && !stream) all.push('Vary', 'Accept-Encoding');
  if (!stream && status !== 204) all.push('Content-Length', String(Buffer.byteLength(body)));
  return { status, headers: all, etag, body, madeAt: status === 200 ? madeAt : undefined, stream, error };
}

/** 128 bits. */
const ETAG_LENGTH = 22;

export function strongEtag(body: string | Uint8Array): string {
  return `"${hash('sha256', body, 'base64url').slice(0, ETAG_LENGTH)}"`;
}

export type Encoding = 'identity' | 'br' | 'gzip';

/** Splitting 15,400 commas takes 8 ms. Browsers send at most half as much. */
export const LIST_HEADER_MAX_LENGTH = 300;

/** RFC 9110 section 12.5.3. Of equal weights, brotli wins. */
function chooseEncoding({ headers }: IncomingMessage): Encoding {
  const { 'accept-encoding': acceptEncoding = '' } = headers;
  if (acceptEncoding.length > LIST_HEADER_MAX_LENGTH) return 'identity';
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
export function matchesEtag({ headers }: IncomingMessage, etag: string): boolean {
  const { 'if-none-match': ifNoneMatch = '' } = headers;
  if (ifNoneMatch.length > LIST_HEADER_MAX_LENGTH) return false;
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
export function prepareEncoded(encoding: Encoding, result: HttpResult, madeAt?: number): PendingResponse {
  if (encoding === 'identity') return prepareResponse(result, madeAt);
  return compress(result, encoding).then((compressed) => prepareResponse(compressed, madeAt));
}

/** Each encoding has its own strong ETag (RFC 9110 section 8.8.3). */
async function compress(result: HttpResult, encoding: Exclude<Encoding, 'identity'>): Promise<HttpResult> {
  const { headers = API_HEADERS, etag, body } = result;
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
