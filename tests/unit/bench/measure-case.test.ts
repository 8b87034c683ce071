import { expect, it } from 'vitest';
import { createSampler } from '../../../scripts/bench/measure-case.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';

const PATH = '/api/check?id=1';
const RIGHT = '{"results":[{"kind":"scammers","entries":[{"id":"1"}]}]}';

it('the benchmark counts an answer that is another one, of another status, about another ID, or missing', async () => {
  let answer: { status: number; body: string } | undefined;
  const { origin } = await startLoopbackServer(({ socket }, response) => {
    if (answer) response.writeHead(answer.status).end(answer.body);
    else socket.destroy();
  });
  const countOf = async (path: string, ...answers: (typeof answer)[]): Promise<number> => {
    const countWrong = createSampler(origin, [path], 1);
    let wrong = 0;
    for (answer of answers) wrong += await countWrong();
    return wrong;
  };
  const right = { status: 200, body: RIGHT };
  expect(await countOf(PATH, right, right)).toBe(0);
  expect(await countOf(PATH, right, { status: 200, body: `${RIGHT} ` })).toBe(1);
  expect(await countOf(PATH, right, { status: 503, body: RIGHT })).toBe(1);
  expect(await countOf('/api/check?id=2', right)).toBe(1);
  expect(await countOf(PATH, undefined, right)).toBe(1);
  expect(await countOf('/scammers', { status: 200, body: '<html>' })).toBe(1);
});
