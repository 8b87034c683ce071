/** `npm run demo -- --litecoin`: a regtest node of its own, and a donation that walks through its life on it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { openDatabase } from '#src/db/database.ts';
import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import { createDonation } from '#src/donations/write-donation.ts';
import { createLitecoinCore, walletPath } from '#src/outbound/litecoin-core.ts';
import { createOutbound } from '#src/outbound/outbound.ts';
import { findFreePort, findLitecoind, regtestOptions } from './regtest-node.ts';

export interface LitecoinDemo {
  /** For web and worker. */
  readonly settings: Readonly<Record<string, string>>;
  /** Makes a donation and pays it, step by step; ends with its forwarding. */
  walk(databasePath: string, say: (text: string) => void, pageOf: (id: string) => string): Promise<void>;
  end(): Promise<void>;
}

/** Longer than the worker's pause between two looks. */
const STEP_MS = 15_000;
const CONFIRMATIONS = 3;
const HOUR_MS = 60 * 60_000;
const DEADLINE_MS = 60_000;

/** @throws when litecoind is not installed or does not start */
export async function startLitecoinDemo(): Promise<LitecoinDemo> {
  const program = findLitecoind();
  if (program === undefined)
    throw new Error(
      'litecoind is not installed (Debian: apt-get install litecoind); without --litecoin the demo has stored donations',
    );
  const folder = mkdtempSync(join(tmpdir(), 'czujka-litecoin-'));
  const port = await findFreePort();
  const node = spawn(program, regtestOptions(folder, port), { stdio: 'ignore' });
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
  const end = async (): Promise<void> => {
    outbound.close();
    if (node.exitCode === null && node.signalCode === null) {
      node.kill('SIGTERM');
      await once(node, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };

  while (!(await client.getBlockchainInfo({ backOff: 'told' }).catch(() => undefined))) {
    if (node.exitCode !== null) throw new Error(`litecoind ended with code ${node.exitCode}`);
    await setTimeout(100);
  }
  for (const name of ['payer', 'operator']) await call('createwallet', [name], z.unknown());
  await mine(101);

  return {
    settings: {
      LITECOIN_NETWORK: 'regtest',
      LITECOIN_RPC_URL: url,
      LITECOIN_RPC_COOKIE_FILE: cookieFile,
    },
    async walk(databasePath, say, pageOf) {
      const to = parseLitecoinAddress(await newAddress('operator'), 'regtest');
      if (!to.ok) throw new Error(`the node's address ${to.problem}`);
      const db = openDatabase(databasePath, 'write');
      const id = createDonation(db, {
        network: 'regtest',
        to: { address: to.address, script: to.script },
        minimumLitoshi: 12_500_000,
        rateGrosze: 33_680,
        premiumMonthGrosze: 2_000,
        premiumLifetimeGrosze: 15_000,
        requiredConfirmations: CONFIRMATIONS,
        payerChatId: undefined,
        createdAt: Date.now(),
        expiresAt: Date.now() + HOUR_MS,
      });
      db.close();
      say(`Watch this donation: ${pageOf(id)}`);
      const step = async (text: string, act: () => Promise<unknown>): Promise<void> => {
        await setTimeout(STEP_MS, undefined, { ref: false });
        await act();
        say(text);
      };
      await step('It is paid now, 0.125 LTC.', () =>
        call('sendtoaddress', [to.address, 0.125], z.string(), 'payer'),
      );
      for (let block = 1; block <= CONFIRMATIONS; block += 1)
        await step(`Block ${block} of ${CONFIRMATIONS} is mined.`, () => mine(1));
      await step('The operator forwards it.', async () =>
        call('sendtoaddress', [await newAddress('payer'), 0.12], z.string(), 'operator'),
      );
      await step('The forwarding is in a block: the donation is done.', () => mine(1));
    },
    end,
  };
}
