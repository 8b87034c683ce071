// Needs: debootstrap shellcheck unshare
/** install.sh: what it would do, and what it does on machines with a systemd that runs. */
import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findPort } from '../support/find-port.ts';
import { makePhoto } from '../support/make-image.ts';
import { startMachine, type Machine } from '../support/machine.ts';
import { makeFolder } from '../support/temporary-database.ts';

const ROOT = join(import.meta.dirname, '../..');
const INSTALL = join(ROOT, 'scripts/deploy/install.sh');
const IS_ROOT = process.getuid?.() === 0;
/** Three builds of the site, beside other tests. */
const MACHINE_MS = 600_000;
const ENTRY = { id: '424242', name: 'nick', reason: 'powód', verified: true };

/** As somebody who may nothing, and has nothing to answer with. */
function runAsNobody(...args: readonly string[]) {
  const nobody = IS_ROOT ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  const [file = '', ...rest] = [...nobody, INSTALL, ...args];
  return spawnSync(file, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

it.each(['', '--remove'])('%s --dry-run names the steps to anybody, and asks nothing', (verb) => {
  // Where Caddy and nginx are both there, it wants to know which.
  const folder = mkdtempSync(join(tmpdir(), 'czujka-answers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const answers = join(folder, 'answers');
  writeFileSync(answers, 'BASE_URL=https://czujka.example\nPROXY=caddy\n');
  chmodSync(folder, 0o755);
  const { status, stdout, stderr } = runAsNobody(
    ...(verb === '' ? ['--answers', answers] : [verb]),
    '--dry-run',
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^- /);
});

it.each([
  [['--sideways'], 'there is no --sideways'],
  [['--answers', '/nowhere'], '--answers needs a file that can be read'],
  [[], 'run it as root'],
  [['--update', '--dry-run'], 'nothing is installed here yet'],
  [['--back', '--dry-run'], 'no other version is kept here'],
])('says in one line what is wrong with %j', (args, message) => {
  const { status, stderr } = runAsNobody(...args);
  expect(status).toBe(1);
  expect(stderr).toContain(`install.sh: ${message}`);
});

it.each([
  [
    'ID=debian\nVERSION_ID="11"\nPRETTY_NAME="Debian GNU/Linux 11 (bullseye)"',
    'Debian GNU/Linux 11 (bullseye)',
  ],
  ['ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24.04.3 LTS"', 'Ubuntu 24.04.3 LTS'],
  ['ID=arch', 'no Debian'],
  ['', 'no Debian'],
])('sends other systems to the steps by hand, also with --dry-run: %j', (text, name) => {
  const file = join(makeFolder(), 'os-release');
  writeFileSync(file, `${text}\n`);
  const there = ['unshare', '--map-root-user', '--mount', 'sh', '-euc'];
  const [command = '', ...args] = [
    ...there,
    'mount --bind "$1" /etc/os-release; "$2" --dry-run',
    'sh',
    file,
    INSTALL,
  ];
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toBe(
    `install.sh: this is ${name}, and this script knows Debian 12 and 13. The steps by hand: "Anywhere else" in ${ROOT}/scripts/deploy/README.md\n`,
  );
});

it('is without what ShellCheck finds, as other scripts of the shell', () => {
  const scripts = ['.ci/run', ...globSync(['scripts/deploy/*.sh', 'tests/**/*.sh'], { cwd: ROOT })];
  const { status, stdout, stderr } = spawnSync('shellcheck', ['--external-sources', ...scripts], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});

describe.runIf(IS_ROOT).each(['bookworm', 'trixie'])('on %s', { timeout: MACHINE_MS }, (release) => {
  const RUN = '/root/czujka/scripts/deploy/install.sh';
  const COMMIT = 'git add -A && git -c user.name=t -c user.email=t@t commit -qm';
  let machine: Machine;
  let port: number;
  let tlsPort: number;

  const version = (): string => machine.do('readlink /srv/czujka');
  const expectRefusal = (script: string, sentence: string, code = 1): void =>
    expect(machine.run(script)).toMatchObject({ code, stderr: expect.stringContaining(sentence) as string });
  const check = (): string => machine.do(`curl -sf http://127.0.0.1:${port}/api/check?id=${ENTRY.id}`);
  beforeAll(async () => {
    port = await findPort();
    tlsPort = await findPort();
    const [httpPort, adminPort] = [await findPort(), await findPort()];
    machine = await startMachine(release);
    const left = ['node_modules', 'dist', '.git', 'data'].map((name) => `--exclude=./${name}`);
    const files = spawnSync('tar', ['-C', ROOT, '-c', ...left, '.'], { maxBuffer: 256 * 1024 * 1024 });
    machine.do('mkdir -p /root/work; tar -C /root/work -x', files.stdout);
    machine.do(`cd /root/work; git init -q -b main; ${COMMIT} first; git clone -q --bare . /root/czujka.git
      git remote add origin /root/czujka.git; git push -q -u origin main; git clone -q /root/czujka.git /root/czujka`);
    // Settings of a Caddy that is still to come, on ports of its own; and a package that was left half installed.
    machine.do(
      'mkdir /etc/caddy; cat >/etc/caddy/Caddyfile',
      `{\n\thttp_port ${httpPort}\n\thttps_port ${tlsPort}\n\tadmin localhost:${adminPort}\n\tskip_install_trust\n}\n`,
    );
    machine.do(
      'cd /var/tmp; apt-get -qq update; apt-get -qq download libatomic1 gcc-*-base; dpkg --unpack ./*.deb',
    );
    machine.do(
      'cat >/root/answers',
      `BASE_URL=https://localhost\nPORT=${port}\nOPERATOR_NAME=Fundacja Czujka\nPROXY=caddy\n`,
    );
  }, MACHINE_MS);
  afterAll(() => machine.end());

  it('asks nobody where there is no terminal, and makes nothing of settings that it refuses', () => {
    expectRefusal(RUN, '--answers FILE');
    machine.do(
      'cat >/root/hostile',
      'BASE_URL=https://localhost\nPROXY=caddy\nPORT=1;|;1e id >/root/canary #\n',
    );
    expectRefusal(`${RUN} --answers /root/hostile`, 'PORT must be a whole number');
    const made =
      'ls -d /root/canary /srv/czujka* /etc/czujka /var/lib/czujka || true; getent passwd czujka || true';
    expect(machine.do(made)).toBe('');
  });

  it('installs: the hardened service answers, behind Caddy with TLS', () => {
    const said = machine.do(`${RUN} --answers /root/answers`);
    expect(said).toContain('libatomic1 is there half installed: going on with it');
    expect(said).toContain('/etc/caddy/Caddyfile is there, and stays');
    // What is shipped has nothing for compilers, testers and other systems.
    expect(Number(machine.do('du -sm /srv/czujka/ | cut -f 1'))).toBeLessThan(230);
    expect(
      machine.do('systemctl is-active czujka.socket czujka; systemctl is-enabled czujka.socket czujka'),
    ).toBe('active\nactive\nenabled\nenabled\n');
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

  it('lets moderators run their verbs without root, with files that only they may read', async () => {
    machine.do(
      'useradd --create-home --groups czujka-moderators ola; useradd --create-home jan; mkdir -m 700 /home/ola/in',
    );
    machine.do('cat >/home/ola/in/a.jpg', await makePhoto());
    const proofs = { private: false, items: [{ file: 'a.jpg' }] };
    machine.do('cat >/home/ola/in/list.ndjson', JSON.stringify({ ...ENTRY, id: '535353', proofs }));
    machine.do('chmod 600 /home/ola/in/*; chown -R ola: /home/ola');
    const as = (name: string, command: string, input?: string) =>
      machine.run(`cd /home/${name}; runuser -u ${name} -- ${command}`, input);
    expect(as('ola', 'czujka import in/list.ndjson --list scammers')).toMatchObject({
      code: 0,
      stdout: 'added 1, updated 0, unchanged 0, rejected 0\n',
    });
    expect(as('ola', 'czujka-ssh bot', '["entry","show","535353"]\n')).toMatchObject({ code: 0, stderr: '' });
    expect(as('ola', 'czujka restore /var/backups/czujka')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('everything else is for root') as string,
    });
    expect(as('ola', 'sudo -n -u czujka cat /etc/czujka/.env').code).toBe(1);
    expect(as('ola', 'sudo -n -u czujka czujka settings').code).toBe(1);
    expect(as('jan', 'czujka entry show 535353')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('only root and members of czujka-moderators') as string,
    });
    machine.do('czujka entry remove 535353 --list scammers --reason mistake');
  });

  it('changes nothing on a second run', () => {
    const state =
      'systemctl show -p InvocationID czujka caddy; find /etc/czujka /etc/caddy /etc/systemd /srv /usr/local/bin -printf "%p %T@\\n"';
    const before = machine.do(state);
    expect(machine.do(RUN)).toContain('Nothing had to be changed.');
    expect(machine.do(state)).toBe(before);
  });

  it('looks every hour what is wrong, and runs a program of the operator then', () => {
    const unit = (name: string, property: string) =>
      machine.do(`systemctl show --value -p ${property} ${name}`).trim();
    expect(unit('czujka-doctor.timer', 'ActiveState')).toBe('active');
    machine.do('install -m 755 /bin/true /etc/czujka/alert; systemctl start czujka-doctor');
    expect(unit('czujka-alert', 'InvocationID')).toBe('');
    machine.do('chmod 644 /var/lib/czujka/czujka.db');
    expect(machine.run('systemctl start czujka-doctor').code).toBe(1);
    machine.do('chmod 600 /var/lib/czujka/czujka.db');
    expect(unit('czujka-alert', 'InvocationID')).not.toBe('');
  });

  it('gives back a database that was deleted under the service, by the commands of doctor', () => {
    machine.do(`czujka entry note ${ENTRY.id} newest; rm /var/lib/czujka/czujka.db*`);
    const { stdout } = machine.run('czujka doctor --quiet');
    const commands = [...stdout.matchAll(/^ {2}([a-z].*)$/gm)].map(([, command]) => command).join('\n');
    machine.do('runuser -u czujka -- sh -eu', commands);
    machine.do(`systemctl stop czujka.socket czujka; cd /var/lib/czujka
      for end in '' -wal; do mv czujka-saved.db$end czujka.db$end; done; systemctl start czujka`);
    expect(machine.do(`czujka entry show ${ENTRY.id}`)).toContain('newest');
  });

  it('lets no second one do something at the same time, and verbs read also while versions change', () => {
    expectRefusal(`flock /srv ${RUN}`, 'another install.sh is running: try again');
    expect(machine.do(`flock /srv/czujka-versions czujka entry show ${ENTRY.id}`)).toContain(ENTRY.reason);
  });

  it('updates without a failed request, goes back, and keeps the backup of the update for a week', () => {
    const first = version();
    // An older version gave the settings to the user of the service, and had its update folder where the link is.
    machine.do('chown czujka: /etc/czujka/.env; chmod 600 /etc/czujka/.env');
    machine.do('mkdir /root/victim; runuser -u czujka -- ln -s /root/victim /var/lib/czujka/update');
    // The version before goes on with a database to which a migration only adds.
    machine.do('cat >/root/work/db/migrations/9000_added.sql', 'ALTER TABLE entries ADD COLUMN added TEXT;');
    machine.do(`cd /root/work; ${COMMIT} second; git push -q`);
    // A batch stays open beside the update.
    const line = `echo '{"args":["entry","list","--list","legit"]}' >/root/lines`;
    machine.do(`mkfifo /root/lines
      (czujka batch <>/root/lines >/root/answers 2>/root/refusal || echo $? >>/root/refusal) >/dev/null 2>&1 &
      ${line}; until grep '"ok":true' /root/answers; do sleep 0.1; done`);
    const question = `curl --noproxy '*' -s -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:${port}/healthz`;
    const statuses = machine.do(`for client in 1 2 3 4; do
        while [ ! -e /root/over ]; do ${question} || true; done >/root/answers-$client &
      done
      while [ ! -e /root/over ]; do czujka entry show ${ENTRY.id} >/dev/null 2>>/root/refused || true; done &
      while [ ! -e /root/over ]; do czujka entry note ${ENTRY.id} text >/dev/null 2>/root/noted || cat /root/noted >>/root/refused; done &
      flock --shared /srv/czujka-versions sh -c 'until grep -q "waiting until a command" /root/said; do sleep 0.1; done' &
      ${RUN} --update >/root/said; touch /root/over; wait; sort /root/answers-? | uniq --count`);
    expect(statuses).toMatch(/^ *\d+ 200\n$/);
    expect(machine.do("grep -v 'switching versions: waiting' /root/refused || true")).toBe('');
    expect(
      machine.do(`${line}; until grep '^2$' /root/refusal; do sleep 0.1; done; cat /root/refusal`),
    ).toContain('another version was installed: start the command again');
    const second = version();
    expect(second).not.toBe(first);
    expect(check()).toContain(ENTRY.name);
    expect(machine.do('stat -c "%U:%G %a" /etc/czujka/.env /root/victim; ls /root/victim')).toBe(
      'root:czujka 640\nroot:root 755\n',
    );

    expect(machine.do(`${RUN} --back`)).toContain('runs again, with the database as it is');
    expect(version()).toBe(first);
    expect(check()).toContain(ENTRY.name);
    machine.do(`${RUN}`);
    expect(version()).toBe(second);
    machine.do(`echo "-- 'oldest_schema'" >/srv/czujka/db/migrations/9001_later.sql`);
    expectRefusal(`${RUN} --back`, 'cannot read it');
    machine.do('rm /srv/czujka/db/migrations/9001_later.sql');

    const clean =
      'systemd-tmpfiles --clean /etc/tmpfiles.d/czujka.conf; find /srv/czujka-versions/.before -type f | wc -l';
    expect(Number(machine.do(clean))).toBeGreaterThan(0);
    machine.do('find /srv/czujka-versions/.before -exec touch --date "8 days ago" {} +');
    expect(machine.do(clean)).toBe('0\n');
  });

  it('takes changed settings with a restart, after they were checked', () => {
    const [before, state] = [version(), 'systemctl show -p InvocationID czujka'];
    const started = machine.do(state);
    machine.do(`cp /etc/czujka/.env /root/settings; echo METRICS_PORT=${port} >>/etc/czujka/.env`);
    expectRefusal(RUN, 'must be another port than PORT', 1);
    expect(machine.do(state)).toBe(started);
    machine.do('sed "s/Fundacja Czujka/Fundacja Druga/" /root/settings >/etc/czujka/.env');
    machine.do(RUN);
    expect(machine.do(state)).not.toBe(started);
    expect(version()).toBe(before);
    expect(machine.do(`curl -skf https://localhost:${tlsPort}/prywatnosc`)).toContain('Fundacja Druga');
  });

  it('goes back to code and database together when the new version does not become ready', () => {
    const second = version();
    machine.do(
      'cat >/root/work/db/migrations/9002_harm.sql',
      "UPDATE properties SET value = '9002_harm' WHERE key = 'oldest_schema';",
    );
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
    expect(machine.do('ls -d /srv/czujka-versions/.[!.]* /tmp/planted || true')).toBe(
      '/srv/czujka-versions/.before\n/srv/czujka-versions/.settings-sha256\n',
    );
  });

  it('removes everything but data, backups and settings', () => {
    expect(machine.do(`${RUN} --remove`)).toContain('Left are the data (/var/lib/czujka)');
    machine.do(
      'test -s /var/lib/czujka/czujka.db; test -s /etc/czujka/.env; ls /var/backups/czujka/*.db.zst',
    );
    machine.do('! test -e /srv/czujka && ! test -e /srv/czujka-versions && ! test -e /usr/local/bin/czujka');
    expect(machine.run('systemctl is-active czujka.socket czujka').stdout).toBe('inactive\ninactive\n');
    expect(machine.do('systemctl is-active caddy; cat /etc/caddy/Caddyfile')).toMatch(
      /^active\n\{\n\thttp_port[^}]*\}\n$/,
    );
    expect(machine.run(`curl -skf https://localhost:${tlsPort}/`).code).not.toBe(0);
  });
});
