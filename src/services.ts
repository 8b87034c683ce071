/** Composition root of the web process. */
import { performance } from 'node:perf_hooks';
import { avatarsFolder, openAvatarStore } from './avatars/avatar-store.ts';
import { API_INFO, ENDPOINTS } from './endpoints.ts';
import { createAvatars } from './avatars/avatars.ts';
import { createPlatformAvatars } from './avatars/platform-avatars.ts';
import { createChangeClock } from './changes/change-log.ts';
import type { Config } from './config.ts';
import { openReader } from './db/reader.ts';
import { createSearchPool, type SearchPool } from './search/search-pool.ts';
import { describeApi, type ApiDocument } from './http/openapi.ts';
import { ListIndexes } from './lists/list-indexes.ts';
import { createListReader } from './lists/list-reader.ts';
import { createViewCounter } from './entries/count-views.ts';
import { listPublicByChatId } from './entries/public-entry.ts';
import { createChangeEvents } from './entries/list-changes.ts';
import { createChangeStreams } from './http/change-streams.ts';
import type { Log } from './log.ts';
import { createOutbound } from './outbound/outbound.ts';
import { createOutageLog } from './outbound/outage-log.ts';
import { createDatabaseCheck } from './status/check-database.ts';
import { createStatusReader } from './status/read-status.ts';
import { createSampler } from './status/take-sample.ts';

/** Endpoints get it as `services`, pages as Astro.locals.services. */
export type Services = ReturnType<typeof createServices>;

/** @throws {SchemaError} when this version may not serve the database */
export function createServices(
  config: Config,
  log: Log,
  monotonicNow: () => number = () => performance.now(),
  searches: SearchPool = createSearchPool({
    databasePath: config.databasePath,
    onTrouble: (error) => log.error({ err: error }, 'searches are in trouble'),
  }),
) {
  const db = openReader(config.databasePath, (error) =>
    log.error({ err: error }, 'database cannot be opened'),
  );
  const views = createViewCounter(db, {
    now: monotonicNow,
    onFailure: (error) => log.warn({ err: error }, 'views cannot be counted'),
  });
  const indexes = new ListIndexes(db);
  const outbound = createOutbound();
  const outages = createOutageLog(log);
  const takeSample = createSampler({ settings: config, outbound, outages });
  const reportStoreFailure = (error: unknown): void => log.warn({ err: error }, 'avatars cannot be kept');
  const isShown = (chatId: string): boolean => listPublicByChatId(db, chatId).length > 0;
  let apiDocument: ApiDocument | undefined;
  return {
    /** Opened for reading: the worker and the operator's commands write. */
    db,
    log,
    baseUrl: config.baseUrl,
    operator: config.operator,
    /** Made at the first call. */
    readApiDocument: () => (apiDocument ??= describeApi(API_INFO, ENDPOINTS, config.baseUrl)),
    changeClock: createChangeClock(db),
    changeStreams: createChangeStreams(createChangeEvents(db)),
    searches,
    indexes,
    listReader: createListReader(db, searches, indexes),
    /** Whether the settings name a node or an explorer, so that donations are monitored. */
    hasChainSource: config.litecoin.rpc !== undefined || config.litecoin.esploraUrl !== undefined,
    donations: config.donations,
    readStatus: createStatusReader(db, takeSample, createDatabaseCheck(db)),
    avatars: createAvatars({
      store: openAvatarStore(avatarsFolder(config.databasePath), config.avatarsMaxBytes, reportStoreFailure),
      platform: config.avatarPlatform && createPlatformAvatars(outbound, config.avatarPlatform, isShown),
      outages,
    }),
    views,
    close: async (): Promise<void> => {
      views.close();
      await searches.close();
      db.close();
    },
  };
}
