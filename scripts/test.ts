/**
 * `npm test`: gets the system parts that tests need where it may, builds the site, runs every test.
 * Arguments go to vitest. With --coverage only the tests run that run the code in their own process.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment, readTestEnvironment } from '#src/config.ts';
import { buildIfNeeded } from './build.ts';

interface SystemPart {
  readonly debianPackage: string;
  /** Any of these files means that it is there. */
  readonly files: readonly string[];
  /** Test projects that cannot run without it. */
  readonly projects: readonly string[];
}

const SYSTEM_PARTS: readonly SystemPart[] = [
  { debianPackage: 'chromium', files: ['/usr/bin/chromium'], projects: ['browser', 'live'] },
  {
    debianPackage: 'litecoind',
    files: ['/usr/lib/litecoin/litecoind', '/usr/bin/litecoind'],
    projects: ['litecoin', 'live'],
  },
  { debianPackage: 'faketime', files: ['/usr/bin/faketime'], projects: ['system'] },
  { debianPackage: 'nginx', files: ['/usr/sbin/nginx'], projects: ['system', 'behind-nginx'] },
  { debianPackage: 'python3', files: ['/usr/bin/python3'], projects: ['system'] },
  { debianPackage: 'caddy', files: ['/usr/bin/caddy'], projects: ['system'] },
  { debianPackage: 'openssl', files: ['/usr/bin/openssl'], projects: ['system'] },
  { debianPackage: 'socat', files: ['/usr/bin/socat'], projects: ['system'] },
  { debianPackage: 'systemd', files: ['/usr/bin/systemd-notify'], projects: ['system'] },
  { debianPackage: 'prometheus', files: ['/usr/bin/promtool'], projects: ['system'] },
  { debianPackage: 'shellcheck', files: ['/usr/bin/shellcheck'], projects: ['system'] },
  { debianPackage: 'varnish', files: ['/usr/sbin/varnishd'], projects: ['system', 'behind-Varnish'] },
];

const ROOT = join(import.meta.dirname, '..');

const COVERING = ['unit', 'contract', 'property'];

const { isCi } = readTestEnvironment();
const missing = getSystemParts();
for (const { debianPackage, projects } of missing) {
  const advice = `install it with: apt-get install ${debianPackage}`;
  process.stderr.write(
    `\n*** SKIPPED: the ${projects.join(' and ')} tests need ${debianPackage}, which is not here; ${advice}\n\n`,
  );
}
if (missing.length > 0 && isCi) {
  process.stderr.write('Under CI=true nothing may be skipped.\n');
  process.exit(1);
}
buildIfNeeded();
const given = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    'tests/vitest.config.ts',
    ...missing.flatMap(({ projects }) => projects.map((project) => `--project=!${project}`)),
    ...(given.includes('--coverage') ? COVERING.map((project) => `--project=${project}`) : []),
    ...(given.some((argument) => argument.startsWith('--reporter')) ? [] : ['--reporter=default']),
    '--reporter=./tests/support/slowest-files.ts',
    ...given,
  ],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = status ?? 1;

/** @returns the parts that are still missing */
function getSystemParts(): readonly SystemPart[] {
  const absent = (): readonly SystemPart[] =>
    SYSTEM_PARTS.filter(({ files }) => !files.some((file) => existsSync(file)));
  const wanted = absent().map(({ debianPackage }) => debianPackage);
  if (wanted.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stderr.write(`Installing ${wanted.join(', ')} …\n`);
    for (const command of [['update'], ['install', '-y', '--no-install-recommends', ...wanted]]) {
      spawnSync('apt-get', ['-qq', ...command], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: childEnvironment({ DEBIAN_FRONTEND: 'noninteractive' }),
      });
    }
  }
  return absent();
}
