/** The verb `donation`: the operator or a bot creates and shows payments in Litecoin. */
import { Argument, Option, type Command } from 'commander';
import type { Config } from '../config.ts';
import { sqlBuilder, type Database } from '../db/database.ts';
import { parseAccountKey } from '../donations/account-key.ts';
import { formatLtc, litoshiFor, parseLtc, parsePln, toLtc } from '../donations/amount.ts';
import { toDonationJson } from '../donations/donation-response.ts';
import { DONATION_ID } from '../donations/donation-id.ts';
import {
  DONATION_STATUSES,
  ROLE_STATUSES,
  type DonationStatus,
  type RoleStatus,
} from '../donations/donation-status.ts';
import { findDonation, listDonations } from '../donations/find-donation.ts';
import { parseLitecoinAddress } from '../donations/litecoin-address.ts';
import { getRate } from '../donations/litecoin-rate.ts';
import { paymentUri } from '../donations/donation.ts';
import {
  cancelDonation,
  countUnpaidBefore,
  createDonation,
  setRoleStatus,
  type NewDonation,
} from '../donations/write-donation.ts';
import { isPlatformId } from '../platform-id.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { LITOSHI_MAX } from '../outbound/ranges.ts';
import { BadInputError } from '../operator-error.ts';
import { printNotice, print, type Cli } from './console/cli.ts';
import { wholeNumber } from './console/options.ts';
import { counted } from './console/outcome.ts';
import { openMigrated, openToWrite } from './console/operator-database.ts';

interface CreateOptions {
  pln?: string;
  ltc?: string;
  tier?: 'monthly' | 'lifetime';
  address?: string;
  for?: string;
  expiresMinutes?: number;
  confirmations?: number;
}

export function addVerbs(program: Command, cli: Cli): void {
  const donation = program.command('donation').description('payments in Litecoin');

  donation
    .command('create')
    .description('make a donation: its address, its amount and its page')
    .option('--pln <amount>', 'so many zł, at the price of this moment')
    .option('--ltc <amount>', 'so many LTC')
    .addOption(new Option('--tier <tier>', 'the price of premium').choices(['monthly', 'lifetime']))
    .option('--address <address>', 'an address of yours; without it the next one of LITECOIN_XPUB')
    .option('--for <id>', 'chat-platform ID of who gets the role; never shown')
    .option('--expires-minutes <minutes>', 'default: LITECOIN_PAYMENT_MINUTES', wholeNumber(1, 525_600))
    .option('--confirmations <count>', 'default: LITECOIN_CONFIRMATIONS', wholeNumber(1, 100))
    .action((options: CreateOptions) => create(cli, options));

  donation
    .command('show')
    .description('show all of a donation: what the public sees, who it is for, what the chain said')
    .argument('<id>', 'ltc_…')
    .action(async (id: string) => {
      const db = await openMigrated(cli);
      const shown = describeDonation(db, id);
      print(cli, shown, formatDonation(shown));
    });

  donation
    .command('list')
    .description('list donations, newest first')
    .addOption(new Option('--status <status>').choices([...DONATION_STATUSES]))
    .option('--limit <count>', 'show at most this many', wholeNumber(1), 30)
    .action(async (options: { status?: DonationStatus; limit: number }) => {
      const db = await openMigrated(cli);
      const now = Date.now();
      const found = listDonations(db, options);
      const lines = found.map(
        ({ id, status, receivedLitoshi, minimumLitoshi, createdAt }) =>
          `${id}\t${status}\t${formatLtc(receivedLitoshi)}/${formatLtc(minimumLitoshi)} LTC\t${new Date(createdAt).toISOString()}`,
      );
      const shown = found.map((each) => toDonationJson(each, now));
      print(cli, shown, [...lines, counted(found.length, 'donation')].join('\n'));
    });

  donation
    .command('role')
    .description('say what became of the role, once the donation is confirmed')
    .argument('<id>', 'ltc_…')
    .addArgument(new Argument('<state>').choices(ROLE_STATUSES))
    .action(async (id: string, role: RoleStatus) => {
      setRoleStatus(await openToWrite(cli), checkId(id), role);
      print(cli, { id, roleStatus: role }, `${id}: role ${role}`);
    });

  donation
    .command('cancel')
    .description('end a donation that is not confirmed yet')
    .argument('<id>', 'ltc_…')
    .option('--reason <text>', 'for the record; never shown')
    .action(async (id: string, options: { reason?: string }) => {
      cancelDonation(await openToWrite(cli), checkId(id), options.reason, Date.now());
      print(cli, { id, status: 'failed' }, `${id} is cancelled`);
    });
}

