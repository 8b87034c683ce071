/** How a Litecoin Core of its own is started in regtest, for the demo and the tests. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Debian's /usr/bin/litecoind is a wrapper that writes into the home folder. */
const PROGRAMS = ['/usr/lib/litecoin/litecoind', '/usr/bin/litecoind'];

/** @returns undefined when litecoind is not installed */
export function findLitecoind(): string | undefined {
  return PROGRAMS.find(existsSync);
}

/** @param folder its data, with the cookie file of its interface; @param port of that interface, on loopback */
export function regtestOptions(folder: string, port: number): string[] {
  return [
    '-regtest',
    `-datadir=${folder}`,
    '-server',
    '-listen=0',
    '-dnsseed=0',
    '-connect=0',
    `-rpcport=${port}`,
    '-rpcbind=127.0.0.1',
    '-rpcallowip=127.0.0.1',
    '-fallbackfee=0.0001',
    '-dbcache=16',
    '-par=1',
    // Block 432 cannot be mined in regtest once MWEB is active, unless coins were moved into it before.
    '-vbparams=mweb:-2:0',
  ];
}

/** A port of loopback that nobody listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
