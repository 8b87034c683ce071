/** The clock, the Litecoin node's clock and the outside services, asked as the status page asks them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { createLitecoinCore } from '../../outbound/litecoin-core.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { OutageLog } from '../../outbound/outage-log.ts';
import { createSampler } from '../../status/take-sample.ts';
import { fine, notice, wrong, type Found } from './finding.ts';

const NODE_OFF_MAX_SECONDS = 60;
const WAIT_MS = 5_000;
const SET_IT = 'let systemd-timesyncd or chrony set the clock (timedatectl set-ntp true)';

/** @returns nothing where no systemd answers */
export async function checkClock(): Promise<Found[]> {
  const asked = promisify(execFile)('timedatectl', ['show', '-p', 'NTPSynchronized', '--value'], {
    timeout: WAIT_MS,
  });
  const answer = await asked.then(({ stdout }) => stdout.trim()).catch(() => '');
  if (answer === 'yes') return [fine('is set from the network')];
  // Some time services set the clock without telling the kernel.
  return answer === 'no' ? [notice('is not set from the network, as far as systemd knows', SET_IT)] : [];
}

export async function checkNodeClock({ litecoin }: Config, outbound: Outbound): Promise<Found[]> {
  if (!litecoin.rpc) return [];
  const answer = z.object({ timeoffset: z.int() });
  const { timeoffset } = await createLitecoinCore(outbound, litecoin.rpc).call('getnetworkinfo', [], answer);
  const shown = `the node's peers are ${Math.abs(timeoffset)} s ${timeoffset < 0 ? 'behind' : 'ahead of'} its clock`;
  return [Math.abs(timeoffset) > NODE_OFF_MAX_SECONDS ? wrong(shown, SET_IT) : fine(shown)];
}

export async function checkOutside(config: Config, outbound: Outbound): Promise<Found[]> {
  const reasons = new Map<string, string>();
  const outages: OutageLog = {
    failed: (part, error) => void reasons.set(part, (error as Error).message),
    succeeded: () => {},
  };
  const { checks, bots } = await createSampler({ settings: config, outbound, outages })(() => {});
  const asked = [
    ...checks.filter(({ id, latencyMs }) => id !== 'database' && latencyMs > 0),
    ...bots.filter(({ state }) => state !== 'not_configured'),
  ];
  return asked.map(({ id, ok }) => {
    const says = `is not well: ${reasons.get(id) ?? 'it does not run'}`;
    const found = ok
      ? fine('answers')
      : wrong(says, 'is its address in the settings right, and does it run?');
    return { about: id, ...found };
  });
}
