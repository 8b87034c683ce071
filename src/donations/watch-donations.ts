/** The worker's monitoring of donations: which source it asks, how often, and what follows. */
import { createEsplora } from '../outbound/esplora.ts';
import { createLitecoinCore, type LitecoinCoreSettings } from '../outbound/litecoin-core.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { evaluateDonations, hasOpenDonations } from './evaluate-donations.ts';
import type { Network } from './litecoin-network.ts';
import { findLastScan, IDLE_POLL_MS, recordScan } from './watched.ts';
import type { PollContext } from './poll-context.ts';
import { pollExplorer } from './watch-explorer.ts';
import { createNodePoll } from './watch-node.ts';

/** With both, the node. */
export interface WatchSettings {
  readonly network: Network;
  readonly rpc: LitecoinCoreSettings | undefined;
  readonly esploraUrl: string | undefined;
}

export interface WatchContext extends Omit<PollContext, 'now'> {
  readonly warn: (source: string, error: unknown) => void;
}

export interface WatchReport {
  /** `none`: no source was asked, or it failed. */
  readonly source: 'node' | 'explorer' | 'none';
  readonly tip?: number;
  /** False while the node synchronizes. */
  readonly isCurrent?: boolean;
  /** Number of donations with a new status. */
  readonly moved: number;
}

/** With an open donation. Pages are at most 25 s late, also after one failed poll. */
export const POLL_MS = 10_000;
/** Someone else's explorer is asked half as often; half a poll earlier, because cron may be early. */
const EXPLORER_POLL_MS = 2 * POLL_MS - POLL_MS / 2;
/** For a block with all its transactions. */
const NODE_DEADLINE_MS = 30_000;

/**
 * @param now epoch milliseconds
 * @returns polls the source, called every POLL_MS; a failing source does not throw
 */
export function createDonationWatch(settings: WatchSettings, now: () => number = Date.now) {
  const source = createSource(settings);
  let askedAt = -Infinity;

  return async ({ db, write, signal, warn }: WatchContext): Promise<WatchReport> => {
    const nothing = { source: 'none', moved: 0 } as const;
    const startedAt = now();
    const pauseMs = source?.[hasOpenDonations(db) ? 'openPollMs' : 'idlePollMs'] ?? Infinity;
    if (!source || startedAt - askedAt < pauseMs) return nothing;
    askedAt = startedAt;
    let answer: Awaited<ReturnType<typeof source.poll>>;
    try {
      answer = await source.poll({ db, write, signal, now });
    } catch (error) {
      signal.throwIfAborted();
      warn(source.name, error);
      // A donation never changes by time alone.
      return nothing;
    }
    const { tip, isCurrent } = answer;
    if (!isCurrent) warn(source.name, new Error('the node is still catching up with the network'));
    const moved = write(() => {
      if (source.name === 'node' && isCurrent) recordScan(db, startedAt);
      return evaluateDonations(db, { tip, scannedAt: findLastScan(db), now: now() });
    });
    return { source: source.name, tip, isCurrent, moved };
  };
}

function createSource({ network, rpc, esploraUrl }: WatchSettings) {
  const outbound = createOutbound();
  if (rpc) {
    const node = createLitecoinCore(outbound, { deadlineMs: NODE_DEADLINE_MS, ...rpc });
    return {
      name: 'node',
      openPollMs: 0,
      idlePollMs: IDLE_POLL_MS,
      poll: createNodePoll(node, network),
    } as const;
  }
  if (esploraUrl === undefined) return undefined;
  const explorer = createEsplora(outbound, esploraUrl);
  return {
    name: 'explorer',
    openPollMs: EXPLORER_POLL_MS,
    // It answers by address, so that it has nothing to tell without an open donation.
    idlePollMs: Infinity,
    poll: async (context: PollContext) => ({ tip: await pollExplorer(explorer, context), isCurrent: true }),
  } as const;
}
