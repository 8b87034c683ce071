import type { Database } from '../db/database.ts';
import { createProofFileKeeper, findNamed } from '../proofs/keep-proof-files.ts';
import { hashRemovedId, readRemovedKey } from '../removals/removed-key.ts';
import { VerbError } from '../verb-error.ts';
import type { ListKind } from './entry.ts';
import type { ImportRecordInput } from './import-record.ts';
import type { StagingOptions, LineProblem } from './staging-session.ts';
import { findRemoval } from './report-numbers.ts';
import { findRowByChatId } from './find-rows.ts';
import { writeOneRecord } from './write-one-record.ts';

interface AddOptions extends Pick<StagingOptions, 'by' | 'refusedHosts'> {
  readonly onNotice: (notice: LineProblem) => void;
  readonly dataFolder: string;
  /** Bytes of files of proofs that have no path, by their name in the record. */
  readonly contents?: ReadonlyMap<string, Buffer>;
  /** Adds again what was removed. */
  readonly bringsBack?: boolean;
}

/**
 * Adds an entry with all its proofs in one transaction. An entry that is there is not changed.
 * @throws {VerbError} `exists`, `removed`, or `invalid` with every problem of the record
 */
export async function addEntry(
  db: Database,
  list: ListKind,
  record: ImportRecordInput,
  { dataFolder, contents, bringsBack = false, ...options }: AddOptions,
): Promise<void> {
  const check = (): void => refuseKnown(db, list, record, bringsBack);
  // Before pictures are made for nothing.
  check();
  const how = { ...options, checkFirst: check, isRepeatable: true };
  if (!record.proofs) return writeOneRecord(db, list, () => ({ record }), how);
  using files = createProofFileKeeper(db, dataFolder, { find: (name) => findNamed(name, contents) });
  await writeOneRecord(db, list, () => ({ record }), { ...how, files });
}

function refuseKnown(
  db: Database,
  list: ListKind,
  { id, reportId: number }: ImportRecordInput,
  bringsBack: boolean,
): void {
  const row = findRowByChatId(db, list, id);
  if (row) {
    const { report_id: reportId } = row;
    throw new VerbError(
      'exists',
      `${list} has an entry with the ID ${id} already: ${reportId}; "proofs add" and "entry edit --append" add to it`,
      { reportId },
    );
  }
  const key = readRemovedKey(db.path);
  const idHash = key && hashRemovedId(key, list, id);
  const removal = findRemoval(db, idHash, number);
  if (!removal || bringsBack) return;
  const removedAt = new Date(removal.at).toISOString();
  const what = removal.idHash === idHash ? id : number;
  throw new VerbError(
    'removed',
    `${what} was removed from ${removal.list} (${removal.reason}, ${removedAt.slice(0, 10)}); --yes adds it again`,
    { removedAt, reasonCode: removal.reason },
  );
}