/** Wallets stop after this many addresses without a payment (gap limit of BIP44 and BIP84). */
const WALLET_GAP = 20;
const NOBODY_WATCHES =
  'nothing watches the chain, so no payment will be seen: set LITECOIN_RPC_URL or LITECOIN_ESPLORA_URL';
/** Fingerprint of the account key in BIP84's test vectors, which examples everywhere show. */
const PUBLISHED_KEY_ID = 'e7b44782b0ca91ce';

async function create(cli: Cli, options: CreateOptions): Promise<void> {
  const db = await openToWrite(cli);
  const { config } = cli;
  const { donations, litecoin, baseUrl } = config;
  const prices = {
    monthly: getPrice(donations.premiumMonthPln, 'LITECOIN_PREMIUM_MONTH_PLN'),
    lifetime: getPrice(donations.premiumLifetimePln, 'LITECOIN_PREMIUM_LIFETIME_PLN'),
  };
  const asked = parseAsked(options, prices);
  const to = parseDestination(config, options.address);
  if (options.for !== undefined && !isPlatformId(options.for))
    throw new BadInputError(`--for ${options.for}: a chat-platform ID has 17 to 20 digits`);
  const { priceOfLtcPln, coingeckoUrl } = donations;
  const fixedRateGrosze = priceOfLtcPln === undefined ? undefined : parsePln(priceOfLtcPln);
  const rate = await getRate(db, createOutbound(), { fixedRateGrosze, coingeckoUrl }, Date.now());
  const now = Date.now();
  const minutes = options.expiresMinutes ?? donations.paymentMinutes;
  const minimumLitoshi = 'litoshi' in asked ? asked.litoshi : litoshiFor(asked.grosze, rate.rateGrosze);
  if (minimumLitoshi > LITOSHI_MAX) throw new BadInputError('that is more LTC than there is');
  const id = createDonation(db, {
    network: litecoin.network,
    to,
    minimum_litoshi: minimumLitoshi,
    rate_grosze: rate.rateGrosze,
    premium_month_grosze: prices.monthly,
    premium_lifetime_grosze: prices.lifetime,
    required_confirmations: options.confirmations ?? donations.requiredConfirmations,
    payerChatId: options.for,
    created_at: now,
    expires_at: now + minutes * 60_000,
  });
  const made = findDonation(db, id);
  if (!made) throw new Error(`${id} is gone`);
  const warnings = [...rate.warnings];
  if (!litecoin.rpc && !litecoin.esploraUrl) warnings.push(NOBODY_WATCHES);
  const unpaid = countUnpaidBefore(db, id) ?? 0;
  if (unpaid >= WALLET_GAP)
    warnings.push(
      `the ${unpaid} addresses before this one have received nothing; a wallet that stops after ${WALLET_GAP} does not see what is sent here: raise its gap limit`,
    );
  for (const warning of warnings) printNotice(cli, warning);
  const page = `${baseUrl}/donate/${id}`;
  const { source, rateGrosze, at } = rate;
  const result = {
    donation: toDonationJson(made, now),
    page,
    uri: paymentUri(made),
    rate: { plnPerLtc: rateGrosze / 100, source, at: new Date(at).toISOString() },
    warnings,
  };
  const text = [
    page,
    `${formatLtc(made.minimumLitoshi)} LTC to ${made.address} until ${new Date(made.expiresAt).toISOString()}`,
    `at ${(rateGrosze / 100).toFixed(2)} zł for one LTC (${source}, ${new Date(at).toISOString()})`,
  ];
  print(cli, result, text.join('\n'));
}

function getPrice(pln: string | undefined, setting: string): number {
  const grosze = pln === undefined ? undefined : parsePln(pln);
  if (grosze === undefined) throw new BadInputError(`${setting} is not set, and every donation carries it`);
  return grosze;
}

