/** JSON-RPC 1.0 over HTTP, as Bitcoin-like nodes speak it. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { OutboundError } from './outbound-error.ts';
import { checkShape, originOf, readJson, type Outbound } from './outbound.ts';

/** The node writes a new cookie file (`user:password`) at each start. */
export type RpcLogin = { readonly user: string; readonly password: string } | { readonly cookieFile: string };

export interface JsonRpcOptions {
  /** Without credentials. */
  readonly url: string;
  readonly login: RpcLogin | undefined;
  readonly deadlineMs: number;
  readonly bodyMaxBytes: number;
}

export interface RpcCallOptions {
  readonly signal?: AbortSignal;
}

export type JsonRpc = ReturnType<typeof createJsonRpc>;

export interface RpcCall {
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

/** Bitcoin-like nodes send errors of calls with these, and a JSON body. */
const STATUSES = [200, 400, 404, 500];

export function createJsonRpc(outbound: Outbound, options: JsonRpcOptions) {
  let nextId = 1;
  let authorization: string | undefined;

  const readAuthorization = async (): Promise<string | undefined> => {
    const { login } = options;
    if (!login) return undefined;
    const pair = 'user' in login ? `${login.user}:${login.password}` : await readCookie(login.cookieFile);
    return `Basic ${Buffer.from(pair.trim()).toString('base64')}`;
  };

  const post = async (body: string, signal: AbortSignal | undefined): Promise<Buffer> => {
    authorization ??= await readAuthorization();
    const { body: answer } = await outbound.send({
      url: options.url,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      },
      body,
      deadlineMs: options.deadlineMs,
      bodyMaxBytes: options.bodyMaxBytes,
      contentTypes: ['application/json'],
      acceptStatus: (status) => STATUSES.includes(status),
      signal,
    });
    return answer;
  };

  const send = (body: string, signal: AbortSignal | undefined): Promise<Buffer> =>
    post(body, signal).catch((error: unknown) => {
      const isRefusedLogin = error instanceof OutboundError && error.status === 401;
      if (!isRefusedLogin || !options.login || 'user' in options.login) throw error;
      // The node has restarted and written another cookie.
      authorization = undefined;
      return post(body, signal);
    });

  const origin = originOf(options);
  const encode = (id: number, method: string, params: readonly unknown[]) => ({
    jsonrpc: '1.0',
    id,
    method,
    params,
  });

  return {
    /**
     * @throws {RpcError} when the node refuses the call
     * @throws {OutboundError} without an answer of this shape
     */
    call: async <Schema extends z.ZodType>(
      method: string,
      params: readonly unknown[],
      schema: Schema,
      { signal }: RpcCallOptions = {},
    ): Promise<z.output<Schema>> => {
      const id = nextId++;
      const answer = await send(JSON.stringify(encode(id, method, params)), signal);
      const reply = readReply(readJson(answer, replySchema, origin), id, { method, params, schema }, origin);
      if (reply instanceof RpcError) throw reply;
      return reply as z.output<Schema>;
    },
    /**
     * Sends all calls in one request.
     * @returns the result or the node's error of each, in order
     * @throws {OutboundError} without an answer of this shape
     */
    async callAll<const Calls extends readonly RpcCall[]>(
      calls: Calls,
      { signal }: RpcCallOptions = {},
    ): Promise<{ [Place in keyof Calls]: z.output<Calls[Place]['schema']> | RpcError }> {
      const first = nextId;
      nextId += calls.length;
      const body = JSON.stringify(
        calls.map(({ method, params }, place) => encode(first + place, method, params)),
      );
      const replies = readJson(await send(body, signal), z.array(replySchema), origin);
      if (replies.length !== calls.length)
        throw new OutboundError('shape', origin, `answered ${replies.length} of ${calls.length} calls`);
      // A batch may be answered in any order.
      const byId = new Map(replies.map((reply) => [reply.id, reply]));
      return calls.map((each, place) => {
        const id = first + place;
        return readReply(byId.get(id), id, each, origin);
      }) as never;
    },
  };
}

/** @throws {OutboundError} for a reply of another call or shape */
function readReply(
  reply: z.output<typeof replySchema> | undefined,
  id: number,
  { method, schema }: RpcCall,
  origin: string,
): unknown {
  if (reply?.error) return new RpcError(method, reply.error.code, reply.error.message);
  if (reply?.id !== id) throw new OutboundError('shape', origin, `answered another call than ${method}`);
  return checkShape(reply.result, schema, origin, `${method} `);
}

const replySchema = z.object({
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
  id: z.union([z.number(), z.string(), z.null()]).optional(),
});

async function readCookie(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new OutboundError(
      'connection',
      path,
      `cookie file cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}
