import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#src/db/database.ts';
import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import { createDonation } from '#src/donations/write-donation.ts';
import type { DemoChain } from './demo-chain.ts';

export interface Walk {
  readonly databasePath: string;
  readonly say: (text: string) => void;
  /** Address of a donation's page. */
  readonly pageOf: (id: string) => string;
}

/** Longer than the worker's pause between two looks. */
const STEP_MS = 15_000;
/** As often as the real network finds one: a chain that stands still for a day counts as ill. */
const BLOCK_MS = 150_000;
const CONFIRMATIONS = 3;
const HOUR_MS = 60 * 60_000;
const ASKED_LTC = 0.125;
const LITOSHI_PER_LTC = 100_000_000;

/** Makes a donation and pays it, step by step, until it is forwarded; after that blocks keep coming. Never resolves. */
export async function walkDonation(chain: DemoChain, { databasePath, say, pageOf }: Walk): Promise<never> {
  const to = parseLitecoinAddress(await chain.newAddress(), 'regtest');
  if (!to.ok) throw new Error(`the chain's address ${to.problem}`);
  const db = openDatabase(databasePath, 'write');
  const id = createDonation(db, {
    network: 'regtest',
    to: { address: to.address, script: to.script },
    minimumLitoshi: ASKED_LTC * LITOSHI_PER_LTC,
    rateGrosze: 33_680,
    premiumMonthGrosze: 2_000,
    premiumLifetimeGrosze: 15_000,
    requiredConfirmations: CONFIRMATIONS,
    payerChatId: undefined,
    createdAt: Date.now(),
    expiresAt: Date.now() + HOUR_MS,
  });
  db.close();
  say(`Watch this donation walk through its life: ${pageOf(id)}`);
  const step = async (text: string, act: () => Promise<void>): Promise<void> => {
    await setTimeout(STEP_MS, undefined, { ref: false });
    await act();
    say(text);
  };
  await step(`It is paid now, ${ASKED_LTC} LTC.`, () => chain.pay(to.address, ASKED_LTC));
  for (let block = 1; block <= CONFIRMATIONS; block += 1)
    await step(`Block ${block} of ${CONFIRMATIONS} is found.`, () => chain.mine());
  await step('The operator forwards it.', () => chain.forward());
  await step('The forwarding is in a block: the donation is done.', () => chain.mine());
  for (;;) {
    await setTimeout(BLOCK_MS, undefined, { ref: false });
    await chain.mine();
  }
}
