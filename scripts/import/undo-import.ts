/** `import --undo`: takes an import back in one transaction, but for entries that were withdrawn or changed since. */
import { DAY_MS, forgetImport, listReplaced, UNDO_DAYS, type ReplacedEntry } from '#src/changes/undo-file.ts';
import { build, type Database } from '#src/db/database.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { parseImportRecord, type ImportRecordInput } from '#src/entries/import-record.ts';
import { createImportSession, type ImportProblem } from '#src/entries/import-session.ts';
import { EntryChangedError } from '#src/entries/write-staged-entries.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { createProofFileKeeper } from '#src/proofs/keep-proof-files.ts';
import { createMarkdownRenderer } from '#src/text/markdown-renderer.ts';
import { BadInputError, counted, named } from '../operator/outcome.ts';

export interface UndoReport {
  /** Number of the import. */
  readonly import: number;
  readonly list: ListKind;
  /** Entries that it had added. */
  readonly removed: number;
  /** Entries that are as they were before it. */
  readonly changedBack: number;
  /** Report numbers, or `_id`s of removed entries, that are skipped as they are. */
  readonly skipped: readonly string[];
}

export interface UndoOptions {
  /** Number of the import; undefined: the newest. */
  readonly number: number | undefined;
  readonly dataFolder: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly by: string | undefined;
}

/** A change of the import, and what has become of its entry. */
interface Step {
  readonly op: string;
  readonly entryId: string;
  readonly reportId: string | null;
  readonly chatId: string | null;
  readonly fields: string | null;
  /** 1 when the entry was changed or withdrawn since. */
  readonly hasLaterChange: number;
}

/** @returns the entries that are gone, too, which are still to be erased. @throws {BadInputError} when no such import can be undone */
export async function undoImport(db: Database, options: UndoOptions): Promise<UndoReport> {
  const { dataFolder, now, by } = options;
  const found = findImport(db, options.number);
  const { list } = found;
  const replaced = new Map(listReplaced(db.path, found.key).map((entry) => [entry.entryId, entry]));
  const steps = listSteps(db, found.first_change, found.last_change);
  const open = steps.filter((step) => step.hasLaterChange === 0);
  const added = open.filter(({ op }) => op === 'added');
  const updated = open.filter(({ op, entryId }) => op === 'updated' && replaced.has(entryId));
  if (replaced.size === 0 && open.some(({ op }) => op === 'updated'))
    throw new BadInputError(`what import ${found.import} replaced is not kept any more; nothing was changed`);
  const problems: ImportProblem[] = [];
  const renderer = createMarkdownRenderer();
  const files = createProofFileKeeper(db, dataFolder);
  const names = new Map([...replaced.values()].flatMap((entry) => Object.entries(entry.files)));
  try {
    const session = createImportSession(db, list, {
      renderer,
      storeFile: async (sha256, isPublic) => {
        const kept = await files.keepOriginal(sha256, isPublic);
        return kept.ok ? { ...kept, name: names.get(sha256) ?? null } : kept;
      },
      onProblem: (problem) => problems.push(problem),
      onNotice: () => {},
      now,
      by,
      how: 'undo',
      // A wrong name of the import was never theirs.
      formerNames: 'unchanged',
    });
    for (const [index, step] of updated.entries()) {
      const checked = parseImportRecord(toRecord(step, replaced), list);
      if (checked.ok) await session.add(checked.record, index + 1);
      else session.reject(checked.problems.map((problem) => ({ line: index + 1, ...problem })));
    }
    await session.settle();
    const [problem] = problems;
    if (problem) {
      await session.discard();
      throw new Error(`import ${found.import} cannot be taken back: ${problem.field}: ${problem.problem}`);
    }
    db.write(() => {
      // Another command may have been quicker.
      findImport(db, found.import);
      const over = new Set(
        listSteps(db, found.first_change, found.last_change).flatMap((step) =>
          step.hasLaterChange ? step.entryId : [],
        ),
      );
      const [lost] = added.filter(({ entryId }) => over.has(entryId));
      if (lost) throw new EntryChangedError(list, lost.chatId ?? lost.entryId);
      for (const { chatId } of added)
        if (chatId !== null) removeEntry(db, list, chatId, 'mistake', now, by, 'undo');
      session.commit();
      db.run(build.updateTable('imports').set({ undone_at: now }).where('import', '=', found.import));
    });
  } finally {
    await renderer.close();
    await files.finish();
  }
  forgetImport(db.path, found.key);
  const done = new Set([...added, ...updated].map(({ entryId }) => entryId));
  const skipped = steps.filter(({ entryId }) => !done.has(entryId));
  return {
    import: found.import,
    list,
    removed: added.length,
    changedBack: updated.length,
    skipped: skipped.map(({ reportId, entryId }) => reportId ?? entryId),
  };
}

/** @throws {BadInputError} when there is no such import, or it was taken back or is too old */
function findImport(db: Database, number: number | undefined) {
  let query = build.selectFrom('imports').selectAll().orderBy('import', 'desc');
  if (number !== undefined) query = query.where('import', '=', number);
  const found = db.first(query);
  const refuse = (problem: string): never => {
    throw new BadInputError(`${problem}; ${describeUndoable(db)}`);
  };
  if (!found) return refuse(number === undefined ? 'there is no import' : `there is no import ${number}`);
  if (found.undone_at !== null)
    refuse(`import ${found.import} was taken back at ${new Date(found.undone_at).toISOString()} already`);
  return found;
}

function describeUndoable(db: Database): string {
  const since = Date.now() - UNDO_DAYS * DAY_MS;
  const open = build
    .selectFrom('imports')
    .selectAll()
    .where('undone_at', 'is', null)
    .where('at', '>=', since);
  const found = db.all(open.orderBy('import', 'desc')).map(({ import: number, list, at, ...range }) => {
    const changes = counted(range.last_change - range.first_change + 1, 'change');
    return `${number} (${list}, ${new Date(at).toISOString()}, ${changes})`;
  });
  return found.length === 0 ? 'none can be taken back' : `these can be taken back: ${named(found)}`;
}

function listSteps(db: Database, first: number, last: number): Step[] {
  return db.all(
    build
      .selectFrom('changes')
      .leftJoin('entries', 'entries.entry_id', 'changes.entry_id')
      .leftJoin('change_notes', 'change_notes.seq', 'changes.seq')
      .select(['op', 'changes.entry_id as entryId', 'report_id as reportId', 'chat_id as chatId', 'fields'])
      .select((outer) =>
        outer
          .exists(
            outer
              .selectFrom('changes as later')
              .select('later.seq')
              .whereRef('later.entry_id', '=', 'changes.entry_id')
              .whereRef('later.seq', '>', 'changes.seq'),
          )
          .$castTo<number>()
          .as('hasLaterChange'),
      )
      .where('changes.seq', '>=', first)
      .where('changes.seq', '<=', last)
      .orderBy('changes.seq'),
  );
}

/** Views that were counted since stay, unless the import had set them. */
function toRecord({ entryId, fields }: Step, replaced: ReadonlyMap<string, ReplacedEntry>): object {
  const { views, ...record } = JSON.parse(replaced.get(entryId)?.record ?? '{}') as ImportRecordInput;
  const proofs = record.proofs ?? { private: false, items: [] };
  return { ...record, proofs, ...(fields?.split(' ').includes('views') && { views }) };
}
