/** The files of the snapshots as answers. */
import { areOutdated } from '#src/entries/snapshots/read-snapshots.ts';
import type { Database } from '#src/db/database.ts';
import { JSON_TYPE } from '#src/http/api-headers.ts';
import { compress } from '#src/http/content-encoding.ts';
import type { Reply } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';

/** The worker publishes again within a minute at the latest. */
const RETRY_SECONDS = 10;

/** @throws {ApiError} while the snapshots may not be given out */
export async function replyWithFile(db: Database, body: Buffer): Promise<Reply> {
  if (await areOutdated(db, Date.now())) throw new ApiError('snapshots_remade', { seconds: RETRY_SECONDS });
  return { body, contentType: JSON_TYPE, form: (encoding) => compress(body, encoding) };
}
