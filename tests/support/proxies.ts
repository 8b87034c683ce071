/** nginx and Caddy with the configurations that are shipped, on free ports and in a folder of the test. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { makeCertificate } from './make-certificate.ts';
import { findPort } from './find-port.ts';
import { makeFolder } from './temporary-database.ts';
import { ask } from './test-site.ts';

const START = { timeout: 30_000, interval: 50 };
const DEPLOY = join(import.meta.dirname, '../../scripts/deploy');

/** As install.sh sets them up. */
export const PROXIES = { nginx: startNginxWithTls, Caddy: startCaddy };

interface TlsProxy {
  readonly port: number;
  readonly tlsPort: number;
}

/** @param service its port. @returns the port of nginx, which ends with the worker that runs the test file */
export async function startNginx(service: number): Promise<number> {
  const port = await findPort();
  const shipped = readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8');
  await runNginx(port, fill(shipped, { '  server 127.0.0.1:4321;': `  server 127.0.0.1:${service};` }));
  return port;
}

async function startNginxWithTls(service: number): Promise<TlsProxy> {
  const [port, tlsPort] = [await findPort(), await findPort()];
  const { certFile, keyFile } = makeCertificate('DNS:localhost', 1);
  const installed = readInstalled('nginx', service, { TLS_CERTIFICATE: certFile, TLS_KEY: keyFile });
  const listening = { '  listen 443 ssl http2;': `  listen 127.0.0.1:${tlsPort} ssl http2;` };
  await runNginx(port, fill(installed, listening));
  return { port, tlsPort };
}

async function runNginx(port: number, site: string): Promise<void> {
  const folder = makeFolder();
  const shipped = fill(site, { '  listen 80;': `  listen 127.0.0.1:${port};` });
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
}

async function startCaddy(service: number): Promise<TlsProxy> {
  const [port, tlsPort] = [await findPort(), await findPort()];
  const folder = makeFolder();
  const file = join(folder, 'Caddyfile');
  const ports = `\thttp_port ${port}\n\thttps_port ${tlsPort}\n`;
  const options = `{\n\tadmin off\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n${ports}}\n`;
  writeFileSync(file, `${options}${readInstalled('caddy', service, {})}`);
  const command = ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
  await run(port, ['env', `HOME=${folder}`, ...command]);
  // Caddy makes the certificate after it listens, and refuses connections meanwhile.
  const overTls = { tls: true, headers: { Host: 'localhost' } };
  await vi.waitFor(() => ask(tlsPort, '/favicon.svg', overTls), START);
  return { port, tlsPort };
}

/** The site that install.sh makes of the shipped file. */
function readInstalled(
  proxy: 'nginx' | 'caddy',
  service: number,
  settings: Readonly<Record<string, string>>,
): string {
  const script = `CLONE=$1 SETTINGS_TEXT=$2; declare -A GIVEN
    for part in steps settings proxy; do source "$CLONE/scripts/deploy/install/$part.sh"; done
    parse_settings; ${proxy}_site`;
  const all = { BASE_URL: 'https://localhost', PORT: String(service), ...settings };
  const text = Object.entries(all).map(([name, value]) => `${name}=${value}\n`);
  return execFileSync('bash', ['-euc', script, 'bash', join(DEPLOY, '../..'), text.join('')], {
    encoding: 'utf8',
  });
}

/** A configuration with what an operator sets. @throws when that is not in it exactly once */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [shipped, value]) => {
    const parts = filled.split(shipped);
    if (parts.length !== 2) throw new Error(`${shipped} is ${parts.length - 1} times in the configuration`);
    return parts.join(value);
  }, text);
}

/** The system ends it when the process of the tests ends, in whatever way. */
async function run(port: number, command: readonly string[]): Promise<void> {
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...command], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await vi.waitFor(() => {
    if (child.exitCode !== null) throw new Error(`${command[0]} ended: ${said}`);
    return fetch(`http://127.0.0.1:${port}/favicon.svg`, { redirect: 'manual' });
  }, START);
}
