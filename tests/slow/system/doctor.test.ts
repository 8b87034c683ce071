// Needs: nginx openssl unshare
/** A service that is broken in many ways, one after the other, and a doctor who names each with what to do. */
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { readLogHead } from '#src/changes/log-head.ts';
import { openDatabase } from '#src/db/database.ts';
import { searchPath } from '#src/search/search-file.ts';
import { startPlayedNode } from '../../../scripts/demo/played-node.ts';
import type { Finding } from '../../../scripts/doctor/finding.ts';
import { cleanEnvironment } from '../../support/clean-environment.ts';
import { startNginx } from '../../support/front-cache.ts';
import { makeCertificate, type Certificate } from '../../support/make-certificate.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeCommandLine, type Operator } from '../../support/run-czujka.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { recordFailingFollowers } from '#src/db/readiness.ts';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../../..');

let operator: Operator;
let service: ChildProcess;
let port = 0;
let settings: Record<string, string>;
let healthy = '';

beforeAll(async () => {
  operator = makeCommandLine();
  const data = dirname(operator.databasePath);
  await operator.succeed(
    'import',
    operator.file('in.ndjson', [makeRecord(), makeRecord()]),
    '--list',
    'scammers',
  );
  settings = {
    PORT: '0',
    TRUST_PROXY: 'loopback',
    BACKUP_FOLDER: join(operator.folder, 'backups'),
    LOG_LEVEL: 'info',
    OPERATOR_NAME: 'Test',
    APPEALS_CONTACT: 'a@czujka.example',
    REPORTS_CONTACT: 'a@czujka.example',
    APPEALS_ANSWER_DAYS: '14',
  };
  service = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], {
    cwd: operator.folder,
    env: cleanEnvironment({ DATABASE_PATH: operator.databasePath, ...settings }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Record<string, unknown>[] = [];
  createInterface({ input: service.stdout as NodeJS.ReadableStream }).on('line', (line) =>
    lines.push(JSON.parse(line) as Record<string, unknown>),
  );
  const logged = (msg: string, job?: string): Record<string, unknown> | undefined =>
    lines.find((line) => line['msg'] === msg && (job === undefined || line['job'] === job));
  await vi.waitUntil(() => logged('listening') && logged('job ended', 'backup'), { timeout: 60_000 });
  port = Number(logged('listening')?.['port']);
  await vi.waitUntil(() => existsSync(join(data, 'search.db')), { timeout: 30_000 });
  healthy = `http://127.0.0.1:${await startNginx(port)}`;
}, 120_000);

afterAll(() => {
  service.kill('SIGKILL');
});

/** A proxy that an operator has set up himself; with a certificate it speaks TLS. */
async function startProxy(
  headersOf: (given: OutgoingHttpHeaders, address: string) => OutgoingHttpHeaders,
  certificate?: Certificate,
): Promise<string> {
  const pass: RequestListener = (asked, answer) => {
    const headers = headersOf(asked.headers, asked.socket.remoteAddress ?? '');
    const passed = request(
      { port, host: '127.0.0.1', path: asked.url, method: asked.method, headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    passed.end();
  };
  const proxy = certificate ? createTlsServer(certificate, pass) : createServer(pass);
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  afterAll(() => void proxy.close());
  return `${certificate ? 'https' : 'http'}://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

interface Diagnosis {
  readonly code: number | null;
  readonly findings: readonly Finding[];
  readonly wrong: readonly string[];
}

async function examine(
  changed: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<Diagnosis> {
  const { code, stdout } = await operator.spawn(['doctor', '--public', '--json'], {
    settings: { ...settings, BASE_URL: healthy, ...changed, ...environment },
  });
  const findings = JSON.parse(stdout) as Finding[];
  for (const { state, todo } of findings) if (state === 'wrong') expect(todo).not.toBe('');
  return {
    code,
    findings,
    wrong: findings.filter(({ state }) => state === 'wrong').map(({ about, says }) => `${about}: ${says}`),
  };
}

it('finds nothing wrong with a service behind the nginx that is shipped', async () => {
  expect(await examine()).toMatchObject({ code: 0, wrong: [] });
  const { stdout, code } = await operator.run(['doctor'], {
    settings: { ...settings, BASE_URL: healthy },
  });
  expect(code).toBe(0);
  expect(stdout).toContain('nothing is wrong');
});

it('names a setting that is missing, and one that is wrong', async () => {
  const { code, wrong } = await examine({ BACKUP_FOLDER: '' });
  expect(code).toBe(1);
  expect(wrong).toEqual(['settings: BACKUP_FOLDER is not set: no backups are made']);
  const { findings } = await examine({ OPERATOR_NAME: '', LITECOIN_ESPLORA_URL: 'http://127.0.0.1:9' });
  const missing = findings.find(({ says }) => says.startsWith('OPERATOR_NAME, '));
  expect(missing).toMatchObject({ about: 'settings', state: 'notice' });
  expect(missing?.says).toMatch(/LITECOIN_PURPOSE, .+ not set: pages leave out what they would say$/);
  expect((await examine({ PORT: 'x' })).wrong).toEqual([expect.stringContaining('PORT=x: must be')]);
  const dataFolder = dirname(operator.databasePath);
  expect((await examine({ BACKUP_FOLDER: dataFolder })).wrong).toContain(
    `settings: BACKUP_FOLDER=${dataFolder}: must be a folder apart from the data folder ${dataFolder}`,
  );
});

it('names a proxy that hides its clients, and one that lets them choose their address', async () => {
  const hiding = await startProxy(({ 'x-forwarded-for': _given, ...others }) => others);
  expect((await examine({ BASE_URL: hiding })).wrong).toEqual([
    "client address: of all visitors arrives as 127.0.0.1, which is the proxy's own: they share one limit",
  ]);
  const trusting = await startProxy((headers) => headers);
  expect((await examine({ BASE_URL: trusting })).wrong).toEqual([
    expect.stringContaining('client address: visitors can write their own'),
  ]);
  expect((await examine({ BASE_URL: 'http://127.0.0.1:9' })).wrong).toEqual([
    expect.stringContaining('public address: http://127.0.0.1:9 does not answer'),
  ]);
});

it('names a certificate that nobody believes, one of another address, and one that ends soon', async () => {
  const secure = (certificate: Certificate): Promise<string> =>
    startProxy((headers, address) => ({ ...headers, 'x-forwarded-for': address }), certificate);
  const believing = ({ certFile }: Certificate): Record<string, string> => ({
    NODE_EXTRA_CA_CERTS: certFile,
  });

  const good = makeCertificate('IP:127.0.0.1', 90);
  const address = await secure(good);
  expect((await examine({ BASE_URL: address })).wrong).toEqual([
    expect.stringMatching(
      /^public address: https:\S+ has no certificate that is believed: self-signed certificate/,
    ),
  ]);
  const { findings, wrong } = await examine({ BASE_URL: address }, believing(good));
  expect(wrong).toEqual([]);
  expect(findings.map(({ says }) => says)).toContainEqual(
    expect.stringMatching(/answers; its certificate holds for (?:89|90) days$/),
  );

  const foreign = makeCertificate('DNS:another.example', 90);
  expect((await examine({ BASE_URL: await secure(foreign) }, believing(foreign))).wrong).toEqual([
    expect.stringMatching(/has no certificate that is believed: .*127\.0\.0\.1/),
  ]);
  const ending = makeCertificate('IP:127.0.0.1', 5);
  expect((await examine({ BASE_URL: await secure(ending) }, believing(ending))).wrong).toEqual([
    expect.stringMatching(/^public address: the certificate of https:\S+ ends in [45] days$/),
  ]);
});

it('names a Litecoin node whose clock its peers do not share', async () => {
  const examineNode = async (peersAheadSeconds: number): Promise<Diagnosis> => {
    const node = await startPlayedNode({ peersAheadSeconds });
    onTestFinished(() => node.close());
    return examine({ LITECOIN_NETWORK: 'regtest', LITECOIN_RPC_URL: node.url });
  };
  expect((await examineNode(90)).wrong).toEqual(["clock: the node's peers are 90 s ahead of its clock"]);
  expect((await examineNode(-61)).wrong).toEqual(["clock: the node's peers are 61 s behind its clock"]);
  const { findings, wrong } = await examineNode(60);
  expect(wrong).toEqual([]);
  expect(findings).toContainEqual(expect.objectContaining({ about: 'clock', state: 'fine' }));
  const gone = await examine({ LITECOIN_RPC_URL: 'http://127.0.0.1:9' });
  expect(gone.findings).toContainEqual(expect.objectContaining({ about: 'clock', state: 'unknown' }));
});

it('names rights that are too wide', async () => {
  chmodSync(operator.databasePath, 0o644);
  const { wrong } = await examine();
  chmodSync(operator.databasePath, 0o600);
  expect(wrong).toEqual([`rights: others on this machine may read ${operator.databasePath}`]);
});

it('tells whether the clock is set from the network, where systemd knows', async () => {
  /** @param script of a timedatectl that is found before the system's */
  const clockOf = async (script: string): Promise<Finding[]> => {
    const folder = mkdtempSync(join(operator.folder, 'bin-'));
    writeFileSync(join(folder, 'timedatectl'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { findings } = await examine({}, { PATH: `${folder}:/usr/bin:/bin` });
    return findings.filter(({ about }) => about === 'clock');
  };
  const isAsked = '[ "$*" = "show -p NTPSynchronized --value" ]';
  expect(await clockOf(`${isAsked} && echo yes`)).toMatchObject([{ state: 'fine' }]);
  expect(await clockOf(`${isAsked} && echo no`)).toMatchObject([
    { state: 'notice', todo: expect.stringContaining('timedatectl set-ntp true') as string },
  ]);
  expect(await clockOf('exit 1')).toEqual([]);
});

it('asks the public address only when it is told to', async () => {
  const { stdout } = await operator.run(['doctor', '--json'], {
    settings: { ...settings, BASE_URL: 'http://127.0.0.1:9' },
  });
  expect((JSON.parse(stdout) as Finding[]).map(({ about }) => about)).not.toContain('public address');
});

it('names a backup that is old', async () => {
  const [file = ''] = globSync(join(operator.folder, 'backups/*.json'));
  const text = readFileSync(file, 'utf8');
  const old = new Date(Date.now() - 50 * 3_600_000).toISOString();
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(text) as object), madeAt: old }));
  const { wrong } = await examine();
  writeFileSync(file, text);
  expect(wrong).toEqual([expect.stringContaining('backup: the newest is 50 hours old')]);
});

it('names a full disk', async () => {
  // A small disk of its own, in a mount namespace that ends with the command.
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
  const small = join(operator.folder, 'small');
  mkdirSync(small);
  const script = `mount -t tmpfs -o size=4m none small && cp data/czujka.db small/ && chmod 600 small/czujka.db && "$@"`;
  const child = spawn(
    'unshare',
    [
      ...namespace,
      'sh',
      '-c',
      script,
      'sh',
      process.execPath,
      join(ROOT, 'scripts/czujka.ts'),
      'doctor',
      '--json',
    ],
    {
      cwd: operator.folder,
      env: cleanEnvironment({ ...settings, BASE_URL: healthy, DATABASE_PATH: join(small, 'czujka.db') }),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  const disk = (JSON.parse(said) as Finding[]).find(({ about }) => about === 'disk');
  expect(disk).toMatchObject({
    state: 'wrong',
    says: expect.stringMatching(/^\d MB free on the disk of /) as string,
  });
  expect(said).not.toContain('restore');
});

it('asks the service whether it is ready, and leaves out checks', async () => {
  expect((await examine({ PORT: String(port) })).findings).toContainEqual({
    about: 'service',
    state: 'fine',
    says: `is ready at http://127.0.0.1:${port}/readyz`,
  });
  expect((await examine({ PORT: '9' })).wrong).toEqual([
    expect.stringContaining('service: http://127.0.0.1:9/readyz does not answer') as string,
  ]);
  const run = (...args: string[]) =>
    operator.run(['doctor', '--quiet', ...args], { settings: { ...settings, PORT: '9', BASE_URL: healthy } });
  expect(await run('--skip', 'service')).toMatchObject({ code: 0, stdout: '' });
  expect(await run()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^WRONG {3}service: .*\n.*\n1 thing to mend\n$/) as string,
  });
  expect(await run('--skip', 'weather')).toMatchObject({ code: 1, stdout: '' });
});

