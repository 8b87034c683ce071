import { isOutdated } from '#src/entries/snapshots/manifest.ts';
import type { Database } from '#src/db/database.ts';
import { ApiError } from '#src/http/response.ts';

/** The worker publishes again within a minute at the latest. */
export const RETRY_SECONDS = 10;

/**
 * @param cursor of what is published
 * @throws {ApiError} while the snapshots may not be given out
 */
export function refuseOutdated(db: Database, cursor: string | undefined): void {
  if (isOutdated(db, cursor, Date.now())) throw new ApiError('snapshots_remade', { seconds: RETRY_SECONDS });
}
