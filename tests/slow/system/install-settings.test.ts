// Needs: unshare
/** install.sh with settings that somebody wrote to harm the machine: it refuses them first, and runs nothing of them. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../support/temporary-database.ts';

const INSTALL = join(import.meta.dirname, '../../../scripts/deploy/install.sh');
const FOLDER = makeFolder();
const [CANARY, ANSWERS] = [join(FOLDER, 'canary'), join(FOLDER, 'answers')];
/** Files that are there: what they hold is not looked at. */
const GOOD = {
  BASE_URL: 'https://czujka.example',
  PROXY: 'nginx',
  TLS_CERTIFICATE: '/etc/passwd',
  TLS_KEY: '/etc/passwd',
};
const WORDS = [
  `x|;1e touch ${CANARY} #`,
  `x;|;1e touch ${CANARY} #`,
  `$(touch ${CANARY})`,
  `\`touch ${CANARY}\``,
  `'; touch ${CANARY}; '`,
  `a[$(touch ${CANARY})]`,
  'a b',
  'a\tb',
  'a"b',
  'a&b',
  'a{b}',
  'a$b',
  'ź',
];
const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  PORT: [...WORDS, ...WORDS.map((word) => `1${word}`), '0', '65536', '-1', '0x50', '1e3'],
  HOST: WORDS,
  PROXY: [...WORDS, 'squid'],
  BASE_URL: [
    ...WORDS.map((word) => `https://${word}`),
    ...['-a.example', 'a-.example', 'a..example', '.example', 'a.example/path', 'a.example:1'].map(
      (name) => `https://${name}`,
    ),
    'ftp://a.example',
    'a.example',
  ],
  TLS_CERTIFICATE: [...WORDS.map((word) => `/${word}`), 'a.pem', './a.pem'],
  TLS_KEY: [...WORDS.map((word) => `/${word}`), 'a.key'],
  DATABASE_PATH: ['/elsewhere', `/var/lib/czujka/czujka.db;${WORDS[2]}`],
  BACKUP_FOLDER: ['/elsewhere'],
};

function tryOut(settings: Readonly<Record<string, string>>, ...command: readonly string[]) {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(ANSWERS, lines.join(''));
  const [file = '', ...args] = [...command, INSTALL, '--dry-run', '--answers', ANSWERS];
  return spawnSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

it.each(Object.entries(HOSTILE))('refuses a hostile %s before the first step', (name, values) => {
  for (const value of values) {
    rmSync(CANARY, { force: true });
    const { status, stdout, stderr } = tryOut({ ...GOOD, [name]: value });
    expect(existsSync(CANARY), `a command of ${value} ran`).toBe(false);
    expect({ status, stdout }, value).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^install\\.sh: settings: ${name} must be `));
  }
});

it.each(['nginx', 'caddy', 'none'])('--dry-run with %s needs neither a disk nor a network', (PROXY) => {
  const readOnly =
    'mount -o remount,bind,ro / && mount --rbind /tmp /tmp && mount -o remount,bind,ro /tmp && exec "$@"';
  const alone = ['unshare', '--map-root-user', '--mount', '--net', 'sh', '-euc', readOnly, 'sh'];
  expect(tryOut({ ...GOOD, PROXY }, ...alone)).toMatchObject({ status: 0, stderr: '' });
});