function parseAsked(
  { pln, ltc, tier }: CreateOptions,
  prices: Readonly<Record<'monthly' | 'lifetime', number>>,
): { readonly grosze: number } | { readonly litoshi: number } {
  const given = [pln, ltc, tier].filter((value) => value !== undefined);
  if (given.length !== 1) throw new BadInputError('give one of --pln, --ltc and --tier');
  if (tier !== undefined) return { grosze: prices[tier] };
  if (ltc !== undefined) return { litoshi: parseLtc(ltc) ?? refuseAmount(`--ltc ${ltc}`, 8) };
  return { grosze: parsePln(pln ?? '') ?? refuseAmount(`--pln ${pln}`, 2) };
}

function refuseAmount(given: string, decimals: number): never {
  throw new BadInputError(
    `${given}: an amount above zero is needed, with at most ${decimals} decimals after a point`,
  );
}

function parseDestination({ litecoin, donations }: Config, address: string | undefined): NewDonation['to'] {
  if (address !== undefined) {
    const parsed = parseLitecoinAddress(address, litecoin.network);
    if (parsed.ok) return parsed;
    throw new BadInputError(`--address ${address}: it ${parsed.problem}`);
  }
  if (donations.accountKey === undefined)
    throw new BadInputError(
      'give --address, or set LITECOIN_XPUB, whose addresses are taken one after the other',
    );
  const parsed = parseAccountKey(donations.accountKey, litecoin.network);
  if (!parsed.ok) throw new BadInputError(`LITECOIN_XPUB: it ${parsed.problem}`);
  if (parsed.key.keyId === PUBLISHED_KEY_ID)
    throw new BadInputError(
      "LITECOIN_XPUB: it is the test vector of BIP84, whose private half is published: anybody could spend what it receives. Give your own account's key",
    );
  return { key: parsed.key };
}

function checkId(id: string): string {
  if (!DONATION_ID.test(id))
    throw new BadInputError(`${id} is no ID of a donation: ltc_ and 16 to 64 hexadecimal digits`);
  return id;
}

function describeDonation(db: Database, id: string) {
  const now = Date.now();
  const found = findDonation(db, checkId(id));
  if (!found) throw new BadInputError(`there is no donation ${id}`);
  const payer = db.first(sqlBuilder.selectFrom('donation_payers').selectAll().where('donation_id', '=', id));
  const transitions = db.all(
    sqlBuilder.selectFrom('donation_transitions').selectAll().where('donation_id', '=', id).orderBy('seq'),
  );
  const outputs = db.all(
    sqlBuilder
      .selectFrom('donation_outputs')
      .select(['tx_id as txId', 'vout', 'litoshi', 'kind', 'height', 'is_gone', 'spent_by as spentBy'])
      .select('spent_height as spentHeight')
      .where('donation_id', '=', id)
      .orderBy('first_seen_at')
      .orderBy('txId')
      .orderBy('vout'),
  );
  return {
    donation: toDonationJson(found, now),
    for: payer?.chat_id ?? null,
    transitions: transitions.map(({ at, from_status: from, to_status: to, reason }) => ({
      at: new Date(at).toISOString(),
      from,
      to,
      ...(reason === null ? {} : { reason }),
    })),
    outputs: outputs.map(({ litoshi, is_gone: isGone, ...output }) => ({
      ...output,
      ltc: toLtc(litoshi),
      isGone: isGone === 1,
    })),
  };
}

function formatDonation(shown: ReturnType<typeof describeDonation>): string {
  const { donation, transitions, outputs } = shown;
  return [
    ...Object.entries(donation).map(([key, value]) => `${key}: ${String(value)}`),
    `for: ${shown.for ?? 'nobody'}`,
    ...transitions.map(
      ({ at, from, to, reason }) => `${at} ${from} → ${to}${reason === undefined ? '' : `: ${reason}`}`,
    ),
    ...outputs.map(
      ({ txId, vout, ltc, height, isGone, spentBy }) =>
        `${isGone ? 'gone: ' : ''}${ltc} LTC by ${txId}:${vout}, ${height === null ? 'in no block' : `block ${height}`}${spentBy === null ? '' : `, spent by ${spentBy}`}`,
    ),
  ].join('\n');
}
