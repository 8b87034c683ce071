/** Compressed forms of an answer (RFC 9110 sections 8.4 and 12.5.3). */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readAccepted, rememberChoice } from './accept.ts';
import { readListHeader } from './list-header.ts';

export type Encoding = 'identity' | 'br' | 'gzip';

/** Below this, a compressed form saves less than its header costs. */
export const COMPRESSED_FROM_BYTES = 512;
/** Half as long to make as the default of 11 would be long, and a few percent larger. */
const BROTLI_QUALITY = 5;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export async function compress(body: Uint8Array, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  const packed =
    encoding === 'br'
      ? await compressBrotli(body, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
          },
        })
      : await compressGzip(body);
  return toOwnBuffer(packed);
}

/**
 * Without what lies beside it: a short piece of Node's pool would hold all of it, many times what is counted.
 */
export function toOwnBuffer(body: string | Uint8Array): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (Buffer.isBuffer(bytes) && bytes.buffer.byteLength < 2 * bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

/** Chooses by Accept-Encoding: what the client prefers, brotli before gzip where it does not; by `q=0` it refuses. */
export function createEncodingChoice(): (request: IncomingMessage) => Encoding {
  const chooseBy = rememberChoice(choose);
  return (request) => {
    const header = readListHeader(request, 'accept-encoding');
    return header === undefined ? 'identity' : chooseBy(header);
  };
}

function choose(acceptEncoding: string): Encoding {
  const accepted = readAccepted(acceptEncoding);
  const weight = (name: string): number => accepted.get(name) ?? accepted.get('*') ?? 0;
  const [br, gzip] = [weight('br'), weight('gzip')];
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
}
