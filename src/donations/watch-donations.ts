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

/** The configuration sets at most one of the two sources. */
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

/** With an open donation. Pages are at most 25 s late, also after one failed poll. */
export const POLL_MS = 10_000;
/** Someone else's explorer is asked half as often; half a poll earlier, because cron may be early. */
const EXPLORER_POLL_MS = 2 * POLL_MS - POLL_MS / 2;
const DEADLINE_MS = 30_000;
/** For a block with all its transactions in hex. */
const BODY_MAX_BYTES = 64 * 1024 * 1024;

interface Source {
  readonly name: 'node' | 'explorer';
  readonly pollMs: number;
  readonly poll: (context: PollContext) => Promise<{ readonly tip: number; readonly isCurrent: boolean }>;
}

function createSource({ network, rpc, esploraUrl, deadlineMs }: WatchSettings): Source | undefined {
  const outbound = createOutbound();
  if (rpc) {
    const limits = { deadlineMs: deadlineMs ?? DEADLINE_MS, bodyMaxBytes: BODY_MAX_BYTES };
    const { poll } = createNodeWatch(createJsonRpc(outbound, { ...rpc, ...limits }), network);
    return { name: 'node', pollMs: 0, poll };
  }
  if (esploraUrl === undefined) return undefined;
  const esplora = createEsplora(outbound, esploraUrl);
  const poll: Source['poll'] = async (context) => ({
    tip: await pollExplorer(esplora, context),
    isCurrent: true,
  });
  return { name: 'explorer', pollMs: EXPLORER_POLL_MS, poll };
}

export type DonationWatch = ReturnType<typeof createDonationWatch>;

/** @param now epoch milliseconds */
export function createDonationWatch(settings: WatchSettings, now: () => number = Date.now) {
  const source = createSource(settings);
  let polledAt = -Infinity;
  return {
    /** Called every POLL_MS. A failing source does not throw. */
    async run({ db, write, signal, warn }: WatchContext): Promise<WatchReport> {
      const at = now();
      if (!source) return { source: 'none', moved: 0 };
      const pauseMs = hasOpenDonations(db) ? source.pollMs : IDLE_POLL_MS;
      if (at - polledAt < pauseMs) return { source: 'none', moved: 0 };
      polledAt = at;
      const { name, poll } = source;
      let polled: Awaited<ReturnType<typeof poll>>;
      try {
        polled = await poll({ db, write, now, signal });
      } catch (error) {
        signal.throwIfAborted();
        warn(name, error);
        // A donation never changes by time alone.
        return { source: 'none', moved: 0 };
      }
      const { tip, isCurrent } = polled;
      if (!isCurrent) warn(name, new Error('the node is still catching up with the network'));
      const moved = write(() => {
        if (name === 'node' && isCurrent) recordScan(db, at);
        return evaluateDonations(db, { tip, scannedAt: findLastScan(db), now: now() });
      });
      return { source: name, tip, isCurrent, moved };
    },
  };
}
