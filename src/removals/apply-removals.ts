/** Applies removals that were made after a restored backup. */
import { readLogHead } from '../changes/log-head.ts';
import { unknownRemovals, type Removal, type RemovalKind } from './removals.ts';
import { sqlBuilder, type Database } from '../db/database.ts';
import { readContent } from '../entries/contents.ts';
import { toWrite, type EntryRow, type EntryWrite } from '../entries/entry-row.ts';
import { LOST_NAME } from '../entries/former-names.ts';
import { REMOVAL_REASONS } from './removal-reasons.ts';
import { removeEntries } from './remove-entries.ts';
import { writeEntries } from '../entries/write-entries.ts';

export const LOST_REASON = 'Opis tego wpisu nie zachował się po odtworzeniu danych z kopii zapasowej.';

const LOST_REASON_HTML = `<p>${LOST_REASON}</p>`;

export interface AppliedRemovals {
  readonly removed: readonly string[];
  readonly namesHidden: readonly string[];
  readonly reasonsHidden: readonly string[];
  /** All proofs, because the backup does not tell which were removed later. */
  readonly proofsRemoved: readonly string[];
  readonly proofsMadePrivate: readonly string[];
}

interface Fate {
  /** Kinds that apply to the entry, if it stays. */
  readonly kinds: Set<RemovalKind>;
  /** The last removal, unless the entry was added again. */
  gone: Removal | undefined;
}

/** An entry that was removed and added again stays, without its earlier text and proofs. */
export function applyRemovals(db: Database, removals: readonly Removal[], now: number): AppliedRemovals {
  const { seq: preparedAt } = readLogHead(db);
  const fates = [...decideFates(unknownRemovals(db, removals))].flatMap(([entry_id, { kinds, gone }]) => {
    const row = db.first(sqlBuilder.selectFrom('entries').selectAll().where('entry_id', '=', entry_id));
    if (!row) return [];
    if (row.proofs === 'none') kinds.delete('proofs');
    if (row.proofs !== 'public' || kinds.has('proofs')) kinds.delete('private');
    return [{ row, kinds, gone }];
  });
  const staying = fates.filter(({ gone }) => !gone);
  const writes = staying
    .filter(({ kinds }) => kinds.size > 0)
    .map(({ row, kinds }) => withdraw(db, row, kinds, now));
  if (writes.length > 0) writeEntries(db, writes, { preparedAt, now, how: 'restore' });
  removeEntries(
    db,
    fates.flatMap(({ row, gone }) => {
      const reason_code = REMOVAL_REASONS.find((code) => code === gone?.reason_code) ?? 'other';
      return gone ? { ...row, reason_code, at: gone.at } : [];
    }),
  );
  const listOf = (kind: RemovalKind): string[] =>
    staying.filter(({ kinds }) => kinds.has(kind)).map(({ row }) => row.entry_id);
  return {
    removed: fates.filter(({ gone }) => gone).map(({ row }) => row.entry_id),
    namesHidden: listOf('name'),
    reasonsHidden: listOf('reason'),
    proofsRemoved: listOf('proofs'),
    proofsMadePrivate: listOf('private'),
  };
}

function decideFates(removals: readonly Removal[]): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const removal of removals) {
    const { entry_id, what } = removal;
    const fate = fates.get(entry_id) ?? { kinds: new Set(), gone: undefined };
    fates.set(entry_id, fate);
    if (what === 'returned') fate.gone = undefined;
    else fate.kinds.add(what);
    if (what !== 'entry') continue;
    fate.gone = removal;
    fate.kinds.add('reason').add('proofs');
  }
  return fates;
}

function withdraw(
  db: Database,
  row: EntryRow,
  kinds: ReadonlySet<RemovalKind>,
  updated_at: number,
): EntryWrite {
  const content = {
    ...readContent(db, row.row),
    ...(kinds.has('reason') && { reason: LOST_REASON, descHtml: LOST_REASON_HTML }),
    ...(kinds.has('proofs') && { proofItems: [] }),
  };
  const proofs = kinds.has('proofs') ? 'none' : kinds.has('private') ? 'private' : row.proofs;
  const name = kinds.has('name') ? LOST_NAME : row.name;
  // Former names in the backup are older than the redaction. An entry that was removed and added again lost its own.
  const formerNames = kinds.has('name') || kinds.has('entry') ? 'erase' : 'unchanged';
  return { ...toWrite(row), name, proofs, updated_at, content, withdrawsReplaced: true, formerNames };
}
