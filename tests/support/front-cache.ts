/** nginx, Varnish and Caddy with the configurations that are shipped, on free ports and in a folder of the test. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { vi } from 'vitest';
import { makeFolder } from './temporary-database.ts';

const DEPLOY = join(import.meta.dirname, '../../scripts/deploy');

export const FRONT_CACHES = { nginx: startNginx, Varnish: startVarnish };
/** Those that keep nothing too. */
export const FRONT_PROXIES = { ...FRONT_CACHES, Caddy: startCaddy };

/** @param service its port. @returns the port of the cache, which ends with the worker that runs the test file */
async function startNginx(service: number): Promise<number> {
  const folder = makeFolder();
  const port = await findPort();
  const shipped = fill('nginx.conf', {
    '127.0.0.1:4321': `127.0.0.1:${service}`,
    '  listen 80;': `  listen 127.0.0.1:${port};`,
    '/var/cache/czujka': join(folder, 'cache'),
  });
  writeFileSync(join(folder, 'czujka.conf'), shipped);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  // Root's workers would be somebody else's, who may not enter the folder.
  const user = process.getuid?.() === 0 ? 'user root root;' : '';
  writeFileSync(
    join(folder, 'main.conf'),
    `${user} daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events { worker_connections 4096; }
     http { access_log off; ${paths} include ${folder}/czujka.conf; }`,
  );
  await run(port, ['nginx', '-p', folder, '-c', join(folder, 'main.conf'), '-e', join(folder, 'error.log')]);
  return port;
}

async function startVarnish(service: number): Promise<number> {
  const folder = makeFolder();
  const port = await findPort();
  const file = join(folder, 'czujka.vcl');
  writeFileSync(file, fill('varnish.vcl', { '.port = "4321"': `.port = "${service}"` }));
  const memory = ['-s', 'malloc,16m'];
  // No jail: its users may not enter the folder.
  const address = ['-j', 'none', '-T', 'none', '-n', join(folder, 'work'), '-a', `127.0.0.1:${port}`];
  await run(port, ['varnishd', '-F', ...address, ...memory, '-f', file]);
  return port;
}

async function startCaddy(service: number): Promise<number> {
  const folder = makeFolder();
  const port = await findPort();
  const file = join(folder, 'Caddyfile');
  const shipped = fill('Caddyfile', {
    'czujka.example {': `http://127.0.0.1:${port} {`,
    'reverse_proxy 127.0.0.1:4321': `reverse_proxy 127.0.0.1:${service}`,
  });
  writeFileSync(file, `{\n\tadmin off\n}\n${shipped}`);
  const command = ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
  await run(port, ['env', `HOME=${folder}`, ...command]);
  return port;
}

/** The shipped file, with what an operator sets. @throws when that is not in it exactly once */
function fill(name: string, values: Readonly<Record<string, string>>): string {
  let text = readFileSync(join(DEPLOY, name), 'utf8');
  for (const [shipped, value] of Object.entries(values)) {
    const lines = text.split('\n');
    const at = lines.flatMap((line, index) => (!/^\s*#/.test(line) && line.includes(shipped) ? [index] : []));
    if (at.length !== 1) throw new Error(`${shipped} is ${at.length} times in ${name}`);
    text = lines.map((line, index) => (index === at[0] ? line.replace(shipped, value) : line)).join('\n');
  }
  return text;
}

/** The system ends it when the process of the tests ends, in whatever way. */
async function run(port: number, command: readonly string[]): Promise<void> {
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...command], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`${command[0]} ended: ${said}`);
      return fetch(`http://127.0.0.1:${port}/favicon.svg`);
    },
    { timeout: 30_000, interval: 50 },
  );
}

/** Below those that the system gives out by itself: until it is taken, nobody gets it by chance. */
export async function findPort(): Promise<number> {
  const server = createServer();
  try {
    server.listen(randomInt(20_000, 32_000), '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return findPort();
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
