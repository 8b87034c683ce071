import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#src/db/database.ts';
import { createDonation, setRoleStatus } from '#src/donations/write-donation.ts';
import { getDemoKey } from '../sample/demo-donations.ts';
import { DEMO_IDS } from '../sample/demo-records.ts';
import { DEMO_TERMS } from '../sample/demo-settings.ts';
import type { PlayedNode } from './played-node.ts';

interface Walk {
  readonly databasePath: string;
  readonly say: (text: string) => void;
  /** Makes the URL of a donation's page. */
  readonly pageOf: (id: string) => string;
}

/** Longer than the 10 s between two polls of the worker. */
const STEP_MS = 15_000;
/** The pace of the real network. The status page reports a chain without a block for a day. */
const BLOCK_MS = 150_000;
const CONFIRMATIONS = 3;
const HOUR_MS = 60 * 60_000;
const ASKED_LTC = 0.125;
/** The stored donations of the demo use the addresses before it. */
const ADDRESS_INDEX = 1_000;

/** Makes a donation, pays and forwards it step by step, then adds a block every 150 s. Never resolves. */
export async function walkDonation(node: PlayedNode, { databasePath, say, pageOf }: Walk): Promise<never> {
  const to = getDemoKey().derive(ADDRESS_INDEX);
  const db = openDatabase(databasePath, 'write');
  const id = createDonation(db, {
    to,
    ...DEMO_TERMS,
    payerChatId: DEMO_IDS.trusted,
    required_confirmations: CONFIRMATIONS,
    created_at: Date.now(),
    expires_at: Date.now() + HOUR_MS,
  });
  say(`Watch this donation walk through its life: ${pageOf(id)}`);
  const step = async (text: string, act: () => void): Promise<void> => {
    await setTimeout(STEP_MS, undefined, { ref: false });
    act();
    say(text);
  };
  let payment = '';
  await step(`It is paid now, ${ASKED_LTC} LTC.`, () => (payment = node.pay(to.script, ASKED_LTC)));
  for (let block = 1; block <= CONFIRMATIONS; block += 1)
    await step(`Block ${block} of ${CONFIRMATIONS} is found.`, () => node.mine());
  await step('The bot gives the role.', () => setRoleStatus(db, id, 'done'));
  await step('The operator forwards it.', () => node.forward(payment));
  await step('The forwarding is in a block: the donation is done.', () => node.mine());
  for (;;) {
    await setTimeout(BLOCK_MS, undefined, { ref: false });
    node.mine();
  }
}
