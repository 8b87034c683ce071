/** Changes the proofs of an entry and who may see them. It writes like an import. */
import type { Database } from '../db/database.ts';
import { listProofItems } from './entry-content.ts';
import type { ListKind } from './entry.ts';
import { BY_SHA256, toImportRecord } from './export-records.ts';
import { getEntryRow } from './find-entry-rows.ts';
import { listFileNames, type ImportRecordInput } from './import-record.ts';
import { writeOneRecord, type ProofOptions } from './write-entry.ts';
import { BadInputError } from '../operator-error.ts';
import { toNamedFiles, ProofStore } from '../proofs/store-proofs.ts';

type Proofs = NonNullable<ImportRecordInput['proofs']>;

export interface ProofsChange {
  /** Gets the proofs that there are, undefined when there are none. */
  readonly edit: (before: Proofs | undefined) => Proofs;
  /** Another's change does not alter what this one does. */
  readonly retriesConflicts: boolean;
}

/**
 * Adds a proof after the others.
 * @param isPrivate undefined: as the others, the first one private
 */
export const addProof = (item: Proofs['items'][number], isPrivate: boolean | undefined): ProofsChange => ({
  retriesConflicts: true,
  edit: (before) => ({
    private: isPrivate ?? before?.private ?? true,
    items: [...(before?.items ?? []), item],
  }),
});

/** @param number which one, from 1; undefined: all */
export const removeProofs = (number: number | undefined): ProofsChange => ({
  retriesConflicts: false,
  edit: (before) => {
    if (!before) throw new BadInputError('the entry has no proofs');
    if (number !== undefined && number > before.items.length)
      throw new BadInputError(`there is no proof ${number}; the entry has ${before.items.length}`);
    const items = number === undefined ? [] : before.items.toSpliced(number - 1, 1);
    return { private: items.length > 0 && before.private, items };
  },
});

export const hideProofs = (isPrivate: boolean): ProofsChange => ({
  retriesConflicts: true,
  edit: (before) => {
    if (!before || (before.items.length === 0 && !isPrivate))
      throw new BadInputError('the entry has no proofs; add one with "proofs add"');
    return { ...before, private: isPrivate };
  },
});

/** @param identifier chat ID, report number or `_id` of the entry */
export async function changeProofs(
  db: Database,
  list: ListKind,
  identifier: string,
  { edit, retriesConflicts }: ProofsChange,
  { bytesByFileName, ...options }: ProofOptions,
): Promise<void> {
  const read = () => {
    const entry = getEntryRow(db, list, identifier);
    const record = toImportRecord(db, entry, BY_SHA256);
    const proofs = edit(record.proofs);
    // Nothing is made of a stored file then, so that proofs with a lost one can be hidden and removed.
    const isUnchecked = proofs.private || entry.proofs === 'public';
    const named = new Map(toNamedFiles(listFileNames({ proofs }), bytesByFileName));
    for (const { fileSha256: sha256, fileName } of listProofItems(db, entry.row))
      if (sha256 !== null) named.set(sha256, { sha256, fileName, isUnchecked });
    return { record: { ...record, proofs }, named };
  };
  using files = new ProofStore(db);
  await writeOneRecord(db, list, read, {
    ...options,
    retriesConflicts,
    recordedWithdrawals: ['proofs'],
    files,
  });
}
