/** Outside services hang, drip, lie or break off: the status is told in time and says so, the lists do not notice. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { seconds, tryFault, until } from './fault.ts';
import type { Fault } from './fault.ts';
import { BAD_SERVICES, startLoopbackServer, startRawLoopbackServer } from './loopback-server.ts';
import type { LoopbackServer } from './loopback-server.ts';
import type { Finding, Scenario } from './scenario.ts';

const TOLD_WITHIN_MS = 6_500;
const ASKED_AT_ONCE = 500;
const QUICK_BAD = 5;
const HUGE_BYTES = 100_000_000;
const CHECKS = ['litecoin', 'chat_platform', 'protection_service'];

/** A body that is larger than anybody would read. */
function sendHuge(socket: Socket): void {
  const part = Buffer.alloc(65_536, ' ');
  socket.once('data', () => {
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${HUGE_BYTES}\r\n\r\n`,
    );
    const more = (): void => {
      if (!socket.destroyed) socket.write(part, () => setImmediate(more));
    };
    more();
  });
}

const raw = (name: string, row: string, behave: (socket: Socket) => unknown) => ({
  name: `outside services ${name} (${row})`,
  start: () => startRawLoopbackServer((socket) => void behave(socket)),
});
const bad: readonly { readonly name: string; readonly start: () => Promise<LoopbackServer> }[] = [
  raw('hang', 'F13', BAD_SERVICES.hang),
  raw('answer a byte a second', 'F14', BAD_SERVICES.drip),
  raw('reset the connection', 'F15', BAD_SERVICES.reset),
  raw('answer garbage', 'F16', BAD_SERVICES.garbage),
  raw('send 100 MB', 'F17', sendHuge),
  {
    name: 'outside services answer 500 (F17)',
    start: () => startLoopbackServer((_request, response) => void response.writeHead(500).end('{}')),
  },
  {
    name: 'outside services redirect in a circle (F17)',
    start: () =>
      startLoopbackServer((request, response) => {
        response.writeHead(302, { Location: request.url ?? '/' }).end();
      }),
  },
];

export const outside: Scenario = {
  name: 'outside',
  rows: 'F13–F18',
  async run({ isQuick }) {
    const findings: Finding[] = [];
    // One of row F17 stands for all.
    for (const { name, start } of isQuick ? bad.slice(0, QUICK_BAD) : bad) {
      const { origin } = await start();
      findings.push(await tryFault({ name, settings: () => allAt(origin), happen: isTold }, isQuick));
    }
    const counted = await startLoopbackServer((_request, response) => void response.writeHead(500).end('{}'));
    const crowd: Fault = {
      name: `${ASKED_AT_ONCE} ask for the status at once (F18)`,
      settings: () => allAt(counted.origin),
      happen: (trial) => askedOnce(trial, counted),
    };
    findings.push(await tryFault(crowd, isQuick));
    return findings;
  },
};

function allAt(origin: string): Readonly<Record<string, string>> {
  return {
    LITECOIN_RPC_URL: origin,
    CHAT_PLATFORM_API_URL: origin,
    PROTECTION_SERVICE_URL: `${origin}/health`,
  };
}

const isTold: Fault['happen'] = async ({ ask }) => {
  const begun = performance.now();
  const { status, text } = await ask('/api/status', 2 * TOLD_WITHIN_MS);
  const tookMs = performance.now() - begun;
  const { checks } = JSON.parse(text) as { checks: readonly { id: string; ok: boolean }[] };
  assert.equal(status, 200);
  for (const id of CHECKS)
    assert.equal(checks.find((check) => check.id === id)?.ok, false, `${id} is told to be well`);
  assert(tookMs <= TOLD_WITHIN_MS, `told after ${seconds(tookMs)}`);
  return `told after ${seconds(tookMs)}`;
};

/** One look at each service serves all who ask within fifteen seconds. */
async function askedOnce(
  { ask }: Parameters<Fault['happen']>[0],
  { requests }: LoopbackServer,
): Promise<string> {
  const checkedAt = async (): Promise<string> =>
    (JSON.parse((await ask('/api/status')).text) as { checkedAt: string }).checkedAt;
  const first = await checkedAt();
  // Right after the turn of a round.
  await until(async () => (await checkedAt()) !== first, 40_000, 'no new look at the services');
  const before = requests.length;
  const answers = await Promise.all(Array.from({ length: ASKED_AT_ONCE }, () => ask('/api/status')));
  assert(answers.every(({ status }) => status === 200));
  const looks = requests.length - before;
  // A round may turn in between.
  assert(looks <= 2 * CHECKS.length, `${looks} questions went out`);
  return `${looks} questions went out`;
}
