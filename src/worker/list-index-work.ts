/** The list indexes: kept up with the change log and with the views, and their files kept in order. */
import { dirname, join } from 'node:path';
import type { Database } from '../db/database.ts';
import { INDEX_FOLDER } from '../entries/list-indexes/index-files.ts';
import { createListIndexWriter } from '../entries/list-indexes/index-writer.ts';
import type { ListIndexWriter, Write } from '../entries/list-indexes/index-writer.ts';
import type { Follower } from './follow-changes.ts';
import type { Job } from './job.ts';
import type { Lease } from './lease.ts';

const MINUTE_MS = 60_000;

/** One a database handle: what it knows of the indexes stays in memory between the runs. */
const writers = new WeakMap<Database, ListIndexWriter>();

function writerOf(db: Database): ListIndexWriter {
  let writer = writers.get(db);
  if (!writer) {
    writer = createListIndexWriter(db, join(dirname(db.path), INDEX_FOLDER));
    writers.set(db, writer);
  }
  return writer;
}

/** The directory of the indexes knows itself how far they have come. */
export const listIndexFollower: Follower = {
  name: 'list-indexes',
  deadlineMs: 10 * MINUTE_MS,
  run: ({ db, lease, signal }) => writerOf(db).refresh(throughLease(lease), signal),
};

/** What no change tells of: views, a rebuild, and bytes that removed entries have left in files. */
export const listIndexJob: Job = {
  name: 'list-index-upkeep',
  schedule: '*/10 * * * * *',
  deadlineMs: 10 * MINUTE_MS,
  run: async ({ db, lease, signal }) => {
    const writer = writerOf(db);
    const report = await writer.refresh(throughLease(lease), signal);
    await writer.tidy(throughLease(lease), signal);
    return report;
  },
};

/** A worker that has lost its lease writes nothing. */
function throughLease(lease: Lease): Write {
  return (change) => lease.write(change);
}
