// Needs: nginx openssl unshare
/** A service that is broken in many ways, one after the other, and a doctor who names each with what to do. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { readLogHead } from '#src/changes/change-log.ts';
import { openDatabase } from '#src/db/database.ts';
import { setProperty } from '#src/db/properties.ts';
import { recordUnread } from '#src/donations/monitoring.ts';
import { RETENTION_PROPERTY } from '#src/db/retention-time.ts';
import { recordFailingFollowers } from '#src/db/readiness.ts';
import { searchPath } from '#src/search/search-file.ts';
import { writeProbe } from '#src/status/record-sample.ts';
import { startPlayedNode } from '../../../scripts/demo/played-node.ts';
import type { Finding } from '#src/operator/doctor/finding.ts';
import { cleanEnvironment } from '../../support/clean-environment.ts';
import { startNginx } from '../../support/proxies.ts';
import { makeDonation } from '../../support/make-donation.ts';
import { makeCertificate, type Certificate } from '../../support/make-certificate.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { runProcess, type RunningProcess } from '../../support/run-process.ts';

const SCRIPTS = join(import.meta.dirname, '../../../scripts');

const operator = makeCommandLine();
const { databasePath, folder } = operator;
const NOWHERE = 'http://127.0.0.1:9';
const settings: Readonly<Record<string, string>> = {
  PORT: '0',
  TRUST_PROXY: 'loopback',
  BACKUP_FOLDER: join(folder, 'backups'),
  LOG_LEVEL: 'info',
  OPERATOR_NAME: 'Test',
  APPEALS_CONTACT: 'a@czujka.example',
  REPORTS_CONTACT: 'a@czujka.example',
  APPEALS_ANSWER_DAYS: '14',
  REPORTS_ANSWER_DAYS: '7',
};
let service: RunningProcess;
let port = '';
let healthy = '';

beforeAll(async () => {
  await operator.fill(
    'scammers',
    makeRecord(),
    makeRecord({ reportId: 'R-OLD', verified: false, reportedAt: Date.UTC(2024, 0) }),
  );
  // The entries are of the past, and the clock would be doubted.
  operator.write((db) => db.write((tx) => writeProbe(tx, Date.now())));
  service = runProcess(join(SCRIPTS, 'start.mjs'), {
    cwd: folder,
    settings: { DATABASE_PATH: databasePath, ...settings },
  });
  await service.logged({ msg: 'job ended', job: 'backup' });
  port = String((await service.logged({ msg: 'listening' })).port);
  await vi.waitUntil(() => existsSync(searchPath(databasePath)), { timeout: 30_000 });
  healthy = `http://127.0.0.1:${await startNginx(Number(port))}`;
  return () => void service.child.kill('SIGKILL');
}, 120_000);

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

/** @param environment what only a process of its own takes */
async function examine(changed: Record<string, string> = {}, environment?: Record<string, string>) {
  const options = { settings: { ...settings, BASE_URL: healthy, ...changed, ...environment } };
  const run = environment ? operator.spawn : operator.run;
  const { code, stdout } = await run(['doctor', '--public', '--json'], options);
  const findings = JSON.parse(stdout) as Finding[];
  const wrong = findings.filter(({ state }) => state === 'wrong');
  for (const { todo } of wrong) expect(todo).not.toBe('');
  return { code, findings, wrong: wrong.map(({ about, says }) => `${about}: ${says}`) };
}

const containing = (text: string): string => expect.stringContaining(text) as string;

it('finds nothing wrong with a service behind the nginx that is shipped', async () => {
  expect(await examine({}, {})).toMatchObject({ code: 0, wrong: [] });
  // Only --public asks there.
  const ours = { ...settings, BASE_URL: NOWHERE };
  const { code, stdout } = await operator.run(['doctor'], { settings: ours });
  expect([code, stdout]).toEqual([0, containing('nothing is wrong')]);
});

it.each<[Record<string, string>, string]>([
  [{ BACKUP_FOLDER: '' }, 'settings: BACKUP_FOLDER is not set: no backups are made'],
  [{ PORT: 'x' }, 'settings: PORT=x: must be'],
  [{ BASE_URL: NOWHERE }, `public address: ${NOWHERE} does not answer`],
  [{ PORT: '9' }, `service: ${NOWHERE}/readyz does not answer`],
])('names the settings %j', async (changed, said) => {
  expect(await examine(changed)).toMatchObject({ code: 1, wrong: [containing(said)] });
});

it('counts what waits for a confirmation', async () => {
  const { findings } = await examine({ RISK_REVIEW_DAYS: '300' });
  const says = '1 report in scammers unconfirmed for more than 300 days';
  expect(findings).toContainEqual(expect.objectContaining({ about: 'entries', state: 'notice', says }));
});

it('names appeals that wait longer than is promised', async () => {
  const long = new Date(Date.now() - 20 * 86_400_000).toISOString();
  await operator.succeed('appeal', 'open', 'R-OLD', '--at', long);
  const { wrong } = await examine();
  expect(wrong).toEqual(['appeals: 1 appeal open for more than 14 days, first that against R-OLD']);
  expect((await examine({ APPEALS_ANSWER_DAYS: '30' })).wrong).toEqual([]);
  await operator.succeed('appeal', 'cancel', 'R-OLD');
});