it('names a database that was replaced, lost proofs and a clock that contradicts the database', async () => {
  const older = join(operator.folder, 'older.db');
  const db = openDatabase(operator.databasePath, 'read');
  await db.connection.backup(older);
  db.close();
  const earlier = openDatabase(older, 'write', { mustExist: true });
  const { history } = readLogHead(earlier);
  earlier.statement("UPDATE changes SET at = unixepoch('2099-01-01') * 1000").run();
  earlier
    .statement(
      "INSERT INTO proof_items (row, position, file_sha256, file_name) SELECT row, 1, ?, 'a.png' FROM entries LIMIT 1",
    )
    .run('ab'.repeat(32));
  earlier.close();
  const removal = {
    at: '2026-01-01T00:00:00.000Z',
    list: 'scammers',
    _id: 'x',
    what: 'entry',
    history,
    change: 99,
  };
  const folder = join(operator.folder, 'replaced');
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, 'removed.ndjson'), `${JSON.stringify(removal)}\n`, { mode: 0o600 });
  const file = join(folder, 'czujka.db');
  renameSync(older, file);
  chmodSync(file, 0o600);
  const { wrong } = await examine({ DATABASE_PATH: file });
  expect(wrong).toContainEqual(
    expect.stringMatching(/^clock: says .*, and the newest change is of 2099-01-01/),
  );
  expect(wrong).toContainEqual(expect.stringMatching(/^database: is older than \S+removed\.ndjson: /));
  expect(wrong).toContainEqual(
    expect.stringMatching(/^proofs: 1 original image cannot be found, for example /),
  );

  const moved = `${operator.databasePath}.old`;
  renameSync(operator.databasePath, moved);
  copyFileSync(moved, operator.databasePath);
  const { wrong: found } = await examine();
  renameSync(moved, operator.databasePath);
  expect(found).toContainEqual(
    expect.stringMatching(/^database: \S+czujka\.db was replaced, and the processes \d+/) as string,
  );
});

