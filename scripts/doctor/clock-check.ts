/** The machine's clock against NTP (RFC 5905, as a simple client) and against what the Litecoin node knows of its peers. */
import { createSocket } from 'node:dgram';
import { z } from 'zod';
import type { Config } from '#src/config.ts';
import { createLitecoinCore } from '#src/outbound/litecoin-core.ts';
import type { Outbound } from '#src/outbound/outbound.ts';
import { fine, messageOf, notice, unknown, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

const ABOUT = 'clock';
const OFF_MAX_SECONDS = 5;
const NODE_OFF_MAX_SECONDS = 60;
const NTP_WAIT_MS = 3_000;
const NTP_PORT = 123;
const PACKET_BYTES = 48;
/** Version 4, client. */
const ASK = 0x23;
const TRANSMIT_AT = 40;
/** From 1900 to 1970. */
const NTP_EPOCH_SECONDS = 2_208_988_800;
const SET_IT = 'let systemd-timesyncd or chrony set the clock (timedatectl set-ntp true)';

/** @param server HOST or HOST:PORT */
export async function checkClock(server: string): Promise<Finding> {
  try {
    const off = Math.round(await readOffset(server));
    const shown = `is ${Math.abs(off)} s ${off < 0 ? 'behind' : 'ahead of'} ${server}`;
    return Math.abs(off) > OFF_MAX_SECONDS ? wrong(ABOUT, shown, SET_IT) : fine(ABOUT, shown);
  } catch (error) {
    return notice(ABOUT, `${server} does not tell the time here: ${messageOf(error)}`);
  }
}

export async function checkNodeClock({ litecoin }: Config, outbound: Outbound): Promise<Finding[]> {
  if (!litecoin.rpc) return [];
  try {
    const { timeoffset } = await createLitecoinCore(outbound, litecoin.rpc).call(
      'getnetworkinfo',
      [],
      z.object({ timeoffset: z.number() }),
    );
    const shown = `the node's peers are ${Math.abs(timeoffset)} s ${timeoffset < 0 ? 'behind' : 'ahead of'} its clock`;
    return [Math.abs(timeoffset) > NODE_OFF_MAX_SECONDS ? wrong(ABOUT, shown, SET_IT) : fine(ABOUT, shown)];
  } catch (error) {
    return [unknown(ABOUT, error)];
  }
}

/** @returns seconds that this clock is ahead; good to the time that the answer takes */
function readOffset(server: string): Promise<number> {
  const [host = '', port = String(NTP_PORT)] = server.split(':');
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      socket.close();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error('no answer'))), NTP_WAIT_MS);
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('message', (answer) => {
      const received = Date.now();
      if (answer.length < PACKET_BYTES) return end(() => reject(new Error('no time in the answer')));
      const seconds = answer.readUInt32BE(TRANSMIT_AT) - NTP_EPOCH_SECONDS;
      const fraction = answer.readUInt32BE(TRANSMIT_AT + 4) / 2 ** 32;
      end(() => resolve(received / 1_000 - (seconds + fraction)));
    });
    const packet = Buffer.alloc(PACKET_BYTES);
    packet.writeUInt8(ASK);
    socket.send(packet, Number(port), host, (error) => {
      if (error) end(() => reject(error));
    });
  });
}
