/** Visitors of many addresses, as a trusted proxy names them: some who wait for their answers, or a crowd that does not. */
import { get } from 'node:http';
import type { Agent, IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { Request } from 'autocannon';

const TICK_MS = 2;

export interface Question {
  readonly path: string;
  /** That the proxy names. */
  readonly address: string;
}

export interface Answered {
  readonly perSecond: number;
  readonly asked: number;
  /** Broken connections, and answers other than 2xx. */
  readonly failed: number;
}

/**
 * Each connection asks as soon as it has its answer.
 * @param seconds after which it ends
 * @param amount of questions after which it ends before
 */
export async function askInTurn(
  origin: string,
  { connections, seconds, amount }: { connections: number; seconds: number; amount?: number },
  questionOf: (at: number) => Question,
): Promise<Answered> {
  let asked = 0;
  const setupRequest = (request: Request): Request => {
    const { path, address } = questionOf(asked);
    asked += 1;
    return { ...request, path, headers: { 'X-Forwarded-For': address } };
  };
  const options = { url: origin, connections, requests: [{ setupRequest }] };
  const instance = autocannon(
    amount === undefined ? { ...options, duration: seconds } : { ...options, amount },
  );
  const timer = globalThis.setTimeout(
    () => void (instance as unknown as { stop(): void }).stop(),
    (seconds + 1) * 1_000,
  );
  const result = await instance;
  clearTimeout(timer);
  const { errors, non2xx, duration } = result;
  return { perSecond: result['2xx'] / duration, asked, failed: errors + non2xx };
}

/**
 * So many questions a second, evenly, whether earlier ones are answered or not.
 * @param ask told which question it is, from 0. Resolves when all have come to their end.
 * @throws when one has failed
 */
export async function askAtRate(
  rate: number,
  lastsMs: number,
  ask: (at: number) => Promise<void>,
): Promise<void> {
  const open: Promise<void>[] = [];
  const failures: Error[] = [];
  const begun = performance.now();
  for (let at = 0; performance.now() - begun < lastsMs; await setTimeout(TICK_MS))
    for (const due = ((performance.now() - begun) / 1_000) * rate; at < due; at += 1)
      open.push(ask(at).catch((error: unknown) => void failures.push(error as Error)));
  await Promise.all(open);
  if (failures[0]) throw new Error(`${failures.length} failed: ${failures[0].message}`);
}

/** @param address that the proxy names. @returns the answer when all of it has come. @throws when the connection breaks */
export function askAs(url: string, address: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'X-Forwarded-For': address } }, (answer) => {
      answer.resume().once('close', () => resolve(answer));
    }).once('error', reject);
  });
}
