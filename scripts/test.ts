/**
 * `npm test` (what one needs before a commit) and `npm run test:all` (`--all`: with tests/slow, too). The container
 * (tests/systems) is tested where it is named. Other arguments go to vitest. A test file that needs a program of the system says so in a line
 * `// Needs: NAME …`. Where one is missing, the file is left out with a message; under CI=true the run fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTestEnvironment } from '#src/environment.ts';
import { buildIfNeeded } from './build.ts';

const ROOT = join(import.meta.dirname, '..');

/** Programs that test files name after `Needs:`, where package or place do not follow from the name. */
const NEEDS: Readonly<Record<string, ReturnType<typeof debian>>> = {
  chromium: debian('chromium-headless-shell', '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'),
  litecoind: debian('litecoind', '/usr/lib/litecoin/litecoind', '/usr/bin/litecoind'),
  'openapi-tools': {
    files: [join(ROOT, 'tests/openapi/node_modules/@stoplight/spectral-cli')],
    install: 'npm ci --prefix tests/openapi',
  },
  prlimit: debian('util-linux', '/usr/bin/prlimit'),
  promtool: debian('prometheus', '/usr/bin/promtool'),
  'systemd-analyze': debian('systemd', '/usr/bin/systemd-analyze'),
  'systemd-notify': debian('systemd', '/usr/bin/systemd-notify'),
  'systemd-socket-activate': debian('systemd', '/usr/bin/systemd-socket-activate'),
  unshare: debian('util-linux', '/usr/bin/unshare'),
  webkit: debian('webkit2gtk-driver', '/usr/bin/WebKitWebDriver'),
  xvfb: debian('xvfb', '/usr/bin/Xvfb'),
};

const USUAL =
  'buildah caddy curl debootstrap faketime mmdebstrap nginx openssl python3 runc shellcheck socat'.split(' ');

/** @param files one of them shows that the package is installed */
function debian(name: string, ...files: readonly string[]) {
  return { files, install: `apt-get install ${name}` };
}

const given = process.argv.slice(2);
const isAll = given[0] === '--all';
const { isCi } = readTestEnvironment();
const hasSystems = isAll && given.some((argument) => argument.includes('systems'));
const projects = ['unit', 'contract', 'property', 'journeys'];
if (isAll) projects.push('slow');
if (hasSystems) projects.push('systems');
const left = findLeftOut(`tests/{${projects.join()}}/**/*.test.ts`);
for (const [file, missing] of left) {
  const ways = missing.map((name) => needOf(name).install);
  process.stderr.write(`*** LEFT OUT: ${file} needs ${missing.join(' and ')} (${ways.join('; ')})\n`);
}
if (left.size > 0 && isCi) {
  process.stderr.write('Under CI=true no test may be left out.\n');
  process.exit(1);
}
buildIfNeeded();
const { status } = spawnSync(
  process.execPath,
  [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--config', 'tests/vitest.config.ts'],
    ...projects.map((name) => `--project=${name}`),
    ...[...left.keys()].map((file) => `--exclude=${file}`),
    ...(given.some((argument) => argument.startsWith('--reporter')) ? [] : ['--reporter=default']),
    '--reporter=./tests/support/slowest-files.ts',
    ...given.slice(isAll ? 1 : 0),
  ],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = status ?? 1;

/** @returns the missing programs of each file that needs some */
function findLeftOut(pattern: string): Map<string, readonly string[]> {
  const files = new Map<string, readonly string[]>();
  for (const file of globSync(pattern, { cwd: ROOT }).sort()) {
    const [, names = ''] = /^\/\/ Needs: (.*)$/m.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
    const missing = names
      .split(' ')
      .filter((name) => name !== '' && !needOf(name).files.some((file) => existsSync(file)));
    if (missing.length > 0) files.set(file, missing);
  }
  return files;
}

function needOf(name: string) {
  if (!NEEDS[name] && !USUAL.includes(name))
    throw new Error(`${name} stands after "Needs:" and not in NEEDS`);
  return NEEDS[name] ?? debian(name, `/usr/bin/${name}`, `/usr/sbin/${name}`);
}
