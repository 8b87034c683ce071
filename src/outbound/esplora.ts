/** A block explorer with the Esplora API (Blockstream's, and mempool.space's forks such as litecoinspace.org). */
import { z } from 'zod';
import { originOf } from './http-exchange.ts';
import { fetchJson, readJson } from './outbound.ts';
import type { Outbound, SendOptions } from './outbound.ts';

export interface EsploraTip {
  readonly height: number;
  readonly hash: string;
  /** Epoch seconds, as its miner wrote it. */
  readonly timestamp: number;
}

export interface Esplora {
  /**
   * @param path under the base address, for example `/address/ltc1…/utxo`
   * @throws {OutboundError}
   */
  get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    options?: EsploraOptions,
  ): Promise<z.output<Schema>>;
  /** The newest block. @throws {OutboundError} */
  getTip(options?: EsploraOptions): Promise<EsploraTip>;
}

export interface EsploraOptions extends SendOptions {
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

const DEADLINE_MS = 6_000;
const BODY_MAX_BYTES = 4 * 1024 * 1024;

/** @param baseUrl for example `https://litecoinspace.org/api` */
export function createEsplora(outbound: Outbound, baseUrl: string): Esplora {
  const base = baseUrl.replace(/\/$/, '');
  const requestOf = (path: string, { deadlineMs = DEADLINE_MS, signal }: EsploraOptions) => ({
    url: base + path,
    deadlineMs,
    bodyMaxBytes: BODY_MAX_BYTES,
    signal,
  });
  return {
    async get(path, schema, options = {}) {
      return (await fetchJson(outbound, requestOf(path, options), schema, options)).value;
    },
    async getTip(options = {}) {
      const request = requestOf('/blocks/tip/hash', options);
      const { body, latencyMs } = await outbound.send({ ...request, contentTypes: ['text/plain'] }, options);
      // The hash comes as bare text.
      const hash = readJson(
        Buffer.from(JSON.stringify(body.toString('latin1').trim())),
        hashSchema,
        originOf({}, new URL(base)),
      );
      const left = Math.max(1, request.deadlineMs - latencyMs);
      const block = { ...requestOf(`/block/${hash}`, options), deadlineMs: left };
      const { value } = await fetchJson(outbound, block, blockSchema, options);
      return { height: value.height, hash, timestamp: value.timestamp };
    },
  };
}

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
const blockSchema = z.object({ height: z.int(), timestamp: z.int() });
