/** `czujka donation` as an operator or a bot runs it. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeMigratedOperator, makeOperator } from '../../support/run-czujka.ts';
import type { Operator } from '../../support/run-czujka.ts';
import { DONATION_RECORD, SAMPLE_ADDRESS } from '../../support/make-donation.ts';

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
/** Its second address. */
const SECOND_ADDRESS = 'ltc1q0890me57vtdng2pwww00xt6ug9h040kaed6d7d';
const PUBLISHED_XPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const PAYER = '280864204968068869';

interface Made {
  donation: Record<string, unknown> & { id: string; address: string };
  page: string;
  uri: string;
}

function create(operator: Operator, ...args: string[]): Promise<Made> {
  return createBy(operator, 'run', ...args);
}

async function createBy(operator: Operator, how: 'run' | 'spawn', ...args: string[]): Promise<Made> {
  const { code, stdout, stderr } = await operator[how](['donation', 'create', ...args, '--json'], {
    settings: SETTINGS,
  });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Made;
}

describe('donation create', async () => {
  const operator = await makeMigratedOperator();

  it('derives an address, freezes the price and tells the page', async () => {
    const made = await create(operator, '--pln', '42.10', '--for', PAYER);
    expect(made.donation).toMatchObject({
      id: expect.stringMatching(/^ltc_[0-9a-f]{32}$/) as string,
      address: expect.stringMatching(/^ltc1q/) as string,
      status: 'pending',
      receivedLtc: 0,
      amountPln: 42.1,
      minimumLtc: 0.125,
      requiredConfirmations: 6,
      roleStatus: 'none',
      premiumTier: 'monthly',
      premiumMonthPln: 20,
      premiumLifetimePln: 150,
      error: null,
    });
    expect(made.page).toBe(`https://czujka.example/donate/${made.donation.id}`);
    expect(made.uri).toBe(`litecoin:${made.donation.address}?amount=0.125`);
    expect(JSON.stringify(made)).not.toContain(PAYER);
    const shown = await operator.json<{ for: string }>('donation', 'show', made.donation.id);
    expect(shown.for).toBe(PAYER);
  });

  it('never gives out an address twice, however many ask at once', async () => {
    const many = await Promise.all(
      Array.from({ length: 6 }, () => createBy(operator, 'spawn', '--tier', 'lifetime')),
    );
    const listed = await operator.json<{ address: string }[]>('donation', 'list', '--limit', '100');
    expect(new Set(listed.map(({ address }) => address)).size).toBe(7);
    expect(many.every(({ donation }) => donation.premiumTier === 'lifetime')).toBe(true);
  });

  it('goes on with the addresses where it was when an older backup is restored', async () => {
    const own = await makeMigratedOperator();
    await create(own, '--pln', '20');
    await own.do('backup', 'saved');
    const later = await create(own, '--pln', '20');
    expect(later.donation.address).toBe(SECOND_ADDRESS);
    await own.do('restore', 'saved', '--yes');
    expect((await create(own, '--pln', '20')).donation.address).not.toBe(SECOND_ADDRESS);
  });

  it('passes over addresses that may have been given out since the backup, on a new machine', async () => {
    const old = await makeMigratedOperator();
    const run = async (operator: Operator, ...args: string[]) => {
      const outcome = await operator.run(args, { settings: SETTINGS });
      if (outcome.code !== 0) throw new Error(outcome.stderr);
      return outcome;
    };
    const indexOf = (operator: Operator, { donation }: Made) =>
      operator.read(
        (db) =>
          db.statement<{ at: number }>('SELECT key_index AS at FROM donations WHERE id = ?').get(donation.id)
            ?.at,
      );
    await create(old, '--pln', '20');
    await run(old, 'backup', 'saved');
    const lost = await create(old, '--pln', '20');
    const saved = join(old.folder, 'saved');

    const machine = makeOperator();
    const restored = await run(machine, 'restore', saved, '--without-removed');
    expect(restored.stderr).toMatch(/^note: nothing here knows which addresses .* 1 to 19 are passed over\./);
    const next = await create(machine, '--pln', '20');
    expect(next.donation.address).not.toBe(lost.donation.address);
    expect(indexOf(machine, next)).toBe(20);
    // Once more on the same machine: its own database knows.
    expect((await run(machine, 'restore', saved, '--yes')).stderr).toBe('');
    expect(indexOf(machine, await create(machine, '--pln', '20'))).toBe(21);

    // As many as the operator says; and from a backup that is older than the first donation.
    const second = makeOperator();
    const report = JSON.parse(
      (await run(second, 'restore', saved, '--without-removed', '--skip-addresses', '300', '--json')).stdout,
    ) as { skippedAddresses: object[] };
    expect(report.skippedAddresses).toEqual([{ keyId: expect.any(String) as string, first: 1, last: 300 }]);
    const empty = makeOperator();
    await run(empty, 'migrate');
    await run(empty, 'backup', 'saved');
    const third = makeOperator();
    await run(third, 'restore', join(empty.folder, 'saved'), '--without-removed');
    expect(indexOf(third, await create(third, '--pln', '20'))).toBe(19);
    // A machine that was never asked for an address has none to skip.
    expect((await run(empty, 'restore', 'saved')).stderr).toBe('');
  });

  it('says when a wallet with the usual gap limit would not see the payment', async () => {
    const own = await makeMigratedOperator();
    await create(own, '--pln', '20');
    await own.do('backup', 'saved');
    const machine = makeOperator();
    const settings = { ...SETTINGS, LITECOIN_ESPLORA_URL: 'http://127.0.0.1:1/api' };
    await machine.run(['restore', join(own.folder, 'saved'), '--without-removed'], { settings });
    const { stderr } = await machine.run(['donation', 'create', '--pln', '20'], { settings });
    expect(stderr).toBe(
      'note: the 20 addresses before this one have received nothing; a wallet that stops after 20 does not see what is sent here: raise its gap limit\n',
    );
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

  it('takes an address of the operator, once', async () => {
    const args = [
      '--ltc',
      '0.125',
      '--address',
      SAMPLE_ADDRESS,
      '--confirmations',
      '2',
      '--expires-minutes',
      '5',
    ];
    const { donation } = await create(operator, ...args);
    expect(donation).toMatchObject({ address: SAMPLE_ADDRESS, requiredConfirmations: 2, minimumLtc: 0.125 });
    await expect(create(operator, ...args)).rejects.toThrow(
      `the address ${SAMPLE_ADDRESS} was given out already, to ${donation.id}`,
    );
  });

  it.each([
    [['--pln', '0'], /--pln 0: an amount above zero/],
    [['--pln', '12,50'], /--pln 12,50: .* after a point/],
    [['--ltc', '0.000000001'], /--ltc 0.000000001: .*8 decimals/],
    [[], /give one of --pln, --ltc and --tier/],
    [['--pln', '5', '--ltc', '1'], /give one of --pln, --ltc and --tier/],
    [['--tier', 'gold'], /Allowed choices are monthly, lifetime/],
    [['--pln', '5', '--for', 'Jan'], /--for Jan: a chat-platform ID has 17 to 20 digits/],
    [['--pln', '5', '--address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'], /is a Bitcoin address/],
    [['--pln', '5', '--address', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'], /begins with 3/],
    [['--pln', '5', '--confirmations', '0'], /whole number of at least 1/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await operator.run(['donation', 'create', ...args], { settings: SETTINGS });
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });

  it.each([
    [{ LITECOIN_XPUB: '' }, /give --address, or set LITECOIN_XPUB/, 1],
    [{ LITECOIN_NETWORK: 'regtest' }, /LITECOIN_XPUB: it is a zpub, but LITECOIN_NETWORK is regtest/, 1],
    [{ LITECOIN_PREMIUM_MONTH_PLN: '' }, /LITECOIN_PREMIUM_MONTH_PLN is not set/, 1],
    [
      {
        LITECOIN_PRICE_PLN: '',
        LITECOIN_COINGECKO_URL: 'http://127.0.0.1:1',
        LITECOIN_KRAKEN_URL: 'http://127.0.0.1:1',
        LITECOIN_NBP_URL: 'http://127.0.0.1:1',
      },
      /no price of LTC can be believed.*\n.*CoinGecko: .*\n.*Kraken and NBP: /,
      2,
    ],
  ])('says what is missing: %j', async (settings, message, exitCode) => {
    const { code, stderr } = await operator.run(['donation', 'create', '--pln', '5'], {
      settings: { ...SETTINGS, ...settings },
    });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(XPUB);
    expect(code).toBe(exitCode);
  });
});

describe('donation role and cancel', () => {
  it('takes a role only for a donation that is paid, and cancels only one that is not', async () => {
    const operator = await makeMigratedOperator();
    const { donation } = await create(operator, '--pln', '20');
    const role = await operator.run(['donation', 'role', donation.id, 'done']);
    expect(role).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is pending: a role can be given once') as string,
    });
    await operator.do('donation', 'cancel', donation.id, '--reason', 'asked for it');
    const shown = await operator.do('donation', 'show', donation.id);
    expect(shown).toMatch(/status: failed\n/);
    expect(shown).toMatch(/pending → failed: asked for it/);
    expect(shown).toContain('error: Ta wpłata została anulowana. Nie wysyłaj nic na jej adres.');
    const again = await operator.run(['donation', 'cancel', donation.id]);
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is failed and cannot be cancelled') as string,
    });
  });

  it.each([
    [['role', 'ltc_0000000000000000', 'done'], /there is no donation ltc_0000000000000000/],
    [
      ['role', 'ltc_0000000000000000', 'given'],
      /given is no state of a role; there are none, waiting, done, failed/,
    ],
    [['role', 'LTC_1', 'done'], /LTC_1 is no ID of a donation/],
    [['show', 'x'], /x is no ID of a donation/],
    [['cancel', 'ltc_0000000000000000'], /there is no donation/],
    [['list', '--status', 'paid'], /Allowed choices are pending, seen/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await (await makeMigratedOperator()).run(['donation', ...args]);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });
});

describe('donation import', () => {
  const outcome = {
    status: 'forwarded',
    at: '2026-10-01T12:40:00Z',
    receivedLtc: 0.125,
    confirmations: 9,
    txId: 'a'.repeat(64),
    forwardTxId: 'b'.repeat(64),
    roleStatus: 'done',
  };

  it('brings donations that are over, and open ones for the watcher to find', async () => {
    const operator = await makeMigratedOperator();
    const open = {
      ...DONATION_RECORD,
      id: `ltc_${'1b'.repeat(16)}`,
      address: SECOND_ADDRESS,
    };
    operator.file('donations.ndjson', [{ ...DONATION_RECORD, outcome, for: PAYER }, open]);
    expect(await operator.json('donation', 'import', 'donations.ndjson')).toEqual({ imported: 2, open: 1 });
    const [first] = await operator.json<object[]>('donation', 'list', '--status', 'forwarded');
    expect(first).toMatchObject({
      id: DONATION_RECORD.id,
      receivedLtc: 0.125,
      txId: outcome.txId,
      roleStatus: 'done',
    });
    const again = await operator.run(['donation', 'import', 'donations.ndjson']);
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is a donation') as string,
    });
  });

  it('says in its own words what a record lacks, and what file is not there', async () => {
    const operator = await makeMigratedOperator();
    operator.file('bad.ndjson', [
      { id: 7, outcome: { status: 'lost', at: outcome.at, roleStatus: 1 }, requiredConfirmations: 0 },
    ]);
    const { code, stderr } = await operator.run(['donation', 'import', 'bad.ndjson']);
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      'bad.ndjson:1: id: must be a string, not 7',
      'bad.ndjson:1: address: is missing; a string is needed',
      'bad.ndjson:1: minimumLtc: must be an amount in LTC',
      'bad.ndjson:1: ratePln: must be an amount in zł',
      'bad.ndjson:1: premiumMonthPln: must be an amount in zł',
      'bad.ndjson:1: premiumLifetimePln: must be an amount in zł',
      'bad.ndjson:1: requiredConfirmations: must be at least 1',
      expect.stringMatching(/^bad.ndjson:1: createdAt: must be an ISO 8601 time/),
      expect.stringMatching(/^bad.ndjson:1: expiresAt: must be an ISO 8601 time/),
      'bad.ndjson:1: outcome.status: must be one of forwarded, expired, failed',
      'bad.ndjson:1: outcome.roleStatus: must be one of none, waiting, done, failed',
      'nothing was imported',
      '',
    ]);
    expect(await operator.run(['donation', 'import', 'none.ndjson'])).toMatchObject({
      code: 1,
      stderr: 'there is no file none.ndjson\n',
    });
  });

  it('imports nothing when anything is wrong, and says what, by line', async () => {
    const operator = await makeMigratedOperator();
    operator.file('bad.ndjson', [
      DONATION_RECORD,
      { ...DONATION_RECORD, id: 'ltc_X', minimumLtc: 0.123456789, surprise: 1 },
      {
        ...DONATION_RECORD,
        id: `ltc_${'2c'.repeat(16)}`,
        address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      },
      {
        ...DONATION_RECORD,
        id: `ltc_${'3d'.repeat(16)}`,
        expiresAt: DONATION_RECORD.createdAt,
        outcome: { ...outcome, txId: null },
      },
    ]);
    const { code, stderr } = await operator.run(['donation', 'import', 'bad.ndjson']);
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^bad.ndjson:2: id: must be ltc_/),
      expect.stringMatching(/^bad.ndjson:2: minimumLtc: must have at most 8 decimals/),
      expect.stringMatching(/^bad.ndjson:2: .*surprise/),
      'bad.ndjson:3: address: is a Bitcoin address',
      'bad.ndjson:4: expiresAt: must be later than createdAt',
      'bad.ndjson:4: outcome: must have receivedLtc and txId when it is forwarded',
      'nothing was imported',
      '',
    ]);
    expect(await operator.json('donation', 'list')).toEqual([]);
  });
});
