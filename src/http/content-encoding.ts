/** Compressed bodies (RFC 9110 section 8.4). */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { API_HEADER_LIST } from './http-result.ts';
import type { HttpResult } from './http-result.ts';
import type { Encoding } from './request-headers.ts';

/** Less arrives in one packet in any case. */
const COMPRESSED_FROM_BYTES = 1_400;
/** Half as long to make as the default of 11 would be long, and a few percent larger. */
const BROTLI_QUALITY = 5;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

async function compress(body: string | Uint8Array, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  if (encoding === 'gzip') return toOwnBuffer(await compressGzip(body));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return toOwnBuffer(await compressBrotli(body, { params }));
}

/** Images other than SVG are compressed already. */
export function isCompressible({ status = 200, body, contentType }: HttpResult): boolean {
  if (status !== 200 || body.length < COMPRESSED_FROM_BYTES) return false;
  return !contentType.startsWith('image/') || contentType.startsWith('image/svg');
}

/** Each encoding is a response of its own to a strong validator (RFC 9110 section 8.8.3). */
export async function encode(
  result: HttpResult,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<HttpResult> {
  const { headers = API_HEADER_LIST, etag, body } = result;
  return {
    ...result,
    headers: [...headers, 'Content-Encoding', encoding],
    etag: etag && `${etag.slice(0, -1)}-${encoding}"`,
    body: await compress(body, encoding),
  };
}

/** A short piece of Node's pool would hold all of the pool in memory, many times what is counted. */
export function toOwnBuffer(body: string | Uint8Array): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (Buffer.isBuffer(bytes) && bytes.buffer.byteLength < 2 * bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}
