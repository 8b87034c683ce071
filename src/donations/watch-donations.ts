/** The worker's monitoring of donations: which source it asks, how often, and what follows. */
import type { Config } from '../config.ts';
import { createEsplora } from '../outbound/esplora.ts';
import { createLitecoinCore } from '../outbound/litecoin-core.ts';
import { createOutbound } from '../outbound/outbound.ts';
import type { OutageLog } from '../outbound/outage-log.ts';
import { evaluateDonations } from './evaluate-donations.ts';
import type { PollContext } from './poll-context.ts';
import { createExplorerPoll } from './watch-explorer.ts';
import { createNodePoll } from './watch-node.ts';

interface WatchContext extends Omit<PollContext, 'now'> {
  readonly outages: OutageLog;
}

/** As the log names it. */
const PART = 'donations';
/** Pages are at most 25 s late, also after one failed poll. */
export const POLL_MS = 10_000;
/** Someone else's explorer is asked half as often; half a poll earlier, because cron may be early. */
const EXPLORER_PAUSE_MS = 2 * POLL_MS - POLL_MS / 2;
/** For a block with all its transactions. */
const NODE_DEADLINE_MS = 30_000;

export type WatchReport = Awaited<ReturnType<ReturnType<typeof createDonationWatch>>>;

/**
 * @param now epoch milliseconds
 * @returns polls the source, every POLL_MS, and counts donations with a new status; a failing source does not throw, and is
 * `none` like a source that was not asked
 */
export function createDonationWatch(settings: Config['litecoin'], now: () => number = Date.now) {
  const source = createSource(settings);
  let askedAt = -Infinity;

  return async ({ db, write, signal, outages }: WatchContext) => {
    const nothing = { source: 'none', moved: 0 } as const;
    const waitedMs = now() - askedAt;
    // The clock may have been set back.
    if (!source || (waitedMs >= 0 && waitedMs < source.pauseMs)) return nothing;
    askedAt = now();
    const chain = await source.poll({ db, write, signal, now }).catch((error: unknown) => {
      signal.throwIfAborted();
      outages.failed(PART, error);
    });
    // A donation never changes by time alone.
    if (!chain) return nothing;
    if (chain.problem === undefined) outages.succeeded(PART);
    else outages.failed(PART, chain.problem);
    return { source: source.name, moved: write((tx) => evaluateDonations(tx, chain, now())) };
  };
}

function createSource({ network, rpc, esploraUrl }: Config['litecoin']) {
  const outbound = createOutbound();
  if (rpc) {
    const node = createLitecoinCore(outbound, { deadlineMs: NODE_DEADLINE_MS, ...rpc });
    return { name: 'node', pauseMs: 0, poll: createNodePoll(node, network) } as const;
  }
  if (esploraUrl === undefined) return undefined;
  const poll = createExplorerPoll(createEsplora(outbound, esploraUrl));
  return { name: 'explorer', pauseMs: EXPLORER_PAUSE_MS, poll } as const;
}
