/** A real Litecoin Core in regtest, in a folder of its own; it ends with the test file. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { z } from 'zod';
import { createLitecoinCore } from '#src/outbound/litecoin-core.ts';
import type { LitecoinCore } from '#src/outbound/litecoin-core.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { findFreePort, findLitecoind, regtestOptions } from '../../scripts/regtest-node.ts';
import { makeFolder } from './temporary-database.ts';

export interface LitecoinNode {
  readonly url: string;
  readonly cookieFile: string;
  readonly client: LitecoinCore;
  /** Mines without paying any wallet. */
  mine(blocks: number): Promise<void>;
  /** As a power cut would: what it did not write is lost. */
  kill(): Promise<void>;
  /** After it was killed, on the same folder and port. */
  start(): Promise<void>;
}

/** A script that anybody may spend; no wallet watches it. */
const ANYBODY = 'raw(51)';

const running = new Set<ChildProcess>();
// Registered while the test file is collected: what a test registers itself is ignored.
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** @param more further options of litecoind */
export async function startLitecoinNode(more: readonly string[] = []): Promise<LitecoinNode> {
  const program = findLitecoind();
  if (program === undefined) throw new Error('litecoind is not installed');
  const folder = makeFolder();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const cookieFile = join(folder, 'regtest/.cookie');
  const client = createLitecoinCore(createOutbound(), { url, login: { cookieFile } });
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const started = spawn(program, [...regtestOptions(folder, port), ...more], { stdio: 'ignore' });
    child = started;
    running.add(started);
    await untilReady(client, () => started.exitCode ?? started.signalCode);
  };
  await start();
  return {
    url,
    cookieFile,
    client,
    async mine(blocks) {
      await client.call('generatetodescriptor', [blocks, ANYBODY], z.array(z.string()));
    },
    async kill() {
      if (!child) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      running.delete(child);
    },
    start,
  };
}

async function untilReady(client: LitecoinCore, exit: () => number | string | null): Promise<void> {
  for (;;) {
    try {
      await client.getBlockchainInfo({ backOff: 'told' });
      return;
    } catch (error) {
      if (exit() !== null) throw new Error(`litecoind ended: ${exit()}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
