/** Composition root of the web process: what endpoints get as `services` and pages as Astro.locals.services. */
import { performance } from 'node:perf_hooks';
import { avatarsFolder, openAvatarStore } from './avatars/avatar-store.ts';
import { createAvatars } from './avatars/avatars.ts';
import type { Avatars } from './avatars/avatars.ts';
import { createPlatformAvatars } from './avatars/platform-avatars.ts';
import type { Config, DonationSettings, Operator } from './config.ts';
import type { Database } from './db/database.ts';
import { readCreationTime } from './db/migrate.ts';
import { openReader } from './db/reader.ts';
import { createSearchPool } from './search/search-pool.ts';
import type { SearchPool } from './search/search-pool.ts';
import { createLists } from './lists/lists.ts';
import type { Lists } from './lists/lists.ts';
import { createViewCounter } from './entries/count-views.ts';
import type { ViewCounter } from './entries/count-views.ts';
import { createChangeEvents } from './entries/change-events.ts';
import { createLogStreams } from './http/log-streams.ts';
import type { LogStreams } from './http/log-streams.ts';
import { findPageVersion } from './donations/watched.ts';
import { createTroubleLog } from './log.ts';
import type { Log } from './log.ts';
import { createOutbound } from './outbound/outbound.ts';
import { createDatabaseCheck } from './status/check-database.ts';
import { createStatusReader } from './status/read-status.ts';
import type { ReadStatus } from './status/read-status.ts';
import { createSampler } from './status/take-sample.ts';

export interface Services {
  /** Opened for reading: the worker and the operator's commands are the writers. */
  readonly db: Database;
  /** Folder of the database, with the files beside it. */
  readonly dataFolder: string;
  readonly log: Log;
  readonly baseUrl: string;
  /** When the database was made, epoch milliseconds. @throws when it cannot be read */
  readonly createdAt: () => number;
  readonly operator: Operator;
  /** Changes of the lists for whoever listens. */
  readonly changeStreams: LogStreams;
  /** Searches in the lists, in threads. */
  readonly searches: SearchPool;
  /** Pages of lists, entries by ID and the check. */
  readonly lists: Lists;
  readonly readStatus: ReadStatus;
  readonly avatars: Avatars;
  readonly views: ViewCounter;
  /** Differs with every change of what a donation's page says; undefined when there is none with this ID. */
  readonly findDonationVersion: (id: string) => string | undefined;
  /** Whether the settings name a node or an explorer, so that somebody can look after donations. */
  readonly hasChainSource: boolean;
  /** Texts and links of the donation pages. */
  readonly donations: DonationSettings;
  close(): Promise<void>;
}

/** @throws {SchemaError} when the database is not one that this version may serve */
export function createServices(
  config: Config,
  log: Log,
  monotonicNow: () => number = () => performance.now(),
  searches: SearchPool = createSearchPool({
    databasePath: config.databasePath,
    onThreadEnd: (error) => log.error({ err: error }, 'search thread ended'),
  }),
): Services {
  const db = openReader(config.databasePath, (error) =>
    log.error({ err: error }, 'database cannot be opened'),
  );
  const views = createViewCounter(db, {
    now: monotonicNow,
    onFailure: (error) => log.warn({ err: error }, 'views cannot be counted'),
  });
  const lists = createLists(db, searches);
  const hasChainSource = config.litecoin.rpc !== undefined || config.litecoin.esploraUrl !== undefined;
  const outbound = createOutbound();
  const takeSample = createSampler({
    settings: config,
    outbound,
    ...createTroubleLog(log),
  });
  const reportStore = (error: unknown): void => log.warn({ err: error }, 'avatars cannot be kept');
  const avatarTrouble = createTroubleLog(log);
  let avatarReason: string | undefined;
  return {
    db,
    dataFolder: config.dataFolder,
    log,
    baseUrl: config.baseUrl,
    createdAt: () => readCreationTime(db),
    operator: config.operator,
    changeStreams: createLogStreams(createChangeEvents(db)),
    searches,
    lists,
    findDonationVersion: (id) => findPageVersion(db, id, hasChainSource, Date.now()),
    hasChainSource,
    donations: config.donations,
    readStatus: createStatusReader(db, takeSample, createDatabaseCheck(db), {
      wall: Date.now,
      monotonic: monotonicNow,
    }),
    avatars: createAvatars({
      store: openAvatarStore(avatarsFolder(config.dataFolder), config.avatarsMaxBytes, reportStore),
      platform: config.avatarPlatform && createPlatformAvatars(outbound, config.avatarPlatform),
      report: (error) => {
        const reason = error instanceof Error ? error.message : 'unknown';
        if (reason !== avatarReason) avatarTrouble.report('avatars', reason);
        avatarReason = reason;
      },
      fetched: () => {
        if (avatarReason !== undefined) avatarTrouble.recovered('avatars');
        avatarReason = undefined;
      },
    }),
    views,
    close: async () => {
      views.close();
      outbound.close();
      await searches.close();
      db.close();
    },
  };
}
