/** The Esplora API of a block explorer (Blockstream's, and mempool.space's forks such as litecoinspace.org). */
import { z } from 'zod';
import { checkShape, fetchJson, originOf, type Outbound } from './outbound.ts';
import { hash, height, time } from './ranges.ts';

export type Esplora = ReturnType<typeof createEsplora>;

const BODY_MAX_BYTES = 4 * 1024 * 1024;

/** The miner sets the time. */
const blockSchema = z.object({ height, timestamp: time });

/** @param baseUrl for example `https://litecoinspace.org/api` */
export function createEsplora(outbound: Outbound, baseUrl: string) {
  const requestOf = (path: string, signal: AbortSignal | undefined) => ({
    url: baseUrl.replace(/\/$/, '') + path,
    bodyMaxBytes: BODY_MAX_BYTES,
    signal,
  });
  /** @param path for example `/address/ltc1…/utxo` */
  const get = <Schema extends z.ZodType>(path: string, schema: Schema, signal?: AbortSignal) =>
    fetchJson(outbound, requestOf(path, signal), schema);
  return {
    get,
    async getTip(signal?: AbortSignal) {
      const request = requestOf('/blocks/tip/hash', signal);
      const body = await outbound.send({ ...request, contentType: 'text/plain' });
      const newest = checkShape(body.toString('latin1').trim(), hash, originOf(request));
      return get(`/block/${newest}`, blockSchema, signal);
    },
  };
}
