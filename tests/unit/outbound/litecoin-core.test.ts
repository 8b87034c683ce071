import { writeFileSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createLitecoinCore, type LitecoinCoreSettings } from '#src/outbound/litecoin-core.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { makeFolder } from '../../support/temporary-database.ts';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node that knows a few methods and one login, and answers batches in another order. */
function startNode(login: { word: string } = { word: 'u:p' }) {
  return startLoopbackServer((request, response) => {
    const expected = `Basic ${Buffer.from(login.word).toString('base64')}`;
    if (request.headers.authorization !== expected) return void response.writeHead(401).end();
    const answer = ({ id, method, params }: Call) => ({
      ...(method === 'echo'
        ? { result: params, error: null }
        : { result: null, error: { code: -28, message: 'Loading block index...' } }),
      id: method === 'other' ? id + 1 : id,
    });
    void json(request).then((asked) => {
      const replies = Array.isArray(asked)
        ? (asked as Call[]).map(answer).toReversed()
        : answer(asked as Call);
      // As Litecoin Core does: the error of a single call has the status 500.
      const status = 'error' in replies && replies.error ? 500 : 200;
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(replies));
    });
  });
}

const LOGIN = { user: 'u', password: 'p' };
const clientOf = (url: string, login: LitecoinCoreSettings['login'] = LOGIN) =>
  createLitecoinCore(createOutbound(), { url, login });

it('sends all calls at once, and tells what the node refuses', async () => {
  const node = await startNode();
  const echo = (word: string) => ({ method: 'echo', params: [word], schema: z.tuple([z.string()]) });
  const answers = await clientOf(`${node.origin}/wallet/don`).callAll([
    echo('ż'),
    { method: 'refuse', params: [], schema: z.null() },
    echo('b'),
  ]);
  const refusal = { name: 'RpcError', code: -28, message: 'refuse: Loading block index... (-28)' };
  expect(answers).toMatchObject([['ż'], refusal, ['b']]);
  expect(node.requests).toEqual(['POST /wallet/don']);
  await expect(clientOf(node.origin).call('refuse', [], z.null())).rejects.toMatchObject(refusal);
});

it('refuses an answer to another call or of another shape', async () => {
  const client = clientOf((await startNode()).origin);
  const other = { method: 'other', params: [], schema: z.number() };
  await expect(client.callAll([other])).rejects.toThrow('other answered with JSON of another shape');
  const schema = z.tuple([z.object({ a: z.string() })]);
  const problem = 'echo answered with JSON of another shape, at 0.a';
  await expect(client.call('echo', [{ a: 1 }], schema)).rejects.toThrow(problem);
});

it('refuses a state of more than 64 kB, which would take long to read', async () => {
  const node = await startLoopbackServer((_request, response) => {
    const result = Array.from({ length: 30_000 }, () => []);
    response.writeHead(200).end(JSON.stringify({ id: 0, error: null, result }));
  });
  const client = clientOf(node.origin);
  await expect(client.getBlockchainInfo()).rejects.toThrow(/with more than 65536 bytes/);
  await expect(client.call('getblock', [], z.array(z.tuple([])))).resolves.toHaveLength(30_000);
});

it('reads the cookie file again when the node has written another', async () => {
  const login = { word: '__cookie__:one' };
  const node = await startNode(login);
  const cookieFile = join(makeFolder(), '.cookie');
  const { call } = clientOf(node.origin, { cookieFile });
  const missing = `${cookieFile}: cookie file cannot be read (ENOENT)`;
  await expect(call('echo', [], z.unknown())).rejects.toThrow(missing);
  writeFileSync(cookieFile, `${login.word}\n`);
  await call('echo', [], z.unknown());
  login.word = '__cookie__:two';
  writeFileSync(cookieFile, login.word);
  await call('echo', [], z.unknown());
  expect(node.requests).toHaveLength(1 + 2);
});

it('says no more of a refused login than its status', async () => {
  const node = await startNode();
  const { call } = clientOf(node.origin, { user: 'u', password: 'S3CRET' });
  const error: unknown = await call('echo', ['S3CRET'], z.unknown()).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 401, message: `${node.origin}: answered 401` });
});
