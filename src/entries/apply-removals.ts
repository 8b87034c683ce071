/** Applies removals that were made after a restored backup. */
import { readLastChange } from '../changes/append-change.ts';
import { unknownRemovals, type Removal } from '../changes/removals.ts';
import { build, type Database } from '../db/database.ts';
import { findHtml, getReason, listProofItems } from './contents.ts';
import { LIST_KINDS, type ListKind } from './entry.ts';
import { toWrite, type EntryRow, type EntryWrite } from './entry-row.ts';
import { LOST_NAME } from './former-names.ts';
import { REMOVAL_REASONS } from '../changes/removal-reasons.ts';
import { removeEntry, writeEntries } from './write-entries.ts';

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
  isGone: boolean;
  wasRemoved: boolean;
  hidesName: boolean;
  hidesReason: boolean;
  hidesProofs: boolean;
  makesPrivate: boolean;
  reasonCode: string | null;
  at: number;
}

/** An entry that was removed and added again stays, without its earlier text and proofs. */
export function applyRemovals(db: Database, removals: readonly Removal[], now: number): AppliedRemovals {
  const report = {
    removed: [] as string[],
    namesHidden: [] as string[],
    reasonsHidden: [] as string[],
    proofsRemoved: [] as string[],
    proofsMadePrivate: [] as string[],
  };
  const writes = new Map<ListKind, EntryWrite[]>();
  const before = new Map(LIST_KINDS.map((list) => [list, readLastChange(db, list)]));
  const gone: { row: EntryRow; fate: Fate }[] = [];
  for (const [entryId, fate] of decideFates(unknownRemovals(db, removals))) {
    const row = db.first(build.selectFrom('entries').selectAll().where('entry_id', '=', entryId));
    if (!row) continue;
    if (fate.isGone) {
      gone.push({ row, fate });
      report.removed.push(entryId);
      continue;
    }
    const hidesProofs = fate.hidesProofs && row.proofs !== 'none';
    const makesPrivate = fate.makesPrivate && !hidesProofs && row.proofs === 'public';
    if (fate.hidesName) report.namesHidden.push(entryId);
    if (fate.hidesReason) report.reasonsHidden.push(entryId);
    if (hidesProofs) report.proofsRemoved.push(entryId);
    if (makesPrivate) report.proofsMadePrivate.push(entryId);
    if (!fate.hidesName && !fate.hidesReason && !hidesProofs && !makesPrivate) continue;
    const list = row.list;
    const write = withdraw(db, row, { ...fate, hidesProofs, makesPrivate });
    writes.set(list, [...(writes.get(list) ?? []), write]);
  }
  for (const [list, changed] of writes)
    writeEntries(db, list, changed, { preparedAt: before.get(list) ?? 0, now, how: 'restore' });
  for (const { row, fate } of gone) {
    const reason = REMOVAL_REASONS.find((code) => code === fate.reasonCode) ?? 'other';
    removeEntry(db, row.list, row.chat_id, reason, fate.at);
  }
  return report;
}

function decideFates(removals: readonly Removal[]): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const { entryId, what, at, reasonCode } of removals) {
    const fate = fates.get(entryId) ?? {
      isGone: false,
      wasRemoved: false,
      hidesName: false,
      hidesReason: false,
      hidesProofs: false,
      makesPrivate: false,
      reasonCode: null,
      at,
    };
    fates.set(entryId, fate);
    if (what === 'entry') Object.assign(fate, { isGone: true, wasRemoved: true, reasonCode, at });
    if (what === 'returned') fate.isGone = false;
    if (what === 'private') fate.makesPrivate = true;
    if (what === 'name') fate.hidesName = true;
    if (what === 'reason' || what === 'entry') fate.hidesReason = true;
    if (what === 'proofs' || what === 'entry') fate.hidesProofs = true;
  }
  return fates;
}

function withdraw(
  db: Database,
  row: EntryRow,
  { hidesName, hidesReason, hidesProofs, makesPrivate, wasRemoved }: Fate,
): EntryWrite {
  const content = {
    reason: hidesReason ? LOST_REASON : getReason(db, row.row),
    // `restore` renders all texts again.
    descHtml: hidesReason ? LOST_REASON_HTML : (findHtml(db, row.row) ?? ''),
    proofItems: hidesProofs ? [] : listProofItems(db, row.row),
  };
  const proofs = hidesProofs ? 'none' : makesPrivate ? 'private' : row.proofs;
  const name = hidesName ? LOST_NAME : row.name;
  // Former names in the backup are older than the redaction. An entry that was removed and added again lost its own.
  const formerNames = hidesName || wasRemoved ? 'erase' : 'unchanged';
  return { ...toWrite(row), name, proofs, content, erasesReplaced: true, formerNames };
}
