import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { checkAnswers } from '../../scripts/bench/check-answers.ts';
import { makeDatabase } from '../support/temporary-database.ts';

it('counts an answer that does not come as a wrong one, and goes on', async () => {
  const db = await makeDatabase();
  const server = createServer(({ socket }) => void socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const check = checkAnswers(`http://127.0.0.1:${port}`, db.path, ['/api/scammers']);
  await once(server, 'request');
  await once(server, 'request');
  expect(await check.end()).toBeGreaterThanOrEqual(2);
  server.close();
});