it('names donations that pruned blocks may have paid', async () => {
  using db = openDatabase(databasePath, 'write', { mustExist: true });
  const id = makeDonation(db);
  db.write((tx) => recordUnread(tx, Date.now()));
  const says = `donations: 1 donation may have been paid in blocks that the node has pruned: ${id}`;
  expect((await examine()).wrong).toEqual([says]);
  await operator.succeed('donation', 'cancel', id);
  expect((await examine()).wrong).toEqual([]);
});

it('names missing settings', async () => {
  const { findings } = await examine({ OPERATOR_NAME: '', LITECOIN_ESPLORA_URL: NOWHERE });
  const missing = findings.find(({ says }) => says.startsWith('OPERATOR_NAME, '));
  expect(missing).toMatchObject({ about: 'settings', state: 'notice' });
  expect(missing?.says).toMatch(/LITECOIN_PURPOSE, .+ not set: pages leave out what they would say$/);
});

it('names a proxy that hides its clients, and one that lets them choose their address', async () => {
  const hiding = await startProxy(({ 'x-forwarded-for': _given, ...others }) => others);
  expect((await examine({ BASE_URL: hiding })).wrong).toEqual([
    "client address: of all visitors arrives as 127.0.0.1, which is the proxy's own: they share one limit",
  ]);
  const trusting = await startProxy((headers) => headers);
  expect((await examine({ BASE_URL: trusting })).wrong).toEqual([
    containing('client address: visitors can write their own'),
  ]);
});

it.each<[string, string, number, boolean, RegExp | undefined]>([
  ['nobody believes', 'IP:127.0.0.1', 90, false, /has no certificate that is believed: self-signed cert/],
  ['holds', 'IP:127.0.0.1', 90, true, undefined],
  ['is of another address', 'DNS:another.example', 90, true, /is believed: .*127\.0\.0\.1/],
  ['ends soon', 'IP:127.0.0.1', 5, true, /^public address: the certificate of https:\S+ ends in [45] days$/],
])('judges a certificate that %s', async (_what, name, days, isBelieved, said) => {
  const certificate = makeCertificate(name, days);
  const BASE_URL = await startProxy(
    (headers, address) => ({ ...headers, 'x-forwarded-for': address }),
    certificate,
  );
  const { findings, wrong } = await examine(
    { BASE_URL },
    isBelieved ? { NODE_EXTRA_CA_CERTS: certificate.certFile } : {},
  );
  if (said) return expect(wrong).toEqual([expect.stringMatching(said)]);
  expect(wrong).toEqual([]);
  expect(findings.map(({ says }) => says)).toContainEqual(
    expect.stringMatching(/answers; its certificate holds for (?:89|90) days$/),
  );
});

it('names a Litecoin node whose clock its peers do not share', async () => {
  const examineNode = async (peersAheadSeconds: number) => {
    const node = await startPlayedNode({ peersAheadSeconds });
    onTestFinished(() => node.close());
    return examine({ LITECOIN_NETWORK: 'regtest', LITECOIN_RPC_URL: node.url });
  };
  const clock = (state: Finding['state']): unknown => expect.objectContaining({ about: 'clock', state });
  expect((await examineNode(90)).wrong).toEqual(["clock: the node's peers are 90 s ahead of its clock"]);
  expect((await examineNode(-61)).wrong).toEqual(["clock: the node's peers are 61 s behind its clock"]);
  const { findings, wrong } = await examineNode(60);
  expect(wrong).toEqual([]);
  expect(findings).toContainEqual(clock('fine'));
  expect((await examine({ LITECOIN_RPC_URL: NOWHERE })).findings).toContainEqual(clock('unknown'));
});

it.each<[string, readonly Partial<Finding>[]]>([
  ['echo yes', [{ state: 'fine' }]],
  ['echo no', [{ state: 'notice', todo: containing('timedatectl set-ntp true') }]],
  ['exit 1', []],
])('tells whether the clock is set from the network, where systemd knows: %s', async (answer, told) => {
  const programs = mkdtempSync(join(folder, 'bin-'));
  const script = `#!/bin/sh\n[ "$*" = "show -p NTPSynchronized --value" ] && ${answer}\n`;
  // It is found before the system's.
  writeFileSync(join(programs, 'timedatectl'), script, { mode: 0o755 });
  const { findings } = await examine({}, { PATH: `${programs}:/usr/bin:/bin` });
  expect(findings.filter(({ about }) => about === 'clock')).toMatchObject(told);
});

it('names rights that are too wide', async () => {
  chmodSync(databasePath, 0o644);
  const { wrong } = await examine();
  chmodSync(databasePath, 0o600);
  expect(wrong).toEqual([`rights: others on this machine may read ${databasePath}`]);
});

it('names a backup that is old', async () => {
  const [file = ''] = globSync(join(folder, 'backups/*.json'));
  const text = readFileSync(file, 'utf8');
  const old = new Date(Date.now() - 50 * 3_600_000).toISOString();
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(text) as object), madeAt: old }));
  const { wrong } = await examine();
  writeFileSync(file, text);
  expect(wrong).toEqual([containing('backup: the newest is 50 hours old')]);
});

