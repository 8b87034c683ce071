// Needs: buildah mmdebstrap runc
/** The image, built and run as compose.yaml says. */
import { cpSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buildImage, createContainer, readCompose, type Container } from '../support/container.ts';
import { findPort } from '../support/find-port.ts';
import { makeFolder } from '../support/temporary-database.ts';

const ROOT = join(import.meta.dirname, '../..');
const [IMAGE, NEXT] = ['localhost/czujka-test', 'localhost/czujka-test-next'];
const BUILD_MS = 20 * 60_000;
const START = { timeout: 60_000, interval: 200 };
const ENTRY = { id: '424242', name: 'nick', reason: 'powód', verified: true };
const { test: healthCheck } = readCompose().services.czujka.healthcheck;

const volumes = makeFolder();
let port = 0;
let container: Container;
let service: ReturnType<Container['start']>;

const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
const check = async (): Promise<string> => (await get(`/api/check?id=${ENTRY.id}`)).text();
/** The health check of compose.yaml, whose port is the default. */
const isHealthy = (): boolean =>
  container.exec(healthCheck.slice(1).map((part) => part.replace(':4321', `:${port}`))).code === 0;

function create(image: string): void {
  container = createContainer(image, volumes, { PORT: String(port), BASE_URL: 'https://czujka.example' });
}

async function start(): Promise<void> {
  service = container.start();
  await vi.waitFor(() => {
    if (!isHealthy()) throw new Error(service.log());
  }, START);
}

async function stop(signal: 'TERM' | 'KILL'): Promise<number | null> {
  container.kill(signal);
  return service.ended;
}

beforeAll(async () => {
  port = await findPort();
  buildImage(IMAGE, ROOT);
  create(IMAGE);
}, BUILD_MS);

afterAll(() => container.remove());

it('lets compose trust the network that only Caddy is in', () => {
  const { services, networks } = readCompose();
  expect(services.czujka.environment['TRUST_PROXY']).toBe(networks.inside.ipam.config[0].subnet);
});

it('holds no packages of development, and runs as a user of its own', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { dev?: true }>>;
  };
  const installed = globSync('node_modules/{*,@*/*}', { cwd: join(container.rootfs, 'srv/czujka') });
  expect(installed).toContain('node_modules/better-sqlite3');
  expect(installed.filter((path) => packages[path]?.dev)).toEqual([]);
  // What comes by standard input would fill the memory else.
  expect(container.run(['sh', '-c', 'dirname "$(mktemp)"'])).toMatchObject({ code: 0, stdout: '/data\n' });
  expect(container.config).toMatchObject({ User: '10001:10001', Volumes: { '/data': {}, '/backups': {} } });
});

it('shows sample data on every page, and is healthy', async () => {
  expect(container.run(['czujka', 'seed'])).toMatchObject({ code: 0 });
  await start();
  const sitemap = await (await get('/sitemap.xml')).text();
  const paths = [...sitemap.matchAll(/<loc>https:\/\/czujka\.example([^<]*)/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(8);
  const rows = [...(await (await get('/scammers')).text()).matchAll(/href="(\/wpis\/[^"]+)"/g)];
  for (const path of [...paths, ...rows.map(([, path = '']) => path), '/api/scammers', '/openapi.json'])
    expect([path, (await get(path)).status]).toEqual([path, 200]);
});

it('imports from standard input, and names the actor', async () => {
  const importing = ['czujka', 'import', '-', '--list', 'scammers'];
  const imported = container.exec(importing, `${JSON.stringify(ENTRY)}\n`, { CZUJKA_BY: 'anna' });
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('added 1') as string });
  expect(container.exec(['czujka', 'entry', 'show', ENTRY.id]).stdout).toContain('anna');
  await vi.waitFor(async () => expect(await check()).toContain(ENTRY.name), START);
});

it('ends in order on SIGTERM, comes back after a kill, and writes nothing but its volumes', async () => {
  expect(await stop('TERM')).toBe(0);
  container.kill('KILL');
  await start();
  await stop('KILL');
  await start();
  expect(await check()).toContain(ENTRY.name);
  expect(service.log()).not.toContain('EROFS');
  expect(container.exec(['sh', '-c', 'touch /srv/czujka/x /x']).code).not.toBe(0);
});

it('restores one of its backups', async () => {
  const backups = join(volumes, 'backups');
  const newest = (): string =>
    readdirSync(backups)
      .filter((name) => name.endsWith('.db.zst'))
      .sort()
      .at(-1) ?? '';
  await vi.waitFor(() => expect(newest()).not.toBe(''), START);
  container.exec(['czujka', 'backup', '/data/copy']);
  await stop('TERM');
  const restored = container.run(['czujka', 'restore', '/data/copy', '--yes']);
  expect(restored).toMatchObject({ code: 0 });
  await start();
  expect(await check()).toContain(ENTRY.name);
});

it('is updated by another image with the same volumes', { timeout: BUILD_MS }, async () => {
  await stop('TERM');
  container.remove();
  const context = makeFolder();
  const copied = readFileSync(join(ROOT, '.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm);
  for (const [, name = ''] of copied) cpSync(join(ROOT, name), join(context, name), { recursive: true });
  const last = readdirSync(join(context, 'db/migrations')).sort().at(-1) ?? '';
  const number = String(Number(last.slice(0, 4)) + 1).padStart(4, '0');
  writeFileSync(join(context, `db/migrations/${number}_next.sql`), 'CREATE TABLE of_next (a TEXT) STRICT;\n');
  buildImage(NEXT, context);
  create(NEXT);
  await start();
  expect(await check()).toContain(ENTRY.name);
});
