import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { makeMigratedCommandLine, makeCommandLine, type Operator } from '../../support/run-czujka.ts';
import { SAMPLE_ADDRESS } from '../../support/make-donation.ts';

/** An account key whose seed nobody kept. */
const XPUB =
  'zpub6rTmxzPTcq2HjfkfyfCgcm7fKJQ6yVtafKwwJ8JqGpvQNMyYadv5g5vUVvCXEzmdxZF1ThDimGchLNFxdfjFPZtB6LnBNFTtZEkTQ4VBTbu';
const SETTINGS = {
  LITECOIN_XPUB: XPUB,
  LITECOIN_PRICE_PLN: '336.80',
  LITECOIN_PREMIUM_MONTH_PLN: '20.00',
  LITECOIN_PREMIUM_LIFETIME_PLN: '150',
  BASE_URL: 'https://czujka.example',
};
const PUBLISHED_XPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const PAYER = '280864204968068869';
const UNPRICED = { LITECOIN_PRICE_PLN: '', LITECOIN_COINGECKO_URL: 'http://127.0.0.1:1' };

interface Made {
  donation: Record<string, unknown> & { id: string; address: string };
  page: string;
  uri: string;
}

async function createBy(run: Operator['spawn'], ...args: string[]): Promise<Made> {
  const { code, stdout } = await run(['donation', 'create', ...args, '--json'], { settings: SETTINGS });
  if (code !== 0) throw new Error(stdout);
  return JSON.parse(stdout) as Made;
}
const create = ({ run }: Operator, ...args: string[]): Promise<Made> => createBy(run, ...args);

const operator = await makeMigratedCommandLine();

it('derives an address, freezes the price and tells the page', async () => {
  const made = await create(operator, '--pln', '42.10', '--for', PAYER);
  expect(made.donation).toMatchObject({
    id: expect.stringMatching(/^ltc_[0-9a-f]{32}$/) as string,
    address: expect.stringMatching(/^ltc1q/) as string,
    status: 'pending',
    amountPln: 42.1,
    minimumLtc: 0.125,
    requiredConfirmations: 6,
    premiumTier: 'monthly',
    premiumMonthPln: 20,
    premiumLifetimePln: 150,
  });
  expect(made.page).toBe(`https://czujka.example/donate/${made.donation.id}`);
  expect(made.uri).toBe(`litecoin:${made.donation.address}?amount=0.125`);
  expect(JSON.stringify(made)).not.toContain(PAYER);
  const shown = await operator.json<{ for: string }>('donation', 'show', made.donation.id);
  expect(shown.for).toBe(PAYER);
});

it('never gives out an address twice, however many ask at once', async () => {
  const own = await makeMigratedCommandLine();
  const ask = () => createBy(own.spawn, '--tier', 'lifetime');
  const made = await Promise.all([ask(), ask(), ask(), create(own, '--pln', '20')]);
  expect(new Set(made.map(({ donation }) => donation.address)).size).toBe(4);
  const tiers = made.map(({ donation }) => donation.premiumTier);
  expect(tiers.join()).toBe('lifetime,lifetime,lifetime,monthly');
});

it('passes over addresses that may have been given out since a backup', async () => {
  const settings = { ...SETTINGS, LITECOIN_ESPLORA_URL: 'http://127.0.0.1:1/api' };
  const run = async (operator: Operator, ...args: string[]) => {
    const outcome = await operator.run(args, { settings });
    if (outcome.code !== 0) throw new Error(outcome.stderr);
    return outcome;
  };
  const pay = (operator: Operator) => run(operator, 'donation', 'create', '--pln', '20');
  const newestIndex = (operator: Operator): unknown =>
    operator.read((db) => db.statement('SELECT max(key_index) FROM donations').pluck().get());
  const old = await makeMigratedCommandLine();
  await pay(old);
  await run(old, 'backup', 'saved');
  await pay(old);
  const saved = join(old.folder, 'saved');
  const machine = makeCommandLine();
  const restored = await run(machine, 'restore', saved, '--without-removed');
  expect(restored.stderr).toMatch(/^note: nothing here knows which addresses .* 1 to 19 are passed over\./);
  expect((await pay(machine)).stderr).toBe(
    'note: the 20 addresses before this one have received nothing; a wallet that stops after 20 does not see what is sent here: raise its gap limit\n',
  );
  expect(newestIndex(machine)).toBe(20);
  // Once more on the same machine: its own database knows.
  expect((await run(machine, 'restore', saved, '--yes')).stderr).toBe('');
  await pay(machine);
  expect(newestIndex(machine)).toBe(21);
  // And when only the database is lost, the file beside it knows.
  for (const name of ['czujka.db', 'czujka.db-wal', 'czujka.db-shm'])
    rmSync(join(dirname(machine.databasePath), name), { force: true });
  expect((await run(machine, 'restore', saved, '--without-removed')).stderr).not.toContain('addresses');
  await pay(machine);
  expect(newestIndex(machine)).toBe(22);

  const second = makeCommandLine();
  const skip = ['--skip-addresses', '300', '--json'];
  const { stdout } = await run(second, 'restore', saved, '--without-removed', ...skip);
  expect(JSON.parse(stdout)).toMatchObject({ skippedAddresses: [{ first: 1, last: 300 }] });
});

