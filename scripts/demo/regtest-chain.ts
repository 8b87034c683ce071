import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { createLitecoinCore, walletPath } from '#src/outbound/litecoin-core.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { findFreePort, regtestOptions } from '../regtest-node.ts';
import type { DemoChain } from './demo-chain.ts';

const DEADLINE_MS = 60_000;
/** A script that anybody may spend; no wallet watches it. */
const ANYBODY = 'raw(51)';
/** Coins of a block may be spent when so many follow it. */
const MATURE_BLOCKS = 101;
/** What is left of a payment after the fee of forwarding it. */
const FORWARDED_LTC = 0.12;

/**
 * A litecoind of its own, in a folder that goes with it. It ends with this process also when nobody says so.
 * @param program path of litecoind
 * @throws when it does not start
 */
export async function startRegtestChain(program: string): Promise<DemoChain> {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-litecoin-'));
  const port = await findFreePort();
  const node = spawn(program, regtestOptions(folder, port), { stdio: 'ignore' });
  const kill = (): void => {
    node.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', kill);
  const url = `http://127.0.0.1:${port}`;
  const cookieFile = join(folder, 'regtest/.cookie');
  const outbound = createOutbound();
  const client = createLitecoinCore(outbound, { url, login: { cookieFile } });
  const call = <Schema extends z.ZodType>(
    method: string,
    params: readonly unknown[],
    schema: Schema,
    wallet?: string,
  ): Promise<z.output<Schema>> =>
    client.call(method, params, schema, {
      backOff: 'told',
      deadlineMs: DEADLINE_MS,
      ...(wallet === undefined ? {} : { path: walletPath(wallet) }),
    });
  const newAddress = (wallet: string): Promise<string> =>
    call('getnewaddress', ['', 'bech32'], z.string(), wallet);
  const mine = async (blocks: number): Promise<void> => {
    await call('generatetoaddress', [blocks, await newAddress('payer')], z.unknown());
  };

  try {
    while (!(await client.getBlockchainInfo({ backOff: 'told' }).catch(() => undefined))) {
      if (node.exitCode !== null) throw new Error(`litecoind ended with code ${node.exitCode}`);
      await setTimeout(100);
    }
    // Before a first block the node believes that it is behind the network.
    await call('generatetodescriptor', [1, ANYBODY], z.unknown());
  } catch (error) {
    kill();
    throw error;
  }

  // They take the node seconds, on a slow disk many; only the walk needs them.
  const makeWallets = async (): Promise<void> => {
    for (const name of ['payer', 'operator']) await call('createwallet', [name], z.unknown());
    await mine(MATURE_BLOCKS);
  };
  const wallets = makeWallets();
  // Whoever waits for them hears of it; nobody may.
  wallets.catch(() => {});

  return {
    settings: { LITECOIN_RPC_URL: url, LITECOIN_RPC_COOKIE_FILE: cookieFile },
    async newAddress() {
      await wallets;
      return newAddress('operator');
    },
    async pay(address, ltc) {
      await call('sendtoaddress', [address, ltc], z.string(), 'payer');
    },
    async forward() {
      await call('sendtoaddress', [await newAddress('payer'), FORWARDED_LTC], z.string(), 'operator');
    },
    mine: () => mine(1),
    async end() {
      outbound.close();
      if (node.exitCode === null && node.signalCode === null) {
        node.kill('SIGTERM');
        await once(node, 'exit');
      }
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
