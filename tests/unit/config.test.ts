import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { childEnvironment, ConfigError, parseConfig, SETTING_NAMES } from '#src/config.ts';
import type { Config } from '#src/config.ts';
import { listMissing } from '#src/config/missing-settings.ts';
import { createClientAddress } from '#src/http/client-address.ts';

/** The problems of these settings, one a line, as an operator reads them. */
function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

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
      operator: {},
      litecoin: { network: 'main' },
      donations: {
        requiredConfirmations: 6,
        paymentMinutes: 60,
        coingeckoUrl: 'https://api.coingecko.com',
        krakenUrl: 'https://api.kraken.com',
        nbpUrl: 'https://api.nbp.pl',
      },
      bots: {},
      avatarsMaxBytes: 200_000_000,
    });
  });

  it('takes empty and blank values for absent ones, and cuts outer white space', () => {
    const blank = Object.fromEntries(SETTING_NAMES.map((name) => [name, ' \t ']));
    expect(parseConfig(blank)).toEqual(parseConfig({}));
    const empty = Object.fromEntries(SETTING_NAMES.map((name) => [name, '']));
    expect(parseConfig(empty)).toEqual(parseConfig({}));
    expect(parseConfig({ PORT: ' 80 ', HOST: ' ::1 ' })).toMatchObject({ port: 80, host: '::1' });
  });

  it('is frozen and ignores what it does not know', () => {
    const config = parseConfig({ PATH: '/bin', port: '1' });
    expect(config.port).toBe(4321);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('lists every problem at once: variable, what is wrong, an example', () => {
    const wrong = {
      HOST: 'a host',
      PORT: '65536',
      BASE_URL: 'czujka.example',
      TRUST_PROXY: 'proxy.example',
      LOG_LEVEL: 'loud',
    };
    expect(problemsOf(wrong)).toEqual([
      'HOST=a host: must be a host name or an IP address, for example HOST=127.0.0.1',
      'PORT=65536: must be a whole number from 0 to 65535, for example PORT=4321',
      'BASE_URL=czujka.example: must be an http or https address without a path, for example BASE_URL=https://czujka.example',
      'TRUST_PROXY=proxy.example: must be a comma-separated list of addresses, CIDR ranges or "loopback", for example TRUST_PROXY=loopback,10.0.0.0/8',
      'LOG_LEVEL=loud: must be one of trace, debug, info, warn, error, fatal, silent, for example LOG_LEVEL=info',
    ]);
    expect(() => parseConfig(wrong)).toThrow(
      `wrong settings:\n${problemsOf(wrong)
        .map((problem) => `  ${problem}`)
        .join('\n')}`,
    );
  });

  it('names only the settings that are wrong', () => {
    expect(problemsOf({ HOST: '::1', PORT: 'x', LOG_LEVEL: 'debug' })).toEqual([
      expect.stringMatching(/^PORT=x: must be /),
    ]);
  });

  it.each(problemExamples())('accepts its own example %s=%s', (name, example) => {
    expect(problemsOf({ [name]: example })).toEqual([]);
  });

  it.each(['0', '1', '80', '4321', '65535', '00080'])('accepts PORT=%s', (port) => {
    expect(parseConfig({ PORT: port }).port).toBe(Number(port));
  });

  it.each(['-1', '65536', '99999', '100000', '80.5', '8e1', '0x50', '+80', 'http', '80 81', '٨٠'])(
    'refuses PORT=%s',
    (port) => {
      expect(problemsOf({ PORT: port })).toHaveLength(1);
    },
  );

  it.each(['localhost', '0.0.0.0', '::', '::1', 'czujka.example', 'my_host-1'])('accepts HOST=%s', (host) => {
    expect(parseConfig({ HOST: host }).host).toBe(host);
  });

  it.each(['[::1]', 'http://a', 'a/b', 'a b', 'a\nb', 'ż'])('refuses HOST=%j', (host) => {
    expect(problemsOf({ HOST: host })).toHaveLength(1);
  });

  it('makes the database path absolute and its folder the data folder', () => {
    expect(parseConfig({ DATABASE_PATH: '/srv/czujka/lists.db' })).toMatchObject({
      databasePath: '/srv/czujka/lists.db',
      dataFolder: '/srv/czujka',
    });
    const relative = parseConfig({ DATABASE_PATH: 'elsewhere/../lists.db' });
    expect(isAbsolute(relative.databasePath)).toBe(true);
    expect(relative.dataFolder).toBe(process.cwd());
  });

  it.each([
    ['https://czujka.example', 'https://czujka.example'],
    ['https://czujka.example/', 'https://czujka.example'],
    ['HTTPS://Czujka.Example', 'https://czujka.example'],
    ['http://czujka.example:8080', 'http://czujka.example:8080'],
    ['https://czujka.example:443', 'https://czujka.example'],
    ['http://[2001:db8::1]:8080/', 'http://[2001:db8::1]:8080'],
    ['https://czujka-żółć.example', 'https://xn--czujka--r0a4prw2t.example'],
  ])('makes of BASE_URL=%s %s', (given, baseUrl) => {
    expect(parseConfig({ BASE_URL: given }).baseUrl).toBe(baseUrl);
  });

  it.each([
    'czujka.example',
    '//czujka.example',
    '/czujka',
    'https://',
    'https://czujka.example/path',
    'https://czujka.example//',
    'https://czujka.example/?a=b',
    'https://czujka.example/#top',
    'https://user@czujka.example',
    'https://user:word@czujka.example',
    'https://:word@czujka.example',
    'ftp://czujka.example',
    'javascript:alert(1)',
    'file:///srv',
    'https://czujka example',
    'https://czujka.example:99999',
  ])('refuses BASE_URL=%s', (baseUrl) => {
    expect(problemsOf({ BASE_URL: baseUrl })).toHaveLength(1);
  });

  it('makes BASE_URL of HOST and PORT when it is not given', () => {
    expect(parseConfig({ HOST: 'localhost', PORT: '80' }).baseUrl).toBe('http://localhost:80');
    expect(parseConfig({ HOST: '::1', PORT: '8080' }).baseUrl).toBe('http://[::1]:8080');
  });

  it.each([
    ['loopback', ['127.0.0.0/8', '::1/128']],
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['2001:db8::1', ['2001:db8::1']],
    ['2001:db8::/32', ['2001:db8::/32']],
    ['::ffff:10.0.0.0/104', ['::ffff:10.0.0.0/104']],
    ['loopback,10.0.0.0/8', ['127.0.0.0/8', '::1/128', '10.0.0.0/8']],
    [' 10.0.0.1 ,\t10.0.0.2 ', ['10.0.0.1', '10.0.0.2']],
    ['10.0.0.1,,10.0.0.2,', ['10.0.0.1', '10.0.0.2']],
    [',', []],
    ['0.0.0.0/0', ['0.0.0.0/0']],
  ])('reads TRUST_PROXY=%s', (given, trustedProxies) => {
    expect(parseConfig({ TRUST_PROXY: given }).trustedProxies).toEqual(trustedProxies);
    expect(() => createClientAddress(trustedProxies)).not.toThrow();
  });

  it.each([
    '1',
    '1,2',
    'true',
    'proxy.example',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10/8',
    '0x0a.0.0.1',
    '10.0.0.256',
    '10.0.0.1:80',
    '10.0.0.1 10.0.0.2',
    '10.0.0.1;10.0.0.2',
    '::1/129',
    '[::1]',
    ':::',
    '*',
    '/8',
    'loopback,nonsense',
  ])('refuses TRUST_PROXY=%s', (given) => {
    expect(problemsOf({ TRUST_PROXY: given })).toHaveLength(1);
  });

  it('reads how the Litecoin network is reached', () => {
    const url = 'http://127.0.0.1:9332/';
    expect(parseConfig({ LITECOIN_RPC_URL: url, LITECOIN_NETWORK: 'regtest' }).litecoin).toEqual({
      network: 'regtest',
      rpc: { url: 'http://127.0.0.1:9332', login: undefined },
    });
    const pair = { LITECOIN_RPC_URL: url, LITECOIN_RPC_USER: 'u', LITECOIN_RPC_PASSWORD: 'p:w' };
    expect(parseConfig(pair).litecoin.rpc?.login).toEqual({ user: 'u', password: 'p:w' });
    const cookie = { LITECOIN_RPC_URL: url, LITECOIN_RPC_COOKIE_FILE: '.cookie' };
    expect(parseConfig(cookie).litecoin.rpc?.login).toEqual({ cookieFile: resolve('.cookie') });
    expect(parseConfig({ ...cookie, ...pair }).litecoin.rpc?.login).toEqual({ user: 'u', password: 'p:w' });
    expect(parseConfig({ LITECOIN_ESPLORA_URL: 'https://litecoinspace.org/api/' }).litecoin.esploraUrl).toBe(
      'https://litecoinspace.org/api',
    );
  });

  it.each([
    ...['xprv', 'yprv', 'zprv', 'Yprv', 'Zprv', 'tprv', 'uprv', 'vprv', 'Ltpv', 'Mtpv', 'ttpv'].map(
      (kind): [Record<string, string>, RegExp] => [
        { LITECOIN_XPUB: kind + 'S3CRET'.padEnd(107, '9') },
        /^LITECOIN_XPUB: must be the extended public key of an account .*; a private one has no place/,
      ],
    ),
    [{ LITECOIN_XPUB: 'xprv-S3CRET' }, /^LITECOIN_XPUB: must be the extended public key of an account/],
    [{ LITECOIN_CONFIRMATIONS: '0' }, /^LITECOIN_CONFIRMATIONS=0: must be a whole number from 1 to 100/],
    [
      { LITECOIN_PAYMENT_MINUTES: '4' },
      /^LITECOIN_PAYMENT_MINUTES=4: must be a whole number from 5 to 10080/,
    ],
    [{ LITECOIN_PRICE_PLN: '0.00' }, /^LITECOIN_PRICE_PLN=0.00: must be an amount in zł above zero/],
    [{ LITECOIN_PREMIUM_MONTH_PLN: '20,00' }, /^LITECOIN_PREMIUM_MONTH_PLN=20,00: must be an amount in zł/],
    [{ LITECOIN_NETWORK: 'signet' }, /^LITECOIN_NETWORK=signet: must be main, test or regtest/],
    [
      { LITECOIN_RPC_URL: 'http://u:S3CRET@127.0.0.1' },
      /^LITECOIN_RPC_URL: must be an http or https address/,
    ],
    [{ LITECOIN_ESPLORA_URL: 'https://a.example/?key=S3CRET' }, /^LITECOIN_ESPLORA_URL: must be/],
    [{ LITECOIN_RPC_URL: 'http://a', LITECOIN_RPC_USER: 'u' }, /must be set both or not at all$/],
    [{ LITECOIN_RPC_URL: 'http://a', LITECOIN_RPC_PASSWORD: 'S3CRET' }, /must be set both or not at all$/],
    [
      { LITECOIN_RPC_URL: 'http://a', LITECOIN_RPC_USER: 'u', LITECOIN_RPC_PASSWORD: 'S3CRETż' },
      /^LITECOIN_RPC_PASSWORD: must be ASCII characters/,
    ],
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
      BOT_PROTECTION_ADMIN: 'pid:run/bot.pid',
    });
    expect(config.chatPlatform).toEqual({ apiUrl: 'https://discord.com/api/v10' });
    expect(config.protectionService).toEqual({ url: 'https://p.example/health?deep=1', status: 204 });
    expect(config.bots).toEqual({
      main_bot: { source: 'panel', url: 'https://panel.example', key: 'ptlc_x', server: '1a2b3c4d' },
      protection_public_bot: { source: 'docker', socketPath: '/var/run/docker.sock', container: 'bot_1.a' },
      protection_admin_bot: { source: 'pid', file: resolve('run/bot.pid') },
    });
    expect(parseConfig({ BOT_MAIN: 'systemd:bot@1.service' }).bots.main_bot).toEqual({
      source: 'systemd',
      unit: 'bot@1.service',
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
    expect(problems.map((problem) => problem.split(/[=:]/, 1)[0])).toEqual([
      'CHAT_PLATFORM_API_URL',
      'CHAT_PLATFORM_TOKEN',
      'PROTECTION_SERVICE_URL',
      'PROTECTION_SERVICE_STATUS',
      'BOT_PANEL_URL',
      'BOT_DOCKER_SOCKET',
      'BOT_MAIN',
      'BOT_PROTECTION_PUBLIC',
      'BOT_PROTECTION_ADMIN',
    ]);
    expect(problems.join()).not.toContain('S3CRET');
  });

  it.each(['INFO', 'verbose', '30'])('refuses LOG_LEVEL=%s', (level) => {
    expect(problemsOf({ LOG_LEVEL: level })).toHaveLength(1);
  });
});

