/** A real Litecoin Core in regtest, in a folder of its own; it ends with the test file. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { z } from 'zod';
import { createLitecoinCore, type LitecoinCore } from '#src/outbound/litecoin-core.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { findPort } from './find-port.ts';
import { makeFolder } from './temporary-database.ts';

export type LitecoinNode = Awaited<ReturnType<typeof startLitecoinNode>>;

/** A script that anybody may spend; no wallet watches it. */
const ANYBODY = 'raw(51)';

/** Debian's /usr/bin/litecoind is a wrapper that writes into the home folder. */
const PROGRAMS = ['/usr/lib/litecoin/litecoind', '/usr/bin/litecoind'];

const running = new Set<ChildProcess>();
// Registered while the test file is collected: what a test registers itself is ignored.
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** @param more further options of litecoind */
export async function startLitecoinNode(more: readonly string[] = []) {
  const program = PROGRAMS.find(existsSync);
  if (program === undefined) throw new Error('litecoind is not installed');
  const folder = makeFolder();
  const port = await findPort();
  const url = `http://127.0.0.1:${port}`;
  const cookieFile = join(folder, 'regtest/.cookie');
  const outbound = createOutbound();
  const client = createLitecoinCore(outbound, { url, login: { cookieFile } });
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
    /** With more time: the machine that runs the tests may be busy. @param wallet of the node */
    rpc: (wallet?: string) =>
      createLitecoinCore(outbound, {
        url: wallet === undefined ? url : `${url}/wallet/${encodeURIComponent(wallet)}`,
        login: { cookieFile },
        deadlineMs: 50_000,
      }),
    /** Pays no wallet. */
    async mine(blocks: number): Promise<void> {
      await client.call('generatetodescriptor', [blocks, ANYBODY], z.array(z.string()));
    },
    /** As a power cut would: what it did not write is lost. */
    async kill(): Promise<void> {
      if (!child) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      running.delete(child);
    },
    /** After it was killed, on the same folder and port. */
    start,
  };
}

async function untilReady(client: LitecoinCore, exit: () => number | string | null): Promise<void> {
  for (;;) {
    try {
      await client.getBlockchainInfo();
      return;
    } catch (error) {
      if (exit() !== null) throw new Error(`litecoind ended: ${exit()}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** @param port for JSON-RPC on loopback */
function regtestOptions(folder: string, port: number): string[] {
  return [
    `-datadir=${folder}`,
    `-rpcport=${port}`,
    ...'-regtest -server -listen=0 -dnsseed=0 -connect=0 -rpcbind=127.0.0.1 -rpcallowip=127.0.0.1'.split(' '),
    ...'-fallbackfee=0.0001 -dbcache=16 -par=1'.split(' '),
    // Block 432 cannot be mined in regtest once MWEB is active, unless coins were moved into it before.
    '-vbparams=mweb:-2:0',
  ];
}
