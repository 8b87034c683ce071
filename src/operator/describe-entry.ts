/** An entry as the operator's verbs show it, with its history: change log, history of proofs, tombstone. */
import { sqlBuilder, type Database } from '../db/database.ts';
import {
  LIST_KINDS,
  type AccountState,
  type PublicEntry,
  type PublicSummary,
  type ListKind,
} from '../entries/entry.ts';
import { findAppeal } from '../entries/appeals.ts';
import type { PublicAppeal } from '../entries/mirror-schema.ts';
import { toImportRecord } from '../entries/export-records.ts';
import { getEntryRow } from '../entries/find-entry-rows.ts';
import { formerNamesOf } from '../entries/former-names.ts';
import { toPublicAppeal } from '../entries/public-entry.ts';
import { listTombstones } from '../removals/tombstones.ts';
import { readRemovedKey } from '../removals/removed-key.ts';
import { print, type Cli } from './console/cli.ts';

export function describeEntry(db: Database, list: ListKind, id: string) {
  const entry = getEntryRow(db, list, id);
  return {
    list,
    _id: entry.entry_id,
    proofsId: entry.proofs_id,
    ...toImportRecord(db, entry),
    appeal: toPublicAppeal(findAppeal(db, entry.row)),
    formerNames: formerNamesOf(db, entry.entry_id),
    updatedAt: new Date(entry.updated_at).toISOString(),
    history: readHistory(db, entry.entry_id),
  };
}

export function formatAppeal(appeal: PublicAppeal | null): string {
  if (!appeal) return 'no appeal';
  const { openedAt, decidedAt, note } = appeal;
  const what = decidedAt === null ? 'open' : `upheld ${decidedAt}: ${note ?? '(redacted)'}`;
  return `appeal from ${openedAt}, ${what}`;
}

export function printEntry(cli: Cli, db: Database, list: ListKind, id: string): void {
  const entry = describeEntry(db, list, id);
  print(cli, entry, `${list}: ${entry.name} (${entry.id}), ${describeMark(entry)}, report ${entry.reportId}`);
}

export function describeMark(
  entry: Pick<PublicSummary, 'verified'> & { account?: AccountState | undefined },
): string {
  return `${entry.verified ? 'verified' : 'risk'}${entry.account === 'hijacked' ? ', hijacked' : ''}`;
}

interface HistoryStep {
  readonly at: string;
  /** `added`, `updated`, `removed`, or `proofs`: the proofs or their visibility changed. */
  readonly op: string;
  /** `edit`, `redaction`, `import`, `undo`, `restore` or `rebuild`, if known. */
  readonly how?: string;
  readonly proofs?: string;
  readonly items?: number;
  /** Why the entry was removed. */
  readonly reason?: string;
  /** Names of the fields that an update changed, as the import format has them. */
  readonly fields?: readonly string[];
  /** The change turned `account` into this, if that is known. */
  readonly account?: PublicEntry['account'];
  /** The operator's name, if known. */
  readonly by?: string;
}

export type Tombstone = ReturnType<typeof findTombstones>[number];

/** In order of time. */
function readHistory(db: Database, entryId: string): HistoryStep[] {
  const reason = db.first(
    sqlBuilder.selectFrom('tombstones').select('reason_code').where('entry_id', '=', entryId),
  )?.reason_code;
  const changes = db.all(
    sqlBuilder
      .selectFrom('changes')
      .leftJoin('change_notes', 'change_notes.seq', 'changes.seq')
      .select(['at', 'op', 'fields', 'by', 'how'])
      .where('entry_id', '=', entryId)
      .orderBy('changes.seq'),
  );
  const proofChanges = db.all(
    sqlBuilder
      .selectFrom('proof_changes')
      .select(['at', 'proofs', 'items'])
      .where('entry_id', '=', entryId)
      .orderBy('change'),
  );
  const accounts = followAccounts(db, entryId, changes);
  const steps = [
    ...changes.map(({ at, op, fields, by, how }, index) => ({
      at,
      op,
      ...(how === null ? {} : { how }),
      ...(fields === null ? {} : { fields: fields.split(' ').filter(Boolean) }),
      ...accounts[index],
      ...(by === null ? {} : { by }),
    })),
    ...proofChanges.map((change) => ({ ...change, op: 'proofs' })),
  ];
  return steps
    .sort((one, other) => one.at - other.at)
    .map(({ at, op, ...more }, index) => ({
      at: new Date(at).toISOString(),
      op,
      ...more,
      // Only the newest removal has left its reason: an entry that came back lost it.
      ...(op === 'removed' && reason !== undefined && index === steps.length - 1 ? { reason } : {}),
    }));
}

/** The log has names of fields, no values; but an account is the owner's or hijacked, so each change turns it round. */
function followAccounts(
  db: Database,
  entryId: string,
  changes: readonly { readonly fields: string | null }[],
): readonly Pick<HistoryStep, 'account'>[] {
  let account = db.first(
    sqlBuilder.selectFrom('entries').select('account').where('entry_id', '=', entryId),
  )?.account;
  const newestFirst = changes.toReversed().map(({ fields }) => {
    // Nothing is known about what came before an unknown change.
    if (fields === null) account = undefined;
    if (!account || !fields?.split(' ').includes('account')) return {};
    const step = { account };
    account = account === 'own' ? 'hijacked' : 'own';
    return step;
  });
  return newestFirst.toReversed();
}

/** @param identifier chat ID, `_id` or report number of a removed entry; the first is known by its hash alone */
export function findTombstones(db: Database, identifier: string) {
  const key = readRemovedKey(db.path);
  const found = LIST_KINDS.flatMap((list) => listTombstones(db, key, list, identifier));
  return found
    .sort((one, other) => one.at - other.at)
    .map(({ list, entryId: _id, reportId, at, reason }) => {
      const removedAt = new Date(at).toISOString();
      return { list, _id, reportId, removedAt, reason, history: readHistory(db, _id) };
    });
}

export function formatHistory(history: readonly HistoryStep[]): string[] {
  return history.map(({ at, op, how, proofs, items, reason, fields, account, by }) => {
    if (op === 'proofs') return `${at} proofs: ${proofs}, ${items}`;
    const shown = account && `account ${account === 'own' ? 'recovered' : account}`;
    const what = reason ?? fields?.map((field) => (field === 'account' && shown) || field).join(', ');
    const kind = how === undefined ? '' : ` (${how})`;
    return `${at} ${op}${kind}${what === undefined ? '' : `: ${what}`}${by === undefined ? '' : `, by ${by}`}`;
  });
}
