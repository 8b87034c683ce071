/** The files of the snapshots as answers. */
import { areOutdated } from '#src/entries/snapshots/read-snapshots.ts';
import type { Database } from '#src/db/database.ts';
import type { HttpResult } from '#src/http/http-result.ts';
import { ApiError } from '#src/http/errors.ts';

/** The worker publishes again within a minute at the latest. */
const RETRY_SECONDS = 10;

/** @throws {ApiError} while the snapshots may not be given out */
export async function replyWithFile(db: Database, body: Buffer): Promise<HttpResult> {
  if (await areOutdated(db, Date.now())) throw new ApiError('snapshots_remade', { seconds: RETRY_SECONDS });
  return { body };
}
