/** The worker's monitoring of donations: which source it asks, how often, and what follows. */
import { createEsplora } from '../outbound/esplora.ts';
import { createJsonRpc, type RpcLogin } from '../outbound/json-rpc.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { evaluateDonations, hasOpenDonations } from './evaluate-donations.ts';
import type { Network } from './litecoin-network.ts';
import { findLastScan, IDLE_POLL_MS, recordScan } from './watched.ts';
import type { PollContext } from './poll-context.ts';
import { pollExplorer } from './watch-explorer.ts';
import { createNodeWatch } from './watch-node.ts';

/** With both, the node. */
export interface WatchSettings {
  readonly network: Network;
  readonly rpc: { readonly url: string; readonly login: RpcLogin | undefined } | undefined;
  readonly esploraUrl: string | undefined;
  readonly deadlineMs?: number;
}

export interface WatchContext extends Omit<PollContext, 'now'> {
  readonly warn: (source: string, error: unknown) => void;
}

export interface WatchReport {
  /** `none`: no source was asked, or it failed. */
  readonly source: 'node' | 'explorer' | 'none';
  readonly moved: number;
  readonly tip?: number;
  /** False while the node synchronizes. */
  readonly isCurrent?: boolean;
}

export interface DonationWatch {
  /** Called every POLL_MS. A failing source does not throw. */
  run(context: WatchContext): Promise<WatchReport>;
}

/** With an open donation. Pages are at most 25 s late, also after one failed poll. */
export const POLL_MS = 10_000;
/** Someone else's explorer is asked half as often; half a poll earlier, because cron may be early. */
const EXPLORER_POLL_MS = 2 * POLL_MS - POLL_MS / 2;
const DEADLINE_MS = 30_000;
/** For a block with all its transactions in hex. */
const BODY_MAX_BYTES = 64 * 1024 * 1024;

/** @param now epoch milliseconds */
export function createDonationWatch(settings: WatchSettings, now: () => number = Date.now): DonationWatch {
  const outbound = createOutbound();
  const { rpc, esploraUrl, network } = settings;
  const node =
    rpc &&
    createNodeWatch(
      createJsonRpc(outbound, {
        ...rpc,
        deadlineMs: settings.deadlineMs ?? DEADLINE_MS,
        bodyMaxBytes: BODY_MAX_BYTES,
      }),
      network,
    );
  const esplora = node || esploraUrl === undefined ? undefined : createEsplora(outbound, esploraUrl);
  let askedAt = -Infinity;
  let explorerAskedAt = -Infinity;

  const askSources = async (poll: PollContext, warn: WatchContext['warn']): Promise<WatchReport> => {
    if (node) {
      try {
        const { tip, isCurrent } = await node.poll(poll);
        if (!isCurrent) warn('node', new Error('the node is still catching up with the network'));
        return { source: 'node', tip, isCurrent, moved: 0 };
      } catch (error) {
        poll.signal.throwIfAborted();
        warn('node', error);
      }
    }
    if (esplora && hasOpenDonations(poll.db) && now() - explorerAskedAt >= EXPLORER_POLL_MS) {
      explorerAskedAt = now();
      try {
        const tip = await pollExplorer(esplora, poll);
        return { source: 'explorer', tip, moved: 0 };
      } catch (error) {
        poll.signal.throwIfAborted();
        warn('explorer', error);
      }
    }
    return { source: 'none', moved: 0 };
  };

  return {
    async run({ db, write, signal, warn }) {
      const isOpen = hasOpenDonations(db);
      const startedAt = now();
      if (!isOpen && startedAt - askedAt < IDLE_POLL_MS) return { source: 'none', moved: 0 };
      askedAt = startedAt;
      const report = await askSources({ db, write, signal, now }, warn);
      const { source, tip, isCurrent } = report;
      // A donation never changes by time alone.
      if (source === 'none') return report;
      const moved = write(() => {
        if (source === 'node' && isCurrent) recordScan(db, startedAt);
        return evaluateDonations(db, { tip, scannedAt: findLastScan(db), now: now() });
      });
      return { ...report, moved };
    },
  };
}