it('names a follower that fails', async () => {
  const db = openDatabase(operator.databasePath, 'write', { mustExist: true });
  recordFailingFollowers(db, ['search', 'snapshots']);
  const { wrong } = await examine();
  recordFailingFollowers(db, []);
  db.close();
  expect(wrong).toEqual([
    'worker: search, snapshots failed three times in a row: what they make of the lists is old',
  ]);
});

it('names a dead worker, and then damaged full text', async () => {
  service.kill('SIGTERM');
  await once(service, 'exit');
  expect((await examine()).wrong).toEqual([
    'worker: no worker acts: changes, measurements, donations and backups wait',
    expect.stringContaining('public address:'),
  ]);
  const file = searchPath(operator.databasePath);
  // What is not in the file yet would be read from beside it.
  const search = openDatabase(file, 'write', { mustExist: true });
  search.connection.pragma('wal_checkpoint(TRUNCATE)');
  search.close();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0x55, Math.min(8_192, bytes.length / 2)));
  const { code, wrong } = await examine();
  expect(code).toBe(1);
  expect(wrong.find((text) => text.startsWith('search'))).toContain('is damaged');
});

it('names a file of settings that others may read', async () => {
  const file = join(operator.folder, operator.file('.env', 'LOG_LEVEL=info\n'));
  const problemAt = async (mode: number): Promise<string | undefined> => {
    chmodSync(file, mode);
    return (await examine()).wrong.find((text) => text.includes('.env '));
  };
  expect(await problemAt(0o600)).toBeUndefined();
  expect(await problemAt(0o604)).toBe(
    'settings: .env holds secrets, and others on this machine may read or change it',
  );
});

it('masks secrets among the settings, and says where each comes from', async () => {
  operator.file('.env', 'CHAT_PLATFORM_TOKEN=very-secret\nPORT=4400\n');
  const { stdout } = await operator.run(['settings'], {
    settings: { LITECOIN_RPC_URL: 'http://127.0.0.1:1', BACKUP_FOLDER: '/x', PORT: '4401' },
  });
  expect(stdout).not.toContain('very-secret');
  expect(stdout).toContain('CHAT_PLATFORM_TOKEN=(set)  (.env)');
  expect(stdout).toContain('PORT=4401  (environment)');
  expect(stdout).toContain('BACKUP_FOLDER=/x  (environment)');
  expect(stdout).toContain('BACKUP_AT=04:10  (default)');
  expect(stdout).toContain('METRICS_PORT: not set');
});
