import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { API_HEADER_LIST, type HttpResult } from './http-result.ts';
import type { Encoding } from './request-context.ts';

/** Less arrives in one packet anyway. */
const COMPRESSED_FROM_BYTES = 1_400;
/** Half the time of the default 11, for a few percent more bytes. */
const BROTLI_QUALITY = 5;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export function isCompressible({ status = 200, body, contentType }: HttpResult): boolean {
  if (status !== 200 || body.length < COMPRESSED_FROM_BYTES) return false;
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
