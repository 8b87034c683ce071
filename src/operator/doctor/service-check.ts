/** The running service: whether it is ready. */
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { fine, messageOf, wrong, type Found } from './finding.ts';

const WAIT_MS = 5_000;
const answerSchema = z.object({ ready: z.boolean(), reasons: z.array(z.string()) });

/** Asks the configured address, past every proxy; returns nothing when the system chooses the port. */
export async function checkReady({ host, port }: Config): Promise<Found[]> {
  if (port === 0) return [];
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/readyz`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) });
    const { ready, reasons } = answerSchema.parse(await answer.json());
    return ready
      ? [fine(`is ready at ${url}`)]
      : [wrong(`is not ready: ${reasons.join(', ')}`, 'look into its log: journalctl -u czujka')];
  } catch (error) {
    const says = `${url} does not answer as this service does: ${messageOf(error)}`;
    return [wrong(says, 'start the service, or look into its log: journalctl -u czujka')];
  }
}
