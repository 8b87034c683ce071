/** Clients that send or take next to nothing, end their half, break off, or ask for what is expensive. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { letterSearches } from '../bench/questions.ts';
import { toScenario } from './fault.ts';
import { QUICK_FACTOR } from './scenario.ts';
import type { Fault, Trial } from './fault.ts';

const CLIENTS = 200;
const LASTS_MS = { full: 30_000, quick: 4_000 };
const OTHERS_P99_MS = 100;
/** The time-out of a head, and two looks for it. */
const HEAD_ENDED_WITHIN_MS = 16_000;

const slowReaders: Fault = {
  name: `${CLIENTS} clients read a byte a second`,
  async happen(trial) {
    const sockets = dialMany(trial, 'GET /scammers?limit=60 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
    for (const socket of sockets) socket.pause();
    const reading = setInterval(() => {
      for (const socket of sockets) socket.read(1);
    }, 1_000);
    const p99Ms = await askOthers(trial);
    clearInterval(reading);
    for (const socket of sockets) socket.destroy();
    return `p99 of others ${p99Ms} ms`;
  },
};

const slowWriters: Fault = {
  name: `${CLIENTS} clients write a byte a second`,
  async happen(trial) {
    const sockets = dialMany(trial, 'GET / HTTP/1.1\r\nHost: a\r\nX: ');
    const begun = performance.now();
    const ended = Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))),
    );
    for (const socket of sockets) socket.resume();
    const writing = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x');
    }, 1_000);
    const p99Ms = await askOthers(trial);
    const isOver = await Promise.race([
      ended.then(() => true),
      setTimeout((trial.isQuick ? QUICK_FACTOR : 1) * HEAD_ENDED_WITHIN_MS, false),
    ]);
    clearInterval(writing);
    for (const socket of sockets) socket.destroy();
    assert(isOver, 'they were not ended');
    return `ended after ${((performance.now() - begun) / 1_000).toFixed(0)} s, p99 of others ${p99Ms} ms`;
  },
};

const broken: Fault = {
  name: `${CLIENTS} clients end their half, as many reset the connection`,
  async happen(trial) {
    const question = 'GET /api/scammers HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const halves = dialMany(trial, question);
    for (const socket of halves) socket.end();
    const answers = await Promise.all(halves.map(readAll));
    const whole = answers.filter((text) => text.startsWith('HTTP/1.1 200') && text.endsWith('}')).length;
    assert.equal(whole, CLIENTS, `${whole} of ${CLIENTS} that ended their half got their answers`);
    for (const socket of dialMany(trial, 'GET /scammers HTTP/1.1\r\nHost: a\r\n\r\n'))
      socket.once('connect', () => socket.resetAndDestroy());
    return `${whole} answers came whole`;
  },
};

const searches: Fault = {
  name: 'searches of one letter from many addresses at once',
  async happen(trial) {
    let isOver = false;
    const paths = letterSearches(800);
    const searching = Array.from({ length: 32 }, async (_, client) => {
      for (let at = client; !isOver; at += 32) await trial.ask(paths[at % paths.length] ?? '');
    });
    const p99Ms = await askOthers(trial);
    isOver = true;
    await Promise.all(searching);
    return `p99 of checks by ID ${p99Ms} ms`;
  },
};

export const clients = {
  ...toScenario('clients', 'F23, F24', [slowReaders, slowWriters, broken, searches]),
  isAlone: true as const,
};

function dialMany({ service }: Trial, text: string): Socket[] {
  const { hostname, port } = new URL(service.origin);
  return Array.from({ length: CLIENTS }, (_, at) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).on('error', () => {});
    // From an address of its own, as a proxy would say.
    socket.write(text.replaceAll('Host: a\r\n', `Host: a\r\nX-Forwarded-For: 10.11.0.${at}\r\n`));
    return socket;
  });
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const part of socket.setEncoding('utf8')) text += String(part);
  return text;
}

/** Checks by ID meanwhile. @returns milliseconds within which 99 of 100 are answered @throws when that is too long */
async function askOthers({ ask, knownId, isQuick }: Trial): Promise<number> {
  const times: number[] = [];
  const lastsMs = isQuick ? LASTS_MS.quick : LASTS_MS.full;
  for (const begun = performance.now(); performance.now() - begun < lastsMs;) {
    const askedAt = performance.now();
    assert.equal((await ask(`/api/check?id=${knownId}`)).status, 200);
    times.push(performance.now() - askedAt);
    await setTimeout(10);
  }
  times.sort((a, b) => a - b);
  const p99Ms = Math.round(times[Math.floor(times.length * 0.99)] ?? 0);
  assert(p99Ms <= (isQuick ? QUICK_FACTOR : 1) * OTHERS_P99_MS, `p99 of others ${p99Ms} ms`);
  return p99Ms;
}
