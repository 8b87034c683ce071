import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { migrateDatabase, schemaProblem } from '#src/db/migrate.ts';
import { startProcess } from '../../support/start-process.ts';
import type { RunningProcess, StartOptions } from '../../support/start-process.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const ROOT = join(import.meta.dirname, '../../..');
const START = join(ROOT, 'scripts/start.ts');
const root = makeFolder();

interface Place {
  readonly cwd: string;
  readonly path: string;
  start(options?: Partial<StartOptions>): RunningProcess;
}

function makePlace(): Place {
  const cwd = mkdtempSync(join(root, 'start-'));
  const path = join(cwd, 'data/czujka.db');
  return {
    cwd,
    path,
    start: ({ settings, ...options } = {}) =>
      startProcess(START, { cwd, settings: { DATABASE_PATH: path, PORT: '0', ...settings }, ...options }),
  };
}

/** Process IDs of the children, by what they run. */
function childrenOf({ pid }: RunningProcess): { web: number; worker: number } {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const find = (file: string): number =>
    pids.find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(file)) ?? 0;
  return { web: find('server.ts'), worker: find('worker/main.ts') };
}

function isAlive(pid: number): boolean {
  try {
    // A zombie waits only for its parent to notice.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Resolves with the address that the web process listens on after so many starts. */
async function address(process: RunningProcess, restarts = 0): Promise<string> {
  const { port } = await process.loggedAgain({ component: 'web', msg: 'listening' }, restarts);
  return `http://127.0.0.1:${String(port)}`;
}

async function whole(process: RunningProcess): Promise<string> {
  await process.logged({ component: 'worker', msg: 'started' });
  return address(process);
}

/** A request whose head has reached the server but for its end. */
async function beginRequest(origin: string): Promise<{ finish(): Promise<string> }> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write('GET /api/scammers HTTP/1.1\r\nHost: localhost\r\n');
  // What was sent before on another connection is read by the time that this is answered.
  await (await fetch(`${origin}/api/servers`)).text();
  return {
    async finish() {
      socket.end('\r\n');
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      return text;
    },
  };
}

function countLines({ lines }: RunningProcess, component: string, msg: string): number {
  return lines.filter((line) => line.component === component && line.msg === msg).length;
}

describe('npm start', () => {
  it('migrates an empty database and serves empty lists', async () => {
    const start = makePlace().start();
    const origin = await whole(start);
    for (const list of ['scammers', 'servers', 'legit']) {
      const response = await fetch(`${origin}/api/${list}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ data: [], total: 0, hasMore: false });
    }
    const home = await fetch(`${origin}/`);
    expect(home.status).toBe(200);
    expect(home.headers.get('content-type')).toMatch(/^text\/html/);
    const { version, address, entries } = await start.logged({ component: 'start', msg: 'Czujka serves' });
    expect({ version, address, entries }).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      address: origin.replace('http://', ''),
      entries: { scammers: 0, servers: 0, legit: 0 },
    });
  });

  it('says once which settings are missing that pages would show', async () => {
    const settings = {
      OPERATOR_NAME: 'Fundacja',
      PLATFORM_NAME: 'Komunikator',
      SECURITY_CONTACT: 'a@b.example',
    };
    const start = makePlace().start({ settings });
    await start.logged({ component: 'start', msg: 'Czujka serves' });
    const said = start.lines.filter(({ msg }) => msg.startsWith('settings are missing'));
    expect(said.map(({ missing }) => missing)).toEqual([
      ['APPEALS_CONTACT', 'APPEALS_ANSWER_DAYS', 'REPORTS_CONTACT'],
    ]);
  });

  it.each(['serving', 'snapshots', 'proofs'])('makes no database beside %s/ that is there', async (name) => {
    const place = makePlace();
    mkdirSync(join(place.cwd, 'data', name), { recursive: true });
    const { code, stderr } = await place.start().ended;
    expect(code).toBe(2);
    expect(stderr).toContain(`there is no database ${place.path}, but beside it ${name}/`);
    expect(existsSync(place.path)).toBe(false);
  });

  it('tells within half a minute that the worker cannot write, and that it can again', async () => {
    const start = makePlace().start();
    const origin = await whole(start);
    const { worker } = childrenOf(start);
    const limit = (bytes: string): void =>
      void execFileSync('prlimit', ['--pid', String(worker), `--fsize=${bytes}:unlimited`]);
    const expectDatabase = (ok: boolean): Promise<void> =>
      vi.waitFor(
        async () => {
          const status = (await (await fetch(`${origin}/api/status`)).json()) as { checks: object[] };
          expect(status.checks[0]).toMatchObject({ id: 'database', ok });
        },
        { timeout: 31_000, interval: 2_500 },
      );
    await expectDatabase(true);
    limit('1');
    await expectDatabase(false);
    limit('unlimited');
    await expectDatabase(true);
  });

  it('starts what was killed again, and neither process takes the other one down', async () => {
    const start = makePlace().start();
    const origin = await whole(start);
    const before = childrenOf(start);

    process.kill(before.worker, 'SIGKILL');
    expect(
      await start.logged({ process: 'worker', msg: 'process ended; it is started again' }),
    ).toMatchObject({
      signal: 'SIGKILL',
    });
    expect((await fetch(`${origin}/api/scammers`)).status).toBe(200);
    await start.loggedAgain({ component: 'worker', msg: 'started' }, 1);
    const between = childrenOf(start);
    expect(between.web).toBe(before.web);
    expect(between.worker).not.toBe(before.worker);

    process.kill(before.web, 'SIGKILL');
    const again = await address(start, 1);
    expect((await fetch(`${again}/api/scammers`)).status).toBe(200);
    expect(childrenOf(start).worker).toBe(between.worker);
    expect(isAlive(between.worker)).toBe(true);
  });

  it('ends everything with 0 on SIGTERM and leaves no process behind', async () => {
    const place = makePlace();
    const start = place.start();
    await whole(start);
    const { web, worker } = childrenOf(start);
    expect([web, worker].every(isAlive)).toBe(true);
    start.child.kill('SIGTERM');
    expect(await start.ended).toEqual({ code: 0, signal: null, stderr: '' });
    expect([web, worker].filter(isAlive)).toEqual([]);
    for (const component of ['web', 'worker']) expect(countLines(start, component, 'ended')).toBe(1);
    const db = openDatabase(place.path, 'read');
    expect(db.statement('SELECT expires_at_monotonic AS ends FROM leases').get()).toEqual({ ends: 0 });
    db.close();
  });

  it('takes a signal to the whole group and one to itself as one request to end', async () => {
    const start = makePlace().start({ detached: true });
    const origin = await whole(start);
    const { web, worker } = childrenOf(start);
    const flight = await beginRequest(origin);
    process.kill(-start.pid, 'SIGTERM');
    start.child.kill('SIGTERM');
    process.kill(-start.pid, 'SIGINT');
    await start.logged({ component: 'web', msg: 'ending' });
    expect(await flight.finish()).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[^]*\{"data":\[\],"total":0,"hasMore":false\}$/,
    );
    expect(await start.ended).toEqual({ code: 0, signal: null, stderr: '' });
    expect([web, worker].filter(isAlive)).toEqual([]);
    for (const component of ['web', 'worker']) {
      expect(countLines(start, component, 'ending')).toBe(1);
      expect(countLines(start, component, 'ended')).toBe(1);
    }
    expect(countLines(start, 'start', 'process ended; it is started again')).toBe(0);
  });

  it('leaves no process behind when it is killed itself', async () => {
    const start = makePlace().start();
    await whole(start);
    const { web, worker } = childrenOf(start);
    start.child.kill('SIGKILL');
    await vi.waitFor(() => expect([web, worker].filter(isAlive)).toEqual([]), {
      timeout: 20_000,
      interval: 50,
    });
  });

  it('ends with 2 when the port is taken, and says so', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const start = makePlace().start({ settings: { PORT: String(port) } });
    expect(await start.ended).toEqual({
      code: 2,
      signal: null,
      stderr: `cannot listen on 127.0.0.1:${port}: EADDRINUSE\n`,
    });
    other.close();
  });

  it('ends with 2 and every wrong setting at once', async () => {
    const start = makePlace().start({ settings: { PORT: '-1', TRUST_PROXY: 'everyone' } });
    const { code, stderr } = await start.ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/^wrong settings:\n {2}PORT=-1: .*\n {2}TRUST_PROXY=everyone: .*\n$/);
  });

  it('ends with 2 when the backup folder is a link', async () => {
    const place = makePlace();
    const link = join(place.cwd, 'backups');
    symlinkSync(makeFolder(), link);
    const { code, stderr } = await place.start({ settings: { BACKUP_FOLDER: link } }).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/^wrong settings:\n {2}BACKUP_FOLDER=.*: .* is a symbolic link/);
    expect(existsSync(place.path)).toBe(false);
  });

  it('does not touch the database of a newer version', async () => {
    const place = makePlace();
    mkdirSync(join(place.cwd, 'data'));
    const db = openDatabase(place.path, 'write');
    await migrateDatabase(db);
    db.connection.exec("INSERT INTO kysely_migration VALUES ('9999_future', '2030-01-01')");
    db.close();
    expect(await place.start().ended).toEqual({
      code: 2,
      signal: null,
      stderr: `cannot start: ${schemaProblem(place.path, 'newer')}\n`,
    });
  });

  it('says what to do when the site is not built, and makes no database', async () => {
    const place = makePlace();
    // The checkout without its dist folder.
    const checkout = join(place.cwd, 'checkout');
    mkdirSync(checkout);
    for (const name of ['scripts', 'src', 'db', 'node_modules', 'package.json']) {
      symlinkSync(join(ROOT, name), join(checkout, name));
    }
    const start = startProcess(join(checkout, 'scripts/start.ts'), {
      cwd: place.cwd,
      nodeArgs: ['--preserve-symlinks', '--preserve-symlinks-main'],
      settings: { DATABASE_PATH: place.path },
    });
    expect(await start.ended).toEqual({
      code: 2,
      signal: null,
      stderr: 'cannot start: the site is not built: run "npm run build" first\n',
    });
    expect(existsSync(place.path)).toBe(false);
  });
});
