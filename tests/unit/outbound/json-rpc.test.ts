import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createJsonRpc, type RpcLogin } from '#src/outbound/json-rpc.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const outbound = createOutbound();
afterAll(() => outbound.close());

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node that knows a few methods and one login. */
function startNode(login: { word: string }) {
  return startLoopbackServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const expected = `Basic ${Buffer.from(login.word).toString('base64')}`;
      if (request.headers.authorization !== expected) return void response.writeHead(401).end();
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as Call;
      const [status, reply] = (
        {
          echo: [200, { result: params, error: null, id }],
          refuse: [500, { result: null, error: { code: -28, message: 'Loading block index...' }, id }],
          other: [200, { result: 1, error: null, id: id + 1 }],
          shape: [200, { result: 1, error: 'no' }],
        } as Record<string, [number, object]>
      )[method] ?? [404, { result: null, error: { code: -32601, message: 'Method not found' }, id }];
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply));
    });
  });
}

function clientOf(url: string, login: RpcLogin | undefined) {
  return createJsonRpc(outbound, { url, login, deadlineMs: 5_000, bodyMaxBytes: 100_000 });
}

describe('JSON-RPC', () => {
  it('calls with user and password, at the path of a wallet', async () => {
    const node = await startNode({ word: 'u:p:w' });
    const rpc = clientOf(`${node.origin}/`, { user: 'u', password: 'p:w' });
    expect(await rpc.call('echo', ['ż', 1], z.array(z.unknown()))).toEqual(['ż', 1]);
    const wallet = clientOf(`${node.origin}/wallet/don`, { user: 'u', password: 'p:w' });
    await wallet.call('echo', [], z.unknown());
    expect(node.requests).toEqual(['POST /', 'POST /wallet/don']);
  });

  it('tells what the node refuses', async () => {
    const node = await startNode({ word: 'u:p' });
    const rpc = clientOf(node.origin, { user: 'u', password: 'p' });
    await expect(rpc.call('refuse', [], z.unknown())).rejects.toMatchObject({
      name: 'RpcError',
      code: -28,
      message: 'refuse: Loading block index... (-28)',
    });
    await expect(rpc.call('nothing', [], z.unknown())).rejects.toMatchObject({ code: -32601 });
  });

  it('refuses an answer to another call or of another shape', async () => {
    const node = await startNode({ word: 'u:p' });
    const rpc = clientOf(node.origin, { user: 'u', password: 'p' });
    await expect(rpc.call('other', [], z.number())).rejects.toMatchObject({ reason: 'shape' });
    await expect(rpc.call('shape', [], z.number())).rejects.toMatchObject({ reason: 'shape' });
    await expect(rpc.call('echo', [{ a: 1 }], z.tuple([z.object({ a: z.string() })]))).rejects.toThrow(
      `${node.origin}: echo answered with JSON of another shape, at 0.a`,
    );
  });

  it('reads the cookie file again when the node has written another', async () => {
    const login = { word: '__cookie__:one' };
    const node = await startNode(login);
    const cookieFile = join(makeFolder(), '.cookie');
    const rpc = clientOf(node.origin, { cookieFile });
    await expect(rpc.call('echo', [], z.unknown())).rejects.toThrow(
      `${cookieFile}: cookie file cannot be read (ENOENT)`,
    );
    writeFileSync(cookieFile, `${login.word}\n`);
    await rpc.call('echo', [], z.unknown());
    login.word = '__cookie__:two';
    await expect(rpc.call('echo', [], z.unknown())).rejects.toMatchObject({ status: 401 });
    writeFileSync(cookieFile, login.word);
    await rpc.call('echo', [], z.unknown());
    // The first never left; then one call, one that was refused twice, one that was refused once.
    expect(node.requests).toHaveLength(1 + 2 + 2);
  });

  it('says no more of a refused login than its status', async () => {
    const node = await startNode({ word: 'u:p' });
    const rpc = clientOf(node.origin, { user: 'u', password: 'S3CRET' });
    const error = await rpc.call('echo', ['S3CRET'], z.unknown()).catch((reason: Error) => reason);
    expect(error).toMatchObject({
      name: 'OutboundError',
      status: 401,
      message: `${node.origin}: answered 401`,
    });
  });
});
