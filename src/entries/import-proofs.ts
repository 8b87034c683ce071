import type { ProofItem } from './contents.ts';
import type { ProofsState } from './entry.ts';
import type { EntryRow } from './entry-row.ts';
import type { ImportRecord } from './import-record.ts';

export type StoredFile =
  | {
      readonly ok: true;
      readonly sha256: string;
      /** The file's name if it differs from the record's. */
      readonly name?: string | null;
    }
  | { readonly ok: false; readonly problem: string };

export type GivenProofs =
  { readonly items: ProofItem[] } | { readonly field: string; readonly problem: string };

export async function toProofItems(
  { items, private: isPrivate }: NonNullable<ImportRecord['proofs']>,
  storeFile: (name: string, isPublic: boolean) => Promise<StoredFile>,
): Promise<GivenProofs> {
  const stored: ProofItem[] = [];
  for (const [index, item] of items.entries()) {
    const file = item.file === undefined ? undefined : await storeFile(item.file, !isPrivate);
    if (file && !file.ok) return { field: `proofs.items[${index}].file`, problem: file.problem };
    stored.push({
      text: item.text ?? null,
      textHtml: null,
      url: item.url ?? null,
      fileSha256: file?.sha256 ?? null,
      fileName: file?.name === undefined ? (item.file ?? null) : file.name,
      caption: item.caption ?? null,
    });
  }
  return { items: stored };
}

export function proofsState(record: ImportRecord, before: EntryRow | undefined): ProofsState {
  if (!record.proofs) return before?.proofs ?? 'none';
  if (record.proofs.private) return 'private';
  return record.proofs.items.length > 0 ? 'public' : 'none';
}
