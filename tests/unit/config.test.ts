import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig, SETTING_NAMES } from '#src/config.ts';
import { listIneffective } from '#src/config/ineffective-settings.ts';
import { listMissing } from '#src/config/missing-settings.ts';
import { DATA_FILES } from '#src/data-files.ts';
import { createClientAddress } from '#src/http/rate-limit.ts';
import { makeFolder } from '../support/temporary-database.ts';

/** The problems of these settings, one a line, as an operator reads them. */
function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

function readAll(settings: readonly string[]): Record<string, string> {
  return Object.fromEntries(settings.map((setting) => setting.split(/=(.*)/s, 2) as [string, string]));
}

const words = (text: string): string[] => text.split(' ');

describe('parseConfig', () => {
  it('has a default for every setting', () => {
    expect(parseConfig({})).toEqual({
      host: '127.0.0.1',
      port: 4321,
      databasePath: resolve('data/czujka.db'),
      isDatabaseNamed: false,
      dataFolder: resolve('data'),
      baseUrl: 'http://127.0.0.1:4321',
      trustedProxies: [],
      logLevel: 'info',
      logRequests: 'none',
      operator: {
        riskReviewDays: 180,
        legalBasis: expect.stringContaining('art. 6 ust. 1 lit. f RODO') as string,
        idMenu: ['Zaawansowane', 'Tryb dewelopera', 'Kopiuj ID'],
        help: { emergencyPhone: '112', youthPhone: '116 111', fraudSite: 'https://incydent.cert.pl' },
      },
      litecoin: { network: 'main' },
      donations: {
        requiredConfirmations: 6,
        paymentMinutes: 60,
        coingeckoUrl: 'https://api.coingecko.com',
        premiumBenefits: [],
      },
      bots: {},
      refusedProofHosts: [
        'cdn.discordapp.com',
        'media.discordapp.net',
        'images-ext-1.discordapp.net',
        'images-ext-2.discordapp.net',
      ],
      avatarsMaxBytes: 200_000_000,
    });
  });

  it('takes blank values for absent ones, cuts outer white space, and ignores what it does not know', () => {
    const blank = Object.fromEntries(SETTING_NAMES.map((name) => [name, ' \t ']));
    expect(parseConfig(blank)).toEqual(parseConfig({}));
    const config = parseConfig({ PORT: ' 80 ', HOST: ' ::1 ', PATH: '/bin', port: '1' });
    expect(config).toMatchObject({ port: 80, host: '::1' });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('lists every problem at once: variable, what is wrong, an example that it accepts; and no other', () => {
    const wrong = {
      HOST: 'a host',
      PORT: '65536',
      BASE_URL: 'czujka.example',
      TRUST_PROXY: 'proxy.example',
      LOG_LEVEL: 'loud',
    };
    const problems = problemsOf({ ...wrong, PLATFORM_NAME: 'Komunikator' });
    expect(problems).toEqual([
      'HOST=a host: must be a host name or an IP address, for example HOST=127.0.0.1',
      'PORT=65536: must be a whole number from 0 to 65535, for example PORT=4321',
      'BASE_URL=czujka.example: must be an http or https address without a path, for example BASE_URL=https://czujka.example',
      'TRUST_PROXY=proxy.example: must be a comma-separated list of addresses, CIDR ranges or "loopback", for example TRUST_PROXY=loopback,10.0.0.0/8',
      'LOG_LEVEL=loud: must be one of trace, debug, info, warn, error, fatal, silent, for example LOG_LEVEL=info',
    ]);
    expect(() => parseConfig(wrong)).toThrow(`wrong settings:\n  ${problems.join('\n  ')}`);
    const examples = problems.map((problem) => problem.split(', for example ', 2)[1] ?? '');
    expect(problemsOf(readAll(examples))).toEqual([]);
  });

  it('refuses a text in another encoding than UTF-8, of which a page would show marks', () => {
    const windows1250 = Buffer.from('Zg\xb3oszenie', 'latin1').toString();
    expect(problemsOf({ CONFIRMED_WHEN: windows1250 })).toEqual([
      'CONFIRMED_WHEN: is not valid UTF-8; save the file as UTF-8',
    ]);
  });

  it('refuses metrics on the port of the site, unless the system chooses both ports', () => {
    const problem = 'METRICS_PORT=9464: must be another port than PORT';
    expect(problemsOf({ PORT: '9464', METRICS_PORT: '9464' })).toEqual([problem]);
    expect(problemsOf({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
  });

  it.each<[string, object]>([
    ['PLATFORM_ID_MENU=a | b c |d', { operator: { idMenu: ['a', 'b c', 'd'] } }],
    ['LITECOIN_PREMIUM_BENEFITS=Rola | Znaczek||', { donations: { premiumBenefits: ['Rola', 'Znaczek'] } }],
    ['PORT=65535', { port: 65_535 }],
    ['HOST=my_host-1.example', { baseUrl: 'http://my_host-1.example:4321' }],
    ['HOST=::1', { host: '::1', baseUrl: 'http://[::1]:4321' }],
    ['DATABASE_PATH=search.db/proofs.db', { databasePath: resolve('search.db/proofs.db') }],
    [
      'DATABASE_PATH=elsewhere/../lists.db',
      { databasePath: resolve('lists.db'), dataFolder: resolve(), isDatabaseNamed: true },
    ],
    ['BASE_URL=HTTPS://Czujka.Example:443/', { baseUrl: 'https://czujka.example' }],
    ['BASE_URL=http://[2001:db8::1]:8080', { baseUrl: 'http://[2001:db8::1]:8080' }],
    ['BASE_URL=https://czujka-żółć.example', { baseUrl: 'https://xn--czujka--r0a4prw2t.example' }],
    ['TRUST_PROXY=loopback, 10.0.0.1 ,,\t', { trustedProxies: ['127.0.0.0/8', '::1/128', '10.0.0.1'] }],
    ['TRUST_PROXY=2001:db8::1,::ffff:a00:0/104', { trustedProxies: ['2001:db8::1', '::ffff:a00:0/104'] }],
  ])('reads %s', (setting, expected) => {
    const config = parseConfig(readAll([setting]));
    expect(config).toMatchObject(expected);
    expect(() => createClientAddress(config.trustedProxies)).not.toThrow();
  });

  it.each([
    ['PORT', ['80 81', ...words('-1 65536 100000 80.5 8e1 0x50 +80 http ٨٠')]],
    ['HOST', ['a b', 'a\nb', ...words('[::1] http://a a/b ż')]],
    ['PLATFORM_ID_MENU', ['a| |c', '\t|b|c', ...words('a a|b a|b| |a|b a|b|c|d')]],
    [
      'DATABASE_PATH',
      [...DATA_FILES, 'x/undo.db-wal', 'search.db.tmp', 'y/../proofs/', '.part-1-a', 'before-0006'],
    ],
    ['EMERGENCY_PHONE', words('numer 1 112;113')],
    [
      'REPORTS_LINK',
      [
        `https://a.example/${'x'.repeat(483)}`,
        ...words('a.example javascript:alert(1) mailto:a@b.example https://u:p@a.example /zglos'),
      ],
    ],
    ['LEGAL_BASIS', ['two\nlines', 'tab\there']],
    ['CONFIRMED_WHEN', ['x'.repeat(1_001)]],
    ['RISK_REVIEW_DAYS', words('0 3651 -1')],
    ['BOT_MAIN', words('main pid:/run/bot systemd:')],
    [
      'BASE_URL',
      [
        'https://czujka example',
        ...words('czujka.example //czujka.example https:// ftp://czujka.example https://a.example:99999'),
        ...words('https://a.example/path https://a.example/?a=b https://a.example/#top'),
        ...words('https://user@a.example https://:word@a.example javascript:alert(1)'),
      ],
    ],
    [
      'TRUST_PROXY',
      [
        '10.0.0.1 10.0.0.2',
        ...words('1 true 10.0.0 10.0.0.0/33 10.0.0.0/ 10/8 0x0a.0.0.1 10.0.0.256 10.0.0.1:80 ::1/129 * /8'),
      ],
    ],
  ])('refuses for %s each of %j', (name, values) => {
    for (const value of values) expect(problemsOf({ [name]: value }), value).toHaveLength(1);
  });

  const cookie = 'LITECOIN_RPC_COOKIE_FILE=.cookie';
  it.each([
    [['LITECOIN_NETWORK=regtest'], undefined],
    [[cookie], { cookieFile: resolve('.cookie') }],
    [[cookie, 'LITECOIN_RPC_USER=u', 'LITECOIN_RPC_PASSWORD=p:w'], { user: 'u', password: 'p:w' }],
  ])('reads how the Litecoin network is reached, with %j', (settings, login) => {
    const { litecoin } = parseConfig(readAll(['LITECOIN_RPC_URL=http://127.0.0.1:9332/', ...settings]));
    expect(litecoin.rpc).toEqual({ url: 'http://127.0.0.1:9332', login });
    expect(litecoin.network).toBe(login ? 'main' : 'regtest');
  });

  it.each([
    ...words('xprv yprv zprv Yprv Zprv tprv uprv vprv Ltpv Mtpv ttpv').map(
      (kind): [Record<string, string>, RegExp] => [
        { LITECOIN_XPUB: kind + 'S3CRET'.padEnd(107, '9') },
        /^LITECOIN_XPUB: must be the extended public key of an account .*; a private one has no place/,
      ],
    ),
    [{ LITECOIN_XPUB: 'xprv-S3CRET' }, /^LITECOIN_XPUB: must be the extended public key of an account/],
    [{ LITECOIN_CONFIRMATIONS: '0' }, /^LITECOIN_CONFIRMATIONS=0: must be a whole number from 1 to 100/],
    [{ LITECOIN_PRICE_PLN: '0.00' }, /^LITECOIN_PRICE_PLN=0.00: must be an amount in zł above zero/],
    [{ LITECOIN_PREMIUM_MONTH_PLN: '20,00' }, /^LITECOIN_PREMIUM_MONTH_PLN=20,00: must be an amount in zł/],
    [{ LITECOIN_NETWORK: 'signet' }, /^LITECOIN_NETWORK=signet: must be main, test or regtest/],
    [{ LITECOIN_RPC_URL: 'http://u:S3CRET@127.0.0.1' }, /^LITECOIN_RPC_URL: must be an http or https/],
    [{ LITECOIN_ESPLORA_URL: 'https://a.example/?key=S3CRET' }, /^LITECOIN_ESPLORA_URL: must be/],
    [{ LITECOIN_RPC_URL: 'http://a', LITECOIN_RPC_PASSWORD: 'S3CRET' }, /must be set both or not at all$/],
    [{ LITECOIN_RPC_PASSWORD: 'S3CRETż' }, /^LITECOIN_RPC_PASSWORD: must be ASCII characters/],
    [{ LITECOIN_RPC_COOKIE_FILE: 'S3CRET' }, /^LITECOIN_RPC_URL: must be set where a login is/],
  ])('refuses %j without repeating a secret', (settings, problem) => {
    const problems = problemsOf(settings);
    expect(problems[0]).toMatch(problem);
    expect(problems.join()).not.toContain('S3CRET');
  });

  it('reads what the status asks', () => {
    const config = parseConfig({
      CHAT_PLATFORM_API_URL: 'https://discord.com/api/v10/',
      PROTECTION_SERVICE_URL: 'https://p.example/health?deep=1',
      PROTECTION_SERVICE_STATUS: '204',
      BOT_MAIN: 'panel:1a2b3c4d',
      BOT_PANEL_URL: 'https://panel.example/',
      BOT_PANEL_KEY: 'ptlc_x',
      BOT_PROTECTION_PUBLIC: 'docker:bot_1.a',
    });
    expect(config.chatPlatform).toEqual({ apiUrl: 'https://discord.com/api/v10' });
    expect(config.protectionService).toEqual({ url: 'https://p.example/health?deep=1', status: 204 });
    expect(config.bots).toEqual({
      main_bot: { source: 'panel', url: 'https://panel.example', key: 'ptlc_x', server: '1a2b3c4d' },
      protection_public_bot: { source: 'docker', socketPath: '/var/run/docker.sock', container: 'bot_1.a' },
      protection_admin_bot: undefined,
    });
    expect(parseConfig({ BOT_MAIN: 'systemd:bot@1:2.service' }).bots.main_bot).toEqual({
      source: 'systemd',
      unit: 'bot@1:2.service',
    });
  });

  it('names every problem of what the status asks, and no secret', () => {
    const problems = problemsOf({
      CHAT_PLATFORM_API_URL: 'https://u:S3CRET@discord.com',
      CHAT_PLATFORM_TOKEN: 'S3CRETż',
      PROTECTION_SERVICE_URL: 'ftp://S3CRET',
      PROTECTION_SERVICE_STATUS: '99',
      BOT_MAIN: 'kubernetes:x',
      BOT_PROTECTION_PUBLIC: 'docker:../../secrets',
      BOT_PROTECTION_ADMIN: 'panel:1a2b',
      BOT_PANEL_URL: 'panel.example/S3CRET',
      BOT_DOCKER_SOCKET: 'docker.sock',
    });
    const outside =
      'CHAT_PLATFORM_API_URL CHAT_PLATFORM_TOKEN PROTECTION_SERVICE_URL PROTECTION_SERVICE_STATUS';
    const bots = 'BOT_MAIN BOT_PROTECTION_PUBLIC BOT_PANEL_URL BOT_DOCKER_SOCKET BOT_PROTECTION_ADMIN';
    expect(problems.map((problem) => problem.split(/[=:]/, 1)[0])).toEqual(words(`${outside} ${bots}`));
    expect(problems.join()).not.toContain('S3CRET');
    for (const half of [{ BOT_PANEL_URL: 'https://panel.example' }, { BOT_PANEL_KEY: 'x' }])
      expect(problemsOf({ BOT_MAIN: 'panel:1a2b', ...half })[0]).toMatch(/^BOT_MAIN=panel:1a2b: needs/);
  });
});

const EXAMPLE = parseEnv(
  // Those that nobody should take over unread stand there as comments.
  readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8').replace(/^# (?=[A-Z_]+=)/gm, ''),
) as Record<string, string>;

it('.env.example parses, and has every setting and no other', () => {
  expect(problemsOf(EXAMPLE)).toEqual([]);
  expect(Object.keys(EXAMPLE).toSorted()).toEqual(SETTING_NAMES.toSorted());
});

it('readConfig reads .env of the working directory where environment and overrides are silent', () => {
  const folder = makeFolder();
  writeFileSync(join(folder, '.env'), '# ours\nPORT=8\nHOST="localhost"\nLOG_LEVEL=\n');
  // In a process of its own: vitest has a BASE_URL in its environment, and .env belongs to the working directory.
  const script = `
    import { readConfig } from ${JSON.stringify(import.meta.resolve('../../src/config.ts'))};
    const given = [[{}, {}], [{}, { PORT: '9' }], [{ PORT: '10' }, { PORT: '9' }], []];
    console.log(JSON.stringify(given.map((settings) => readConfig(...settings))));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    env: { PORT: '7' },
    encoding: 'utf8',
  });
  const shared = { host: 'localhost', logLevel: 'info', databasePath: join(folder, 'data/czujka.db') };
  expect(JSON.parse(stdout || stderr)).toMatchObject([8, 9, 10, 7].map((port) => ({ ...shared, port })));
});

it('listMissing names what pages would show, and what is of donations only where they are taken', () => {
  const always =
    'OPERATOR_NAME OPERATOR_CONTACT PLATFORM_NAME APPEALS_CONTACT APPEALS_ANSWER_DAYS REPORTS_CONTACT REPORTS_ANSWER_DAYS SECURITY_CONTACT';
  const premium = 'LITECOIN_PREMIUM_MONTH_PLN LITECOIN_PREMIUM_LIFETIME_PLN LITECOIN_PREMIUM_BENEFITS';
  const both = `${always} LITECOIN_PURPOSE ${premium} LITECOIN_HOW_TO_START LITECOIN_EXPLORER_URL`;
  expect(listMissing(parseConfig({}))).toEqual(words(always));
  for (const source of ['LITECOIN_ESPLORA_URL', 'LITECOIN_RPC_URL', 'LITECOIN_XPUB'])
    expect(listMissing(parseConfig({ [source]: EXAMPLE[source] }))).toEqual(words(both));
  expect(listMissing(parseConfig(EXAMPLE))).toEqual([]);
});

describe('listIneffective', () => {
  const warn = (environment: Readonly<Record<string, string>>, inFile: readonly string[] = []): string[] =>
    listIneffective(environment, new Set(inFile), new Set(SETTING_NAMES)).map((warning) =>
      warning.replace(/ is ignored.*/, ''),
    );

  it('names the explorer beside a node', () => {
    const both = { LITECOIN_RPC_URL: 'http://a', LITECOIN_ESPLORA_URL: 'http://b' };
    expect(warn(both)).toEqual(['LITECOIN_ESPLORA_URL']);
    expect(parseConfig(both).litecoin).toMatchObject({ rpc: { url: 'http://a' }, esploraUrl: undefined });
    const explorer = { LITECOIN_ESPLORA_URL: 'http://b/api/' };
    expect(warn(explorer)).toEqual([]);
    expect(parseConfig(explorer).litecoin.esploraUrl).toBe('http://b/api');
  });

  it('names unknown settings of the file, and of the environment those that can only be ours or are like ours', () => {
    const names = words('PATH BOT_MIAN BASE_ULR PROXY TZ HOSTNAME LOGNAME HOTS');
    const environment = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(warn(environment)).toEqual(['BOT_MIAN', 'BASE_ULR']);
    expect(warn(environment, names)).toEqual(words('PATH BOT_MIAN BASE_ULR HOSTNAME LOGNAME HOTS'));
    expect(warn({ BOT_MIAN: ' ' })).toEqual([]);
  });

  it('names the setting that an unknown name is nearest to, where one is near', () => {
    const environment = { BASE_ULR: 'x', BACKUPS_FOLDER: 'x', PROT: '1', SOMETHING_ELSE: 'x' };
    const warnings = listIneffective(environment, new Set(Object.keys(environment)), new Set(SETTING_NAMES));
    expect(warnings.map((warning) => warning.replace(/ is ignored: there is no such setting/, ''))).toEqual([
      'BASE_ULR; did you mean BASE_URL?',
      'BACKUPS_FOLDER; did you mean BACKUP_FOLDER?',
      'PROT; did you mean PORT?',
      'SOMETHING_ELSE',
    ]);
  });
});
