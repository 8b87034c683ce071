// Needs: caddy shellcheck systemd-notify unshare
/** install.sh: what it would do, and what it does on a machine with a systemd that runs. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPort } from '../../support/find-port.ts';
import { startMachine } from '../../support/machine.ts';
import type { Machine } from '../../support/machine.ts';

const ROOT = join(import.meta.dirname, '../../..');
const INSTALL = join(ROOT, 'scripts/deploy/install.sh');
const IS_ROOT = process.getuid?.() === 0;
/** Three builds of the site, beside other tests. */
const MACHINE_MS = 600_000;
const ENTRY = { id: '424242', name: 'nick', reason: 'powód', verified: true };

/** As somebody who may nothing, and has nothing to answer with. */
function runAsNobody(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const command = [
    ...(IS_ROOT ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []),
    INSTALL,
  ];
  const [file = '', ...rest] = [...command, ...args];
  return spawnSync(file, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

it('--dry-run names the steps to anybody, and asks nothing', () => {
  for (const args of [[], ['--update'], ['--remove']]) {
    const { status, stdout, stderr } = runAsNobody(...args, '--dry-run');
    expect({ status, stderr }, args.join()).toEqual({ status: 0, stderr: '' });
    expect(stdout, args.join()).toMatch(/^- /);
  }
});

it('says in one line what is wrong with how it is called', () => {
  for (const [args, message] of [
    [['--sideways'], 'there is no --sideways'],
    [['--answers', '/nowhere'], '--answers needs a file that can be read'],
    [[], 'run it as root'],
  ] as const) {
    const { status, stderr } = runAsNobody(...args);
    expect(status).toBe(1);
    expect(stderr).toContain(`install.sh: ${message}`);
  }
});

it('is without what ShellCheck finds, as other scripts of the shell', () => {
  const scripts = ['.ci/run', ...globSync(['scripts/**/install.sh', 'tests/**/*.sh'], { cwd: ROOT })];
  const { status, stdout, stderr } = spawnSync('shellcheck', ['--external-sources', ...scripts], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});

describe.runIf(IS_ROOT)('on a machine', { timeout: MACHINE_MS }, () => {
  const RUN = '/root/czujka/scripts/deploy/install.sh';
  const COMMIT = 'git add -A && git -c user.name=t -c user.email=t@t commit -qm';
  let machine: Machine;
  let port: number;
  let tlsPort: number;

  const version = (): string => machine.do('readlink /srv/czujka');
  const check = (): string => machine.do(`curl -sf http://127.0.0.1:${port}/api/check?id=${ENTRY.id}`);
  /** Somebody publishes a version that has one migration more. */
  const publish = (name: string, sql: string): string =>
    machine.do(`cd /root/work; cat >db/migrations/${name}.sql; ${COMMIT} ${name}; git push -q`, sql);

  beforeAll(async () => {
    port = await findPort();
    tlsPort = await findPort();
    const [httpPort, adminPort] = [await findPort(), await findPort()];
    machine = await startMachine();
    const files = spawnSync(
      'tar',
      [
        '-C',
        ROOT,
        '-c',
        ...['node_modules', 'dist', '.git', 'data'].map((name) => `--exclude=./${name}`),
        '.',
      ],
      { maxBuffer: 256 * 1024 * 1024 },
    );
    machine.do('mkdir -p /root/work; tar -C /root/work -x', files.stdout);
    machine.do(`cd /root/work; git init -q -b main; ${COMMIT} first; git clone -q --bare . /root/czujka.git
      git remote add origin /root/czujka.git; git push -q -u origin main; git clone -q /root/czujka.git /root/czujka`);
    // A Caddy that is there already, on ports of its own.
    machine.do(
      'cat >/etc/caddy/Caddyfile',
      `{\n\thttp_port ${httpPort}\n\thttps_port ${tlsPort}\n\tadmin localhost:${adminPort}\n\tskip_install_trust\n}\n`,
    );
    machine.do(
      'cat >/root/answers',
      `BASE_URL=https://localhost\nPORT=${port}\nOPERATOR_NAME=Fundacja Czujka\nPROXY=caddy\n`,
    );
  }, MACHINE_MS);
  afterAll(() => machine.end());

  it('asks nobody where there is no terminal, and makes nothing of settings that it refuses', () => {
    expect(machine.run(RUN)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--answers FILE') as string,
    });
    machine.do('sed s/PROXY=caddy/PROXY=squid/ /root/answers >/root/wrong');
    const wrong = machine.run(`${RUN} --answers /root/wrong`);
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PROXY must be caddy') as string,
    });
    machine.do(
      'cat >/root/hostile',
      'BASE_URL=https://localhost\nPROXY=caddy\nPORT=1;|;1e id >/root/canary #\n',
    );
    expect(machine.run(`${RUN} --answers /root/hostile`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PORT must be a whole number') as string,
    });
    const made =
      'ls -d /root/canary /srv/czujka* /etc/czujka /var/lib/czujka || true; getent passwd czujka || true';
    expect(machine.do(made)).toBe('');
  });

  it('installs: the hardened service answers, behind Caddy with TLS', () => {
    machine.do(`${RUN} --answers /root/answers`);
    expect(machine.do('systemctl is-active czujka; systemctl is-enabled czujka')).toBe('active\nenabled\n');
    expect(machine.do(`curl -skf https://localhost:${tlsPort}/api/scammers`)).toContain('"total":0');
    expect(machine.do(`curl -skf https://localhost:${tlsPort}/prywatnosc`)).toContain('Fundacja Czujka');
    expect(
      machine.do('stat -c "%U:%G %a" /etc/czujka/.env /var/lib/czujka/czujka.db /srv/czujka/scripts'),
    ).toBe('root:czujka 640\nczujka:czujka 600\nroot:root 755\n');
    machine.do('czujka import - --list scammers', JSON.stringify(ENTRY));
    expect(check()).toContain(ENTRY.name);
    // Of a doctor that cannot believe this certificate: nothing else is wrong.
    const findings = JSON.parse(machine.run('czujka doctor --public --json').stdout) as {
      about: string;
      state: string;
    }[];
    expect(findings.filter(({ state }) => state === 'wrong').map(({ about }) => about)).toEqual([
      'public address',
    ]);
  });

  it('changes nothing on a second run', () => {
    const state =
      'systemctl show -p InvocationID czujka caddy; find /etc/czujka /etc/caddy /etc/systemd /srv /usr/local/bin -printf "%p %T@\\n"';
    const before = machine.do(state);
    expect(machine.do(RUN)).toContain('Nothing had to be changed.');
    expect(machine.do(state)).toBe(before);
  });

  it('lets neither a second one nor the command czujka do something at the same time', () => {
    expect(machine.run(`flock /srv/czujka-versions ${RUN}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is running: try again') as string,
    });
    expect(machine.run('flock /srv/czujka-versions czujka settings')).toMatchObject({
      code: 2,
      stderr: 'install.sh is running: try again when it has ended\n',
    });
  });

  it('updates, and goes back to code and database together when the new version does not become ready', () => {
    const first = version();
    publish('9001_more', 'CREATE TABLE more (x INTEGER) STRICT;');
    // An older version gave the settings to the user of the service, and had its update folder where the link is.
    machine.do('chown czujka: /etc/czujka/.env; chmod 600 /etc/czujka/.env');
    machine.do('mkdir /root/victim; runuser -u czujka -- ln -s /root/victim /var/lib/czujka/update');
    machine.do(`${RUN} --update`);
    const second = version();
    expect(second).not.toBe(first);
    expect(check()).toContain(ENTRY.name);
    expect(machine.do('stat -c "%U:%G %a" /etc/czujka/.env /root/victim; ls /root/victim')).toBe(
      'root:czujka 640\nroot:root 755\n',
    );

    publish('9002_harm', 'CREATE TABLE harm (x INTEGER) STRICT;');
    // The build runs as the user of the service, and must not be able to make links where root writes.
    machine.do(
      'cat - /root/work/scripts/build.ts >/root/build.ts; mv /root/build.ts /root/work/scripts/build.ts',
      `import { writeFileSync as plant } from 'node:fs';\ntry { plant('../planted', ''); plant('/tmp/planted', ''); } catch {}\n`,
    );
    machine.do(`cd /root/work; echo 'process.exit(1);' >src/server.ts; ${COMMIT} harm; git push -q`);
    const failed = machine.run(`${RUN} --update`);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('the service does not become ready; its log: journalctl -u czujka');
    expect(failed.stderr).toContain('Nothing is half done: what had been changed is as it was before.');
    expect(version()).toBe(second);
    expect(machine.do('systemctl is-active czujka')).toBe('active\n');
    expect(check()).toContain(ENTRY.name);
    machine.do('czujka migrate');
    expect(machine.do('ls -d /srv/czujka-versions/.[!.]* /tmp/planted || true')).toBe('');
  });

  it('removes everything but data, backups and settings', () => {
    expect(machine.do(`${RUN} --remove`)).toContain('Left are the data (/var/lib/czujka)');
    machine.do(
      'test -s /var/lib/czujka/czujka.db; test -s /etc/czujka/.env; ls /var/backups/czujka/*.db.zst',
    );
    machine.do('! test -e /srv/czujka && ! test -e /srv/czujka-versions && ! test -e /usr/local/bin/czujka');
    expect(machine.run('systemctl is-active czujka').stdout).toBe('inactive\n');
    expect(machine.do('systemctl is-active caddy; cat /etc/caddy/Caddyfile')).toMatch(
      /^active\n\{\n\thttp_port[^}]*\}\n$/,
    );
    expect(machine.run(`curl -skf https://localhost:${tlsPort}/`).code).not.toBe(0);
  });
});
