/** Changes the proofs of an entry and who may see them. It writes like an import. */
import type { Database } from '../db/database.ts';
import { listProofItems } from '../entries/contents.ts';
import type { ListKind } from '../entries/entry.ts';
import { toImportRecord } from '../entries/export-records.ts';
import { getRow } from '../entries/find-rows.ts';
import type { ImportRecordInput } from '../entries/import-record.ts';
import type { StagingOptions } from '../entries/staging-session.ts';
import { writeOneRecord } from '../entries/write-one-record.ts';
import { BadInputError } from '../verb-error.ts';
import { createProofFileKeeper, findNamed, type NamedFile } from './keep-proof-files.ts';

type Proofs = NonNullable<ImportRecordInput['proofs']>;

export interface ProofsChange {
  /** Gets the proofs that there are, undefined when there are none. */
  readonly edit: (before: Proofs | undefined) => Proofs;
  /** Another's change does not alter what this one does. */
  readonly isRepeatable: boolean;
}

/**
 * Adds a proof after the others.
 * @param isPrivate undefined: as the others, the first one private
 */
export function addProof(item: Proofs['items'][number], isPrivate: boolean | undefined): ProofsChange {
  const edit = (before: Proofs | undefined): Proofs => ({
    private: isPrivate ?? before?.private ?? true,
    items: [...(before?.items ?? []), item],
  });
  return { edit, isRepeatable: true };
}

/** @param number which one, from 1; undefined: all */
export function removeProofs(number: number | undefined): ProofsChange {
  const edit = (before: Proofs | undefined): Proofs => {
    if (!before) throw new BadInputError('the entry has no proofs');
    if (number !== undefined && number > before.items.length)
      throw new BadInputError(`there is no proof ${number}; the entry has ${before.items.length}`);
    const items = number === undefined ? [] : before.items.toSpliced(number - 1, 1);
    return { private: items.length > 0 && before.private, items };
  };
  return { edit, isRepeatable: false };
}

export function hideProofs(isPrivate: boolean): ProofsChange {
  const edit = (before: Proofs | undefined): Proofs => {
    if (!before || (before.items.length === 0 && !isPrivate))
      throw new BadInputError('the entry has no proofs; add one with "proofs add"');
    return { ...before, private: isPrivate };
  };
  return { edit, isRepeatable: true };
}

interface ChangeOptions extends Pick<StagingOptions, 'by' | 'refusedHosts'> {
  readonly dataFolder: string;
  /** Bytes of files that have no path, by their name in the record. */
  readonly contents?: ReadonlyMap<string, Buffer> | undefined;
  /** Runs a step, which takes back what it did when it throws; the caller may try it again. */
  readonly attempt?: (step: () => Promise<void>) => Promise<void>;
}

/** @param name chat ID, report number or `_id` of the entry */
export async function changeProofs(
  db: Database,
  list: ListKind,
  name: string,
  { edit, isRepeatable }: ProofsChange,
  { dataFolder, contents, attempt = (step) => step(), ...options }: ChangeOptions,
): Promise<void> {
  let wasPublic = false;
  /** Names of stored files by their placeholders in the record. */
  let kept = new Map<string | null, string | null>();
  const find = (file: string, isPublic: boolean): NamedFile => {
    const fileName = kept.get(file);
    if (fileName === undefined) return findNamed(file, contents);
    // Nothing is made of it, so that proofs with a lost file can be hidden and removed.
    return { sha256: file, fileName, asItIs: !isPublic || wasPublic };
  };
  const files = createProofFileKeeper(db, dataFolder, { find });
  const read = () => {
    const row = getRow(db, list, name);
    const record = toImportRecord(db, row, (item) => item.fileSha256 ?? undefined);
    wasPublic = row.proofs === 'public';
    kept = new Map(listProofItems(db, row.row).map((item) => [item.fileSha256, item.fileName]));
    return { record: { ...record, proofs: edit(record.proofs) } };
  };
  try {
    const how = { ...options, isRepeatable, withdraws: ['proofs'] as const, files };
    await attempt(() => writeOneRecord(db, list, read, how));
  } finally {
    await attempt(async () => files.finish());
  }
}