it('says that nobody watches when no source of the chain is set, and says nothing otherwise', async () => {
  const args = ['donation', 'create', '--pln', '20'];
  const unwatched = await operator.run(args, { settings: SETTINGS });
  expect(unwatched.stderr).toMatch(/^note: nothing watches the chain/);
  const settings = { ...SETTINGS, LITECOIN_ESPLORA_URL: 'http://127.0.0.1:1/api' };
  expect((await operator.run(args, { settings })).stderr).toBe('');
});

it('refuses the published key of the test vectors', async () => {
  const settings = { ...SETTINGS, LITECOIN_XPUB: PUBLISHED_XPUB };
  const { code, stderr } = await operator.run(['donation', 'create', '--pln', '20'], { settings });
  expect(code).toBe(1);
  expect(stderr).toContain('anybody could spend');
  expect(stderr).not.toContain(PUBLISHED_XPUB);
});

it('takes an address of the operator', async () => {
  const args = ['--ltc', '0.125', '--address', SAMPLE_ADDRESS, '--confirmations', '2'];
  const { donation } = await create(operator, ...args);
  expect(donation).toMatchObject({ address: SAMPLE_ADDRESS, requiredConfirmations: 2, minimumLtc: 0.125 });
});

it.each<[string, RegExp, Record<string, string>?, number?]>([
  ['--pln 12,50', /--pln 12,50: .* after a point/],
  ['', /give one of --pln, --ltc and --tier/],
  ['--pln 5 --for Jan', /--for Jan: a chat-platform ID has 17 to 20 digits/],
  [
    '--pln 5 --address bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    /is no address that can be watched with LITECOIN_NETWORK=main/,
  ],
  ['--pln 5', /give --address, or set LITECOIN_XPUB/, { LITECOIN_XPUB: '' }],
  ['--pln 5', /LITECOIN_PREMIUM_MONTH_PLN is not set/, { LITECOIN_PREMIUM_MONTH_PLN: '' }],
  ['--pln 5', /no price of LTC can be believed.*\n.*CoinGecko: /, UNPRICED, 2],
])('refuses "%s": %s', async (args, message, settings = {}, exitCode = 1) => {
  const command = ['donation', 'create', ...args.split(' ').filter(Boolean)];
  const { code, stderr } = await operator.run(command, { settings: { ...SETTINGS, ...settings } });
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain(XPUB);
  expect(code).toBe(exitCode);
});

it('donation role takes a donation that is paid, and cancel one that is not', async () => {
  const operator = await makeMigratedCommandLine();
  const { donation } = await create(operator, '--pln', '20');
  const { id } = donation;
  expect(await operator.fail('donation', 'role', id, 'done')).toContain('is pending');
  await operator.succeed('donation', 'cancel', id, '--reason', 'asked for it');
  const shown = await operator.succeed('donation', 'show', id);
  expect(shown).toMatch(/status: failed\n/);
  expect(shown).toMatch(/pending → failed: asked for it/);
  expect(shown).toContain('error: Ta wpłata została anulowana. Nie wysyłaj nic na jej adres.');
  expect(await operator.fail('donation', 'role', 'LTC_1', 'done')).toContain('is no ID of a donation');
});
