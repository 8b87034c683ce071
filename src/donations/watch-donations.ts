/** The worker's watch over donations: which source is asked, how often, and what follows from it. */
import type { Database } from '../db/database.ts';
import { createEsplora } from '../outbound/esplora.ts';
import { createJsonRpc } from '../outbound/json-rpc.ts';
import type { RpcLogin } from '../outbound/json-rpc.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { evaluateDonations, hasOpenDonations } from './evaluate-donations.ts';
import type { Network } from './litecoin-network.ts';
import { findLook, IDLE_POLL_MS, recordLook } from './watched.ts';
import { pollExplorer } from './watch-explorer.ts';
import { createNodeWatch } from './watch-node.ts';
import type { PollContext } from './poll-context.ts';

/** One source: where both are set, the node. */
export interface WatchSettings {
  readonly network: Network;
  readonly rpc: { readonly url: string; readonly login: RpcLogin | undefined } | undefined;
  readonly esploraUrl: string | undefined;
  /** Bound of one answer of the node. */
  readonly deadlineMs?: number;
}

export interface WatchContext {
  readonly db: Database;
  readonly write: <T>(change: () => T) => T;
  readonly signal: AbortSignal;
  /** Told when a source fails. */
  readonly warn: (source: string, error: unknown) => void;
}

export interface WatchReport {
  /** `none`: nothing was asked, because nothing is set, nothing is open, or nobody answered. */
  readonly source: 'node' | 'explorer' | 'none';
  /** Donations that went to another status. */
  readonly moved: number;
  readonly tip?: number;
  /** False while the node is behind the network. */
  readonly isCurrent?: boolean;
}

export interface DonationWatch {
  /** Meant to be called every POLL_MS. Never throws for a source that fails. */
  run(context: WatchContext): Promise<WatchReport>;
}

/** While a donation is open. A page shows what happened within 25 s also when one poll in between fails. */
export const POLL_MS = 10_000;
/** An explorer belongs to somebody else, and is asked half as often; cron may call a little early. */
const EXPLORER_POLL_MS = 2 * POLL_MS - POLL_MS / 2;
const DEADLINE_MS = 30_000;
/** A whole block with its transactions, and its bytes in hex. */
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
      // Time alone changes nothing.
      if (source === 'none') return report;
      const moved = write(() => {
        if (source === 'node' && isCurrent) recordLook(db, startedAt);
        return evaluateDonations(db, { tip, lookedAt: findLook(db), now: now() });
      });
      return { ...report, moved };
    },
  };
}
