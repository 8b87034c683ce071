/** Compressed bodies (RFC 9110 sections 8.4 and 12.5.3). */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readListHeader } from './list-header.ts';

export type Encoding = 'identity' | 'br' | 'gzip';

/** Below this, compression saves less than its header costs. */
export const COMPRESSED_FROM_BYTES = 512;
/** Half as long to make as the default of 11 would be long, and a few percent larger. */
const BROTLI_QUALITY = 5;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export async function compress(body: Uint8Array, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  if (encoding === 'gzip') return toOwnBuffer(await compressGzip(body));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return toOwnBuffer(await compressBrotli(body, { params }));
}

/** A short piece of Node's pool would hold all of the pool in memory, many times what is counted. */
export function toOwnBuffer(body: string | Uint8Array): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (Buffer.isBuffer(bytes) && bytes.buffer.byteLength < 2 * bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

/** Chooses by Accept-Encoding: what the client prefers, brotli before gzip where it does not; by `q=0` it refuses. */
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