it('names a full disk', () => {
  // A small disk of its own, in a mount namespace that ends with the command.
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
  const small = join(folder, 'small');
  mkdirSync(small);
  const script = `mount -t tmpfs -o size=4m none small && cp data/czujka.db small/ && chmod 600 small/czujka.db && "$@"`;
  const doctor = [process.execPath, join(SCRIPTS, 'czujka.ts'), 'doctor', '--json'];
  const { stdout } = spawnSync('unshare', [...namespace, 'sh', '-c', script, 'sh', ...doctor], {
    cwd: folder,
    env: cleanEnvironment({ ...settings, BASE_URL: healthy, DATABASE_PATH: join(small, 'czujka.db') }),
    encoding: 'utf8',
  });
  expect((JSON.parse(stdout) as Finding[]).find(({ about }) => about === 'disk')).toMatchObject({
    state: 'wrong',
    says: expect.stringMatching(/^\d MB free on the disk of /) as string,
  });
  expect(stdout).not.toContain('restore');
});

it('asks the service whether it is ready, and leaves out checks', async () => {
  expect((await examine({ PORT: port })).findings).toContainEqual({
    about: 'service',
    state: 'fine',
    says: `is ready at http://127.0.0.1:${port}/readyz`,
  });
  const run = (...args: string[]) =>
    operator.run(['doctor', '--quiet', ...args], { settings: { ...settings, PORT: '9', BASE_URL: healthy } });
  expect(await run('--skip', 'service')).toMatchObject({ code: 0, stdout: '' });
  expect(await run()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^WRONG {3}service: .*\n.*\n1 thing to mend\n$/) as string,
  });
  expect(await run('--skip', 'weather')).toMatchObject({ code: 1, stdout: '' });
});

it('names a database that is older than the removals, and a clock that contradicts it', async () => {
  const older = join(folder, 'older');
  mkdirSync(older, { mode: 0o700 });
  const file = join(older, 'czujka.db');
  operator.read((db) => db.connection.prepare('VACUUM INTO ?').run(file));
  chmodSync(file, 0o600);
  using db = openDatabase(file, 'write', { mustExist: true });
  const { logId: history } = readLogHead(db);
  db.statement("UPDATE changes SET at = unixepoch('2099-01-01') * 1000").run();
  db.statement("UPDATE entries SET reported_at = unixepoch('2099-01-01') * 1000 WHERE row = 1").run();
  const keepEdge = (days: number): void =>
    db.write((tx) =>
      setProperty(tx, RETENTION_PROPERTY, JSON.stringify({ edge: Date.now() + days * 86_400_000 })),
    );
  keepEdge(1_500);
  const at = '2026-01-01T00:00:00.000Z';
  const removal = { at, list: 'scammers', _id: 'x', what: 'entry', history, change: 99 };
  writeFileSync(join(older, 'removed.ndjson'), `${JSON.stringify(removal)}\n`, { mode: 0o600 });
  const { wrong } = await examine({ DATABASE_PATH: file });
  expect(wrong).toContainEqual(
    expect.stringMatching(
      /^clock: says .*, and the newest change is of 2099-01-01\S+, the time by which old data goes is 20/,
    ),
  );
  expect(wrong).toContainEqual(expect.stringMatching(/^database: is older than \S+removed\.ndjson: /));
  expect(wrong).toContain('entries: 1 entry reported in the future');
  // A clock that the worker believes is right, and nobody can do anything about the past.
  keepEdge(1);
  const { findings } = await examine({ DATABASE_PATH: file });
  expect(findings.filter(({ about }) => about === 'clock')).toMatchObject([
    { state: 'notice', says: expect.stringMatching(/2099-01-01\S+$/) as string },
  ]);
});

it('names a follower that fails', async () => {
  using db = openDatabase(databasePath, 'write', { mustExist: true });
  // The worker, whose followers run well, takes it back each minute.
  await vi.waitFor(async () => {
    db.write((tx) => recordFailingFollowers(tx, ['search', 'snapshots']));
    expect((await examine()).wrong).toEqual([
      'worker: search, snapshots failed three times in a row: what they make of the lists is old',
    ]);
  }, 10_000);
  db.write((tx) => recordFailingFollowers(tx, []));
});

it('names a dead worker, and then damaged full text', async () => {
  service.child.kill('SIGTERM');
  await service.ended;
  expect((await examine()).wrong).toEqual([
    'worker: no worker acts: changes, measurements, donations and backups wait',
    containing('public address:'),
  ]);
  const file = searchPath(databasePath);
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
  const file = join(folder, operator.file('.env', 'LOG_LEVEL=info\n'));
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
  for (const line of [
    'CHAT_PLATFORM_TOKEN=(set)  (.env)',
    'PORT=4401  (environment)',
    'BACKUP_FOLDER=/x  (environment)',
    'BACKUP_AT=04:10  (default)',
    'METRICS_PORT: not set',
  ])
    expect(stdout).toContain(line);
});
