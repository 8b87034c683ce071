/** Litecoin Core's JSON-RPC 1.0 over HTTP. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { OutboundError } from './outbound-error.ts';
import { checkShape, fetchJson, originOf, type Outbound } from './outbound.ts';
import { hash, height, time } from './ranges.ts';

/** The node writes a new cookie file (`user:password`) at each start. */
type Login = { readonly user: string; readonly password: string } | { readonly cookieFile: string };

export interface LitecoinCoreSettings {
  /** Without credentials, for example `http://127.0.0.1:9332`. */
  readonly url: string;
  readonly login: Login | undefined;
  readonly deadlineMs?: number | undefined;
}

export type LitecoinCore = ReturnType<typeof createLitecoinCore>;

interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly schema: z.ZodType;
}

/** The node's refusal; `code` is, for example, -5, or -28 (still starting). */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly code: number;
  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message.slice(0, 200)} (${code})`);
    this.code = code;
  }
}

/** For a block with all its transactions in hex. */
const BODY_MAX_BYTES = 64 * 1024 * 1024;
/** A node sends about 2 kB. The web process asks, and reading 60 MB of nested arrays would stop it for half a minute. */
const INFO_MAX_BYTES = 64 * 1024;

export const blockchainInfoSchema = z.object({
  /** `main`, `test` or `regtest`. */
  chain: z.string().max(100),
  blocks: height,
  bestblockhash: hash,
  /** True until the first synchronization with the network. */
  initialblockdownload: z.boolean(),
  /** Median time of the last eleven blocks: on the main network about 15 minutes ago. */
  mediantime: time,
  /** The oldest block that a pruned node still has. */
  pruneheight: height.default(0),
});

const replySchema = z.object({
  result: z.unknown(),
  error: z.object({ code: z.int(), message: z.string() }).nullish(),
  id: z.unknown(),
});
type Reply = z.output<typeof replySchema>;

/** The node sends the error of a single call with 400, 404 or 500, and a JSON body. */
const STATUSES = [200, 400, 404, 500];

export function createLitecoinCore(outbound: Outbound, { url, login, deadlineMs }: LitecoinCoreSettings) {
  const origin = originOf({ url });
  let authorization: string | undefined;

  const post = async <Schema extends z.ZodType>(
    asked: object,
    schema: Schema,
    signal: AbortSignal | undefined,
    bodyMaxBytes = BODY_MAX_BYTES,
  ): Promise<z.output<Schema>> => {
    const send = async () => {
      const headers = {
        'Content-Type': 'application/json',
        ...(login && { Authorization: (authorization ??= await toAuthorization(login)) }),
      };
      const body = JSON.stringify(asked);
      const bounds = { deadlineMs, bodyMaxBytes, expectedStatuses: STATUSES, signal };
      return fetchJson(outbound, { url, method: 'POST', headers, body, ...bounds }, schema);
    };
    return send().catch((error: unknown) => {
      if (!(error instanceof OutboundError && error.status === 401)) throw error;
      // The node may have restarted and written another cookie.
      authorization = undefined;
      return send();
    });
  };

  /** @throws {OutboundError} for a missing reply, or a result of another shape */
  const readReply = (reply: Reply | undefined, { method, schema }: RpcCall): unknown => {
    if (reply?.error) return new RpcError(method, reply.error.code, reply.error.message);
    return checkShape(reply?.result, schema, origin, `${method} `);
  };

  /** @throws {RpcError} when the node refuses @throws {OutboundError} without an answer of this shape */
  const call = async <Schema extends z.ZodType>(
    method: string,
    params: readonly unknown[],
    schema: Schema,
    signal?: AbortSignal,
    bodyMaxBytes?: number,
  ): Promise<z.output<Schema>> => {
    const reply = await post(encode(0, method, params), replySchema, signal, bodyMaxBytes);
    const result = readReply(reply, { method, params, schema });
    if (result instanceof RpcError) throw result;
    return result as z.output<Schema>;
  };

  return {
    call,
    getBlockchainInfo: (signal?: AbortSignal) =>
      call('getblockchaininfo', [], blockchainInfoSchema, signal, INFO_MAX_BYTES),
    /** In one request. @returns each result or the node's error @throws {OutboundError} without this shape */
    async callAll<const Calls extends readonly RpcCall[]>(
      calls: Calls,
      signal?: AbortSignal,
    ): Promise<{ [Place in keyof Calls]: z.output<Calls[Place]['schema']> | RpcError }> {
      const asked = calls.map(({ method, params }, id) => encode(id, method, params));
      const replies = await post(asked, z.array(replySchema), signal);
      // A batch may be answered in any order.
      const byId = new Map(replies.map((reply) => [reply.id, reply]));
      return calls.map((each, id) => readReply(byId.get(id), each)) as never;
    },
  };
}

function encode(id: number, method: string, params: readonly unknown[]): object {
  return { jsonrpc: '1.0', id, method, params };
}

async function toAuthorization(login: Login): Promise<string> {
  const pair = 'user' in login ? `${login.user}:${login.password}` : await readCookie(login.cookieFile);
  return `Basic ${Buffer.from(pair.trim()).toString('base64')}`;
}

function readCookie(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new OutboundError(path, `cookie file cannot be read (${code})`);
  });
}
