/**
 * Runs a file under the project's own Node, in plain JavaScript for any Node from 18 on. With --install, it first installs
 * what the lock file names if that changed: `npm run demo` and `npm test` work on a fresh clone.
 * Usage: node scripts/run.mjs [--install] [file [arguments]]
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The first version that has all that the code uses. */
const NODE_OLDEST = 26;

process.chdir(root);
const given = process.argv.slice(2);
const [file, ...args] = given[0] === '--install' ? given.slice(1) : given;
if (given[0] === '--install' && !isInstalled()) {
  console.error('Installing dependencies (npm ci) …');
  const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (install.status !== 0) {
    console.error('npm ci failed; its output above says why');
    process.exit(2);
  }
}

const packages = ['node', 'node-bin'].map((name) => `${name}-${process.platform}-${process.arch}`);
const node =
  packages.map((name) => join(root, 'node_modules', name, 'bin/node')).find((path) => existsSync(path)) ??
  process.execPath;
// npm 9 of Debian 13 leaves it out, and programs of `npm run check` look for it.
const link = 'node_modules/.bin/node';
if (node !== process.execPath && !existsSync(link)) {
  try {
    symlinkSync(relative(dirname(link), node), link);
  } catch {
    // The packages are another user's.
  }
}
if (node === process.execPath && Number(process.versions.node.split('.')[0]) < NODE_OLDEST) {
  console.error(
    `Node ${process.versions.node} is too old, and none is among the packages: ` +
      `run "npm ci"; where that brings none, install Node ${NODE_OLDEST} or newer.`,
  );
  process.exit(2);
}

/** npm says at the end of an installation what it has installed; of optional packages, those of this platform. */
function isInstalled() {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const [wanted, there] = [join(root, 'package-lock.json'), installed].map(
    (path) => JSON.parse(readFileSync(path, 'utf8')).packages,
  );
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    const found = there[path];
    return path === '' || (found ? found.version === version : optional === true);
  });
}

if (file === undefined) process.exit();
const command = [join(root, file), ...args];
// In the place of this process, where Node can do that.
process.execve?.(node, [node, ...command]);
const child = spawn(node, command, { stdio: 'inherit' });
// The child decides when to end; a signal for the group reaches it by itself, one for us is passed on.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
