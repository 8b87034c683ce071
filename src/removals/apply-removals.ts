/** Applies removals that were made after a restored backup. */
import { readLogHead } from '../changes/change-log.ts';
import {
  RETURNED,
  REDACTION,
  unknownRemovalEvents,
  type RemovalEvent,
  type RemovalKind,
} from './removals.ts';
import { sqlBuilder, type Transaction } from '../db/database.ts';
import { readContent, type Content } from '../entries/entry-content.ts';
import {
  type EntryRow,
  type EntryWrite,
  toWrite,
  type Withdrawal,
  WITHDRAWALS,
} from '../entries/entry-row.ts';
import { ERASED_NAME } from '../entries/former-names.ts';
import { toRemovalReason } from './removal-reasons.ts';
import { removeEntries } from './remove-entries.ts';
import { writeEntries } from '../entries/staging-tables.ts';

export const LOST_REASON = 'Opis tego wpisu nie zachował się po odtworzeniu danych z kopii zapasowej.';

const LOST_REASON_HTML = `<p>${LOST_REASON}</p>`;

/** Keys of the report by withdrawn part, and what the entry gets in its place. */
const LOSSES = {
  name: { key: 'namesRedacted', row: { name: ERASED_NAME }, content: {} },
  reason: { key: 'reasonsRedacted', row: {}, content: { reason: LOST_REASON, descHtml: LOST_REASON_HTML } },
  // All proofs, because the backup does not tell which were removed later.
  proofs: { key: 'proofsRemoved', row: { proofs: 'none' }, content: { proofItems: [] } },
  private: { key: 'proofsMadePrivate', row: { proofs: 'private' }, content: {} },
} as const satisfies Record<Withdrawal, { key: string; row: Partial<EntryRow>; content: Partial<Content> }>;

type ReportKey = 'removed' | (typeof LOSSES)[Withdrawal]['key'];
/** Entries by `_id`. */
export type AppliedRemovals = Readonly<Record<ReportKey, readonly string[]>>;

interface Fate {
  /** Kinds that apply to the entry, if it stays. */
  readonly kinds: Set<RemovalKind>;
  erasesNotes: boolean;
  /** The last one, unless the entry was added again. */
  removal: RemovalEvent | undefined;
}

/** An entry that was removed and added again stays, without its earlier text and proofs. */
export function applyRemovals(
  tx: Transaction,
  events: readonly RemovalEvent[],
  now: number,
): AppliedRemovals {
  const { seq: comparedAtSeq } = readLogHead(tx);
  const fates = [...decideFates(unknownRemovalEvents(tx, events))].flatMap(
    ([entry_id, { kinds, ...fate }]) => {
      const row = tx.first(sqlBuilder.selectFrom('entries').selectAll().where('entry_id', '=', entry_id));
      if (!row) return [];
      if (row.proofs === 'none') kinds.delete('proofs');
      if (row.proofs !== 'public' || kinds.has('proofs')) kinds.delete('private');
      return [{ row, kinds, ...fate }];
    },
  );
  const staying = fates.filter(({ removal }) => !removal);
  const writes = staying
    .filter(({ kinds, erasesNotes }) => kinds.size > 0 || erasesNotes)
    .map((fate) => withdraw(tx, fate, now));
  if (writes.length > 0) writeEntries(tx, writes, { comparedAtSeq, now, origin: 'restore' });
  removeEntries(
    tx,
    fates.flatMap(({ row, removal }) =>
      removal ? { ...row, reason_code: toRemovalReason(removal.reason_code), at: removal.at } : [],
    ),
  );
  const idsOf = (some: typeof fates): string[] => some.map(({ row }) => row.entry_id);
  return Object.fromEntries([
    ['removed', idsOf(fates.filter(({ removal }) => removal))],
    ...WITHDRAWALS.map((kind) => [LOSSES[kind].key, idsOf(staying.filter(({ kinds }) => kinds.has(kind)))]),
  ]) as AppliedRemovals;
}

function decideFates(events: readonly RemovalEvent[]): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const event of events) {
    const { entry_id, what, reason_code } = event;
    const fate = fates.get(entry_id) ?? { kinds: new Set(), erasesNotes: false, removal: undefined };
    fates.set(entry_id, fate);
    if (what === RETURNED) fate.removal = undefined;
    else fate.kinds.add(what);
    fate.erasesNotes ||= what === 'entry' || what === 'reason' || reason_code === REDACTION;
    if (what !== 'entry') continue;
    fate.removal = event;
    fate.kinds.add('reason').add('proofs');
  }
  return fates;
}

function withdraw(
  tx: Transaction,
  { row: entry, kinds, erasesNotes }: Omit<Fate, 'removal'> & { readonly row: EntryRow },
  updated_at: number,
): EntryWrite {
  const losses = WITHDRAWALS.filter((kind) => kinds.has(kind)).map((kind) => LOSSES[kind]);
  const content = Object.assign(readContent(tx, entry.row), ...losses.map((loss) => loss.content)) as Content;
  const kept = Object.assign({}, entry, ...losses.map((loss) => loss.row)) as EntryRow;
  // The appeal was against the entry of before.
  if (kinds.has('entry')) tx.run(sqlBuilder.deleteFrom('appeals').where('row', '=', entry.row));
  // Former names in the backup are older than the redaction. An entry that was removed and added again lost its own.
  const formerNames = kinds.has('name') || kinds.has('entry') ? 'erase' : 'unchanged';
  return {
    ...toWrite(kept),
    updated_at,
    content,
    recordedWithdrawals: [...kinds].filter((kind) => kind !== 'entry'),
    formerNames,
    erasesNotes,
  };
}
