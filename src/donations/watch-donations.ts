/** The worker's watch over donations: which source is asked, how often, and what follows from it. */
import type { Database } from '../db/database.ts';
import { createEsplora } from '../outbound/esplora.ts';
import { createJsonRpc } from '../outbound/json-rpc.ts';
import type { RpcLogin } from '../outbound/json-rpc.ts';
import { createOutbound } from '../outbound/outbound.ts';
import type { Donation } from './donation.ts';
import { evaluateDonations, hasOpenDonations } from './evaluate-donations.ts';
import type { Network } from './litecoin-network.ts';
import { pollExplorer } from './watch-explorer.ts';
import { createNodeWatch } from './watch-node.ts';
import type { PollContext } from './watch-node.ts';

export interface WatchSettings {
  readonly network: Network;
  readonly rpc: { readonly url: string; readonly login: RpcLogin | undefined } | undefined;
  readonly esploraUrl: string | undefined;
  /** Of one answer of the node. */
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
}

export interface DonationWatch {
  /** Meant to be called every 20 seconds. Never throws for a source that fails. */
  run(context: WatchContext): Promise<WatchReport>;
}

/** While no donation is open, the node is asked this often: late payments are seen, and no backlog grows. */
const IDLE_POLL_MS = 5 * 60_000;
/** Missed polls are made good by the next one; only a longer silence is worth a word to the donor. */
const UNWATCHED_AFTER_MS = 2 * 60_000;
const DEADLINE_MS = 30_000;
/** A whole block with its transactions, and its bytes in hex. */
const BODY_MAX_BYTES = 64 * 1024 * 1024;
const WATCHED_PROPERTY = 'litecoin.watched_at';

/** @param now epoch milliseconds */
export function createDonationWatch(settings: WatchSettings, now: () => number = Date.now): DonationWatch {
  const outbound = createOutbound();
  const { rpc, esploraUrl, network } = settings;
  const node =
    rpc &&
    createNodeWatch(
      createJsonRpc(outbound, {
        ...rpc,
        version: '1.0',
        deadlineMs: settings.deadlineMs ?? DEADLINE_MS,
        bodyMaxBytes: BODY_MAX_BYTES,
      }),
      network,
    );
  const esplora = esploraUrl === undefined ? undefined : createEsplora(outbound, esploraUrl);
  let askedAt = -Infinity;

  const askSources = async (poll: PollContext, warn: WatchContext['warn']): Promise<WatchReport> => {
    if (node) {
      try {
        const { tip } = await node.poll(poll);
        return { source: 'node', tip, moved: 0 };
      } catch (error) {
        poll.signal.throwIfAborted();
        warn('node', error);
      }
    }
    if (esplora && hasOpenDonations(poll.db)) {
      try {
        const { tip } = await pollExplorer(esplora, poll);
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
      if (!isOpen && now() - askedAt < IDLE_POLL_MS) return { source: 'none', moved: 0 };
      askedAt = now();
      const report = await askSources({ db, write, signal, now }, warn);
      const moved = write(() => {
        if (report.source !== 'none') {
          db.statement('INSERT OR REPLACE INTO properties (key, value) VALUES (?, ?)').run(
            WATCHED_PROPERTY,
            String(now()),
          );
        }
        // Also when nobody answered: time passes.
        return evaluateDonations(db, report.tip ?? findTip(db), now());
      });
      return { ...report, moved };
    },
  };
}

/**
 * Since when nobody has told of the chain, epoch milliseconds; undefined when that is not long, when the donation needs
 * nothing of the chain any more, or when no source is set.
 */
export function findUnwatchedSince(
  db: Database,
  { status }: Pick<Donation, 'status'>,
  now: number,
): number | undefined {
  if (status === 'forwarded' || status === 'failed') return undefined;
  const row = db
    .statement<{ value: string }>('SELECT value FROM properties WHERE key = ?')
    .get(WATCHED_PROPERTY);
  const watchedAt = row && Number(row.value);
  // While no donation was open, nobody was asked for longer.
  return watchedAt !== undefined && now - watchedAt > IDLE_POLL_MS + UNWATCHED_AFTER_MS
    ? watchedAt
    : undefined;
}

function findTip(db: Database): number | undefined {
  return (
    db.statement<{ tip: number | null }>('SELECT max(height) AS tip FROM litecoin_blocks').get()?.tip ??
    undefined
  );
}
