/**
 * The first step of `npm run demo` and `npm test` on a fresh clone, in plain JavaScript for any Node from 18 on:
 * installs what the lock file names if that changed, then runs a TypeScript file under the project's own Node.
 * Usage: node scripts/install-and-run.mjs <file> [arguments]
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The first version that runs TypeScript files. */
const NODE_OLDEST = 24;

if (!isInstalled()) {
  console.error('Installing dependencies (npm ci) …');
  const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (install.status !== 0) {
    console.error('npm ci failed; its output above says why');
    process.exit(2);
  }
}

// By the path of its package: npm 9 of Debian 13 does not link it in .bin.
const packages = ['node', 'node-bin'].map((name) => `${name}-${process.platform}-${process.arch}`);
const node =
  packages.map((name) => join(root, 'node_modules', name, 'bin/node')).find((path) => existsSync(path)) ??
  process.execPath;
if (node === process.execPath && Number(process.versions.node.split('.')[0]) < NODE_OLDEST) {
  console.error(
    `This platform has no Node among the dependencies, and Node ${process.versions.node} is too old: ` +
      `install Node ${NODE_OLDEST} or newer.`,
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

const [file, ...args] = process.argv.slice(2);
const child = spawn(node, [join(root, file), ...args], { cwd: root, stdio: 'inherit' });
// The child decides when to end; a signal for the group reaches it by itself, one for us is passed on.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
