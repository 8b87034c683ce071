/** Compressed forms of an answer (RFC 9110 sections 8.4 and 12.5.3). */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readAccepted, rememberChoice } from './accept.ts';

export type Encoding = 'identity' | 'br' | 'gzip';

/** Below this, a compressed form saves less than its header costs. */
export const COMPRESSED_FROM_BYTES = 512;
/** Half as long to make as the default of 11 would be long, and a few percent larger. */
const BROTLI_QUALITY = 5;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export function compress(body: Buffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  return encoding === 'br'
    ? compressBrotli(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      })
    : compressGzip(body);
}

/** Chooses by Accept-Encoding: brotli before gzip, what is refused by `q=0` never. */
export function createEncodingChoice(): (request: IncomingMessage) => Encoding {
  const chooseBy = rememberChoice(choose);
  return ({ headers: { 'accept-encoding': header } }) =>
    header === undefined ? 'identity' : chooseBy(header);
}

function choose(acceptEncoding: string): Encoding {
  const accepted = readAccepted(acceptEncoding);
  const takes = (name: string): boolean => accepted.get(name) ?? accepted.get('*') ?? false;
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}
