/** Visitors who do not wait for each other: so many questions a second, evenly, whether earlier ones are answered or not. */
import { get } from 'node:http';
import type { Agent, IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';

const TICK_MS = 2;

/** @param ask told which question it is, from 0. Resolves when all have come to their end. @throws when one has failed */
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