describe('.env.example', () => {
  const example = parseEnv(
    // Those that nobody should take over unread stand there as comments.
    readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8').replace(/^# (?=[A-Z_]+=)/gm, ''),
  );

  it('parses', () => {
    expect(problemsOf(example as Record<string, string>)).toEqual([]);
  });

  it('has every setting and no other', () => {
    const shown = Object.keys(example);
    expect(
      SETTING_NAMES.filter((name) => !shown.includes(name)),
      'settings that it does not show',
    ).toEqual([]);
    expect(
      shown.filter((name) => !SETTING_NAMES.includes(name)),
      'names that are no settings',
    ).toEqual([]);
  });
});

describe('readConfig', () => {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** In a process of its own: vitest has a BASE_URL in its environment, and .env belongs to the working directory. */
  const readElsewhere = (environment: Readonly<Record<string, string>>, overrides = '{}'): Config => {
    const script = `
      import { readConfig } from ${JSON.stringify(import.meta.resolve('../../src/config.ts'))};
      console.log(JSON.stringify(readConfig(${overrides})));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    });
    return JSON.parse(stdout || stderr) as Config;
  };

  it('reads .env of the working directory where environment and overrides are silent', () => {
    expect(readElsewhere({ PORT: '7' })).toMatchObject({
      port: 7,
      databasePath: join(folder, 'data/czujka.db'),
    });
    writeFileSync(join(folder, '.env'), '# ours\nPORT=8\nHOST="localhost"\nLOG_LEVEL=\n');
    expect(readElsewhere({})).toMatchObject({ port: 8, host: 'localhost', logLevel: 'info' });
    expect(readElsewhere({ PORT: '9' })).toMatchObject({ port: 9, host: 'localhost' });
    expect(readElsewhere({ PORT: '9' }, '{ PORT: "10" }')).toMatchObject({ port: 10, host: 'localhost' });
  });
});

describe('listMissing', () => {
  const ALWAYS = {
    OPERATOR_NAME: 'Fundacja',
    PLATFORM_NAME: 'Komunikator',
    APPEALS_CONTACT: 'a@czujka.example',
    APPEALS_ANSWER_DAYS: '14',
    REPORTS_CONTACT: 'a@czujka.example',
    SECURITY_CONTACT: 'a@czujka.example',
  };
  const OF_DONATIONS = {
    LITECOIN_PURPOSE: 'x',
    LITECOIN_PREMIUM_MONTH_PLN: '20',
    LITECOIN_PREMIUM_LIFETIME_PLN: '150',
    LITECOIN_HOW_TO_START: 'x',
    LITECOIN_EXPLORER_URL: 'https://explorer.example/tx',
  };
  const SOURCE = { LITECOIN_ESPLORA_URL: 'http://127.0.0.1:1' };

  it('names what pages would show, and what is of donations only where they are taken', () => {
    expect(listMissing(parseConfig({}))).toEqual(Object.keys(ALWAYS));
    expect(listMissing(parseConfig(ALWAYS))).toEqual([]);
    expect(listMissing(parseConfig({ ...ALWAYS, ...SOURCE }))).toEqual(Object.keys(OF_DONATIONS));
    expect(listMissing(parseConfig({ ...ALWAYS, ...SOURCE, ...OF_DONATIONS }))).toEqual([]);
  });
});

describe('childEnvironment', () => {
  it('is the own environment with overrides', () => {
    expect(childEnvironment({ PORT: '7' })).toEqual({ ...process.env, PORT: '7' });
    expect(childEnvironment()).toEqual({ ...process.env });
  });
});

/** Name and example of each setting, taken from the sentences that an operator reads. */
function problemExamples(): (readonly [string, string])[] {
  const wrong = { HOST: ' \0', PORT: 'x', BASE_URL: 'x', TRUST_PROXY: 'x', LOG_LEVEL: 'x' };
  return problemsOf(wrong).map((problem) => {
    const [, name = '', example = ''] = /for example (\w+)=(.*)$/.exec(problem) ?? [];
    return [name, example];
  });
}
