/**
 * A Debian of one's own for a test, with a systemd that runs: a fresh system, whose changes are kept in memory, in
 * namespaces of its own; the network is shared. Only root can make one. It ends with the process of the tests.
 */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { childEnvironment } from '#src/environment.ts';
import { makeFolder } from './temporary-database.ts';

export type Machine = Awaited<ReturnType<typeof startMachine>>;

const START = join(import.meta.dirname, 'start-machine.sh');
const SPACES = ['--pid', '--mount', '--uts', '--ipc', '--cgroup'];
const OUTPUT_MAX = 64 * 1024 * 1024;
/** As after a login, and what says how the network is reached from here. */
const ENVIRONMENT = {
  HOME: '/root',
  PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ...Object.fromEntries(
    Object.entries(childEnvironment()).filter(([name]) => /_CERTS?$|_proxy$/i.test(name)),
  ),
};

/** Registries may be reached only with certificates that this machine knows. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const PACKAGES = 'systemd-sysv,dbus,ca-certificates,git';
/** Packages that earlier runs have fetched lie there. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/debootstrap');

/** @param release of Debian, by its name */
export async function startMachine(release: string) {
  const disk = makeFolder();
  mkdirSync(CACHE, { recursive: true });
  const options = ['--variant=minbase', `--include=${PACKAGES}`, `--cache-dir=${CACHE}`];
  const made = spawnSync('debootstrap', [...options, release, disk], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`debootstrap: ${made.stdout}${made.stderr}`);
  for (const path of [CERTIFICATES, '/etc/resolv.conf', '/etc/hosts']) copyFileSync(path, join(disk, path));
  const outer = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', 'unshare', ...SPACES, '--fork', '--kill-child', START, disk, makeFolder()],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  outer.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  /** Runs lines of a shell as root. */
  const run = (script: string, input: string | Buffer = '') => {
    const first = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim();
    const shell = ['bash', '--norc', '-euo', 'pipefail', '-c', script];
    const { status, stdout, stderr } = spawnSync(
      'nsenter',
      ['--target', first, ...SPACES, '--root', '--wd', ...shell],
      { input, encoding: 'utf8', maxBuffer: OUTPUT_MAX, env: ENVIRONMENT },
    );
    return { code: status, stdout, stderr };
  };
  await vi.waitFor(
    () => {
      if (outer.exitCode !== null) throw new Error(`the machine ended: ${said}`);
      const { stdout, stderr } = run('systemctl is-system-running || true');
      if (stdout.trim() !== 'running') throw new Error(`the machine is ${stdout}${stderr}${said}`);
    },
    { timeout: 60_000, interval: 500 },
  );
  return {
    run,
    /** Runs lines that must succeed. @returns their output */
    do(script: string, input?: string | Buffer): string {
      const { code, stdout, stderr } = run(script, input);
      if (code !== 0) throw new Error(`${script}\nended with ${code}: ${stdout}${stderr}`);
      return stdout;
    },
    end: () => void outer.kill('SIGKILL'),
  };
}
