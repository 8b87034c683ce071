/**
 * `import --undo` and `--list-undo`. An undo takes an import back, but for entries that were withdrawn or changed since.
 * First entries are changed back, then added ones go, in several transactions. An undo that was ended half-way goes on
 * when it runs again, because the change log says what is done.
 */
import type { InferResult } from 'kysely';
import {
  forgetImport,
  listReplacedIds,
  readReplacedEntries,
  UNDO_DAYS,
  type ReplacedEntry,
} from '../../changes/undo-file.ts';
import { readLogHead } from '../../changes/change-log.ts';
import { sqlBuilder, param, type Database } from '../../db/database.ts';
import { EMPTY_FIELDS } from '../../entries/export-records.ts';
import { parseImportRecord, type ImportRecordInput } from '../../entries/import-record.ts';
import { StagingSession, type StagingOptions } from '../../entries/staging-session.ts';
import { removeInSteps, type StepOptions } from '../../removals/remove-entries.ts';
import { ProofStore, type NamedFiles } from '../../proofs/store-proofs.ts';
import { DAY_MS } from '../../text/calendar.ts';
import { joinSome } from '../../text/shorten.ts';
import { BadInputError } from '../../operator-error.ts';
import { askToGoOn, printNotice, print, type Cli } from '../console/cli.ts';
import { openMigrated, openToWrite } from '../console/operator-database.ts';
import { counted } from '../console/outcome.ts';
import { createProgressBar } from '../console/progress-bar.ts';
import { listenForStop } from '../console/stop-signals.ts';

/** An import as it can be taken back now. */
type UndoPlan = ReturnType<typeof makePlan>;

interface UndoOptions extends Pick<StepOptions, 'by' | 'signal' | 'onStep'> {
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A change of the import, with number and kind of its entry's next change. */
type Step = Readonly<InferResult<typeof STEPS>[number]>;

/** Their texts are in memory at once. */
const CHANGED_AT_ONCE = 5_000;

type FoundImport = ReturnType<typeof findImport>;

/** @param undo number of the import; true: the newest */
export async function undoOne(
  cli: Cli,
  undo: true | number,
  { dryRun }: { dryRun?: boolean },
): Promise<void> {
  const number = undo === true ? undefined : undo;
  if (dryRun) return printUndoPlan(cli, planUndo(await openMigrated(cli), number));
  const db = await openToWrite(cli);
  const plan = planUndo(db, number);
  const what = `taking back import ${describeUndo(plan)}`;
  if (plan.removes.length > 0 && !cli.saysYes)
    await askToGoOn(cli, what, 'nothing was changed. Look at it with --dry-run, then say --yes');
  else printNotice(cli, what);
  using bar = createProgressBar(cli.stderr, plan.removes.length + plan.changesBack.length);
  const onStep = (count: number): void => bar.update(count);
  using stop = listenForStop();
  const options = { now: Date.now(), by: cli.by, signal: stop.signal, onStep };
  const report = await undoImport(db, plan, options);
  bar.end();
  const { removed, changedBack } = report;
  const outcome = `import ${report.import} into ${report.list} is taken back: removed ${removed}, changed back ${changedBack}`;
  print(cli, report, [outcome, ...describeSkipped(report.skipped)].join('\n'));
}

function describeSkipped(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`left as they are, changed, noted or withdrawn since: ${names.length} (${joinSome(names)})`];
}

function describeUndo({ found, removes, changesBack, done }: UndoPlan): string {
  const earlier = done.length > 0 ? `; an undo that was ended took back ${done.length} before` : '';
  return (
    `${found.import} into ${found.list} (${new Date(found.at).toISOString()}) ` +
    `removes ${counted(removes.length, 'entry', 'entries')} and changes ${changesBack.length} back${earlier}`
  );
}

function printUndoPlan(cli: Cli, plan: UndoPlan): void {
  const { import: number, list } = plan.found;
  const removes = plan.removes.map(identifierOf);
  const changesBack = plan.changesBack.map(identifierOf);
  const skipped = plan.skipped.map(identifierOf);
  const report = { import: number, list, dryRun: true, removes, changesBack, skipped };
  const lines = [
    `taking back import ${describeUndo(plan)}`,
    ...(removes.length > 0 ? [`removed: ${joinSome(removes)}`] : []),
    ...(changesBack.length > 0 ? [`changed back: ${joinSome(changesBack)}`] : []),
    ...describeSkipped(skipped),
  ];
  print(cli, report, lines.join('\n'));
}

export async function printUndoable(cli: Cli): Promise<void> {
  const found = listUndoable(await openMigrated(cli));
  const lines = found.length === 0 ? ['no import can be taken back'] : found.map(describeImport);
  print(cli, found, lines.join('\n'));
}

/** @throws {BadInputError} when another command took the import back meanwhile */
export async function undoImport(
  db: Database,
  { found, changesBack, removes }: UndoPlan,
  { now, by, signal, onStep }: UndoOptions,
) {
  const targets = removes.flatMap(({ row, chatId, entryId, seq }) => {
    if (row === null || chatId === null) return [];
    const entry = { row, list: found.list, entry_id: entryId, chat_id: chatId };
    return { ...entry, reason_code: 'mistake' as const, at: now, comparedAtSeq: seq };
  });
  using files = new ProofStore(db);
  let changed = 0;
  while (changed < changesBack.length && !signal.aborted) {
    const steps = changesBack.slice(changed, changed + CHANGED_AT_ONCE);
    await changeBack(db, found, steps, { files, now, by });
    onStep((changed += steps.length));
  }
  const { count } = await removeInSteps(db, targets, {
    by,
    origin: 'undo',
    signal,
    onStep: (removed) => onStep(changed + removed),
  });
  if (changed + count < changesBack.length + targets.length)
    throw new Error(
      `ended: ${changed} of ${changesBack.length} entries are changed back, ${count} of ${targets.length} removed; ` +
        `run "import --undo=${found.import}" again to go on`,
    );
  db.write((tx) => {
    // Another command may have been quicker.
    findImport(tx, found.import);
    tx.run(sqlBuilder.updateTable('imports').set({ undone_at: now }).where('import', '=', found.import));
  });
  const end = makePlan(db, found, new Set(changesBack.map(({ entryId }) => entryId)));
  forgetImport(db.path, found.key);
  const removed = end.done.filter(({ op }) => op === 'added').length;
  return {
    import: found.import,
    list: found.list,
    /** Entries that it had added. */
    removed,
    // Some were shown again as they had been before, which is no change.
    changedBack: end.done.length - removed + end.changesBack.length,
    skipped: end.skipped.map(identifierOf),
  };
}

/** In one transaction. @throws {EntryChangedError} when another process changes one of the entries meanwhile */
async function changeBack(
  db: Database,
  found: FoundImport,
  steps: readonly Step[],
  options: Pick<StagingOptions, 'files' | 'now' | 'by'>,
): Promise<void> {
  const ids = steps.map(({ entryId }) => entryId);
  const replaced = new Map(
    readReplacedEntries(db.path, found.key, ids).map((entry) => [entry.entryId, entry]),
  );
  await using session = new StagingSession(db, found.list, {
    ...options,
    comparedAtSeq: readLogHead(db).seq,
    origin: 'undo',
    wasCheckedBefore: true,
    // A wrong name of the import was never theirs.
    formerNames: 'unchanged',
  });
  // Again, because the session notices only what is changed from now on.
  const range = { first_change: steps[0]?.seq ?? 0, last_change: steps.at(-1)?.seq ?? 0 };
  const { changesBack } = makePlan(db, { ...found, ...range }, new Set(replaced.keys()));
  for (const [index, step] of changesBack.entries()) {
    const checked = parseImportRecord(toRecord(step, replaced), found.list);
    if (checked.ok) await session.add(checked.record, index + 1, filesOf(replaced.get(step.entryId)));
    else session.reject(index + 1, checked.problems);
  }
  await session.settle();
  const [problem] = session.problems;
  if (!problem) return void (await session.commit());
  const name = identifierOf(changesBack[problem.line - 1] as Step);
  throw new Error(
    `import ${found.import} cannot be taken back: ${name}: ${problem.field}: ${problem.problem}`,
  );
}

/** @param number undefined: the newest @throws {BadInputError} when it cannot be taken back, also for lack of undo.db */
export function planUndo(db: Database, number: number | undefined): UndoPlan {
  const found = findImport(db, number);
  const replaced = listReplacedIds(db.path, found.key);
  const plan = makePlan(db, found, replaced);
  if (replaced.size === 0 && plan.skipped.some(({ op, next }) => op === 'updated' && next === null))
    throw new BadInputError(`what import ${found.import} replaced is not kept any more; nothing was changed`);
  return plan;
}

/** A name of the entry that the operator's verbs take. */
function identifierOf({ reportId, entryId }: Step): string {
  return reportId ?? entryId;
}

/** @param replaced entries of which undo.db has the state before */
function makePlan(db: Database, found: FoundImport, replaced: ReadonlySet<string>) {
  const steps = db.all(STEPS, { first: found.first_change, last: found.last_change });
  const open = steps.filter(({ next }) => next === null);
  // Notes are in no change log, and would be lost with the entry.
  const removes = open.filter(({ op, hasNotes }) => op === 'added' && !hasNotes);
  const changesBack = open.filter(({ op, entryId }) => op === 'updated' && replaced.has(entryId));
  // An undo that was ended half-way took them back: no other one may touch the entry after the import's own change.
  const done = steps.filter(({ nextHow }) => nextHow === 'undo');
  const known = new Set([...removes, ...changesBack, ...done]);
  return { found, removes, changesBack, done, skipped: steps.filter((step) => !known.has(step)) };
}

/** @throws {BadInputError} when there is no such import, or it was taken back or is too old */
function findImport(db: Database, number: number | undefined) {
  let query = sqlBuilder.selectFrom('imports').selectAll().orderBy('import', 'desc');
  if (number !== undefined) query = query.where('import', '=', number);
  const found = db.first(query);
  const refuse = (problem: string): never => {
    const open = listUndoable(db).toReversed().map(describeImport);
    const others =
      open.length === 0 ? 'none can be taken back' : `these can be taken back: ${joinSome(open)}`;
    throw new BadInputError(`${problem}; ${others}`);
  };
  if (!found) return refuse(number === undefined ? 'there is no import' : `there is no import ${number}`);
  if (found.undone_at !== null)
    refuse(`import ${found.import} was taken back at ${new Date(found.undone_at).toISOString()} already`);
  return found;
}

/** From the oldest to the newest. */
function listUndoable(db: Database) {
  const open = sqlBuilder
    .selectFrom('imports')
    .innerJoin('changes', (join) =>
      join.onRef('changes.seq', '>=', 'first_change').onRef('changes.seq', '<=', 'last_change'),
    )
    .leftJoin('change_notes', 'change_notes.seq', 'changes.seq')
    .select(['import', 'imports.at', 'file', 'imports.list'])
    .select(({ fn }) => [
      fn.max('by').as('by'),
      fn.countAll<number>().filterWhere('op', '=', 'added').as('added'),
      fn.countAll<number>().filterWhere('op', '=', 'updated').as('updated'),
    ])
    .where('undone_at', 'is', null)
    .where('imports.at', '>=', Date.now() - UNDO_DAYS * DAY_MS)
    .groupBy('import')
    .orderBy('import');
  return db.all(open).map(({ at, ...found }) => ({ ...found, at: new Date(at).toISOString() }));
}

function describeImport(found: ReturnType<typeof listUndoable>[number]): string {
  const { import: number, list, at, by, file, added, updated } = found;
  const what = [
    file === null ? list : `${file} into ${list}`,
    at,
    ...(by === null ? [] : [`by ${by}`]),
    `added ${added}`,
    `updated ${updated}`,
  ];
  return `${number} (${what.join(', ')})`;
}

const STEPS = sqlBuilder
  .selectFrom((from) =>
    from
      .selectFrom('changes')
      .select(['seq', 'op', 'entry_id'])
      .select((outer) =>
        outer
          .selectFrom('changes as later')
          .select((later) => later.fn.min('later.seq').as('seq'))
          .whereRef('later.entry_id', '=', 'changes.entry_id')
          .whereRef('later.seq', '>', 'changes.seq')
          .$castTo<{ seq: number | null }>()
          .as('next'),
      )
      .where('seq', '>=', param('first'))
      .where('seq', '<=', param('last'))
      .as('step'),
  )
  .leftJoin('entries', 'entries.entry_id', 'step.entry_id')
  .leftJoin('change_notes', 'change_notes.seq', 'step.seq')
  .leftJoin('change_notes as next_note', 'next_note.seq', 'step.next')
  .select(['step.seq', 'op', 'step.entry_id as entryId', 'row', 'report_id as reportId', 'chat_id as chatId'])
  .select(['change_notes.fields', 'next', 'next_note.how as nextHow'])
  .select((is) => is('row', 'in', is.selectFrom('entry_notes').select('row')).as('hasNotes'))
  .orderBy('step.seq')
  .compile();

function filesOf(replaced: ReplacedEntry | undefined): NamedFiles {
  const files = Object.entries(replaced?.files ?? {});
  return new Map(files.map(([sha256, fileName]) => [sha256, { sha256, fileName }]));
}

/** Views that were counted since stay, unless the import had set them. */
function toRecord({ entryId, fields }: Step, replaced: ReadonlyMap<string, ReplacedEntry>): object {
  const { views, ...record } = JSON.parse(replaced.get(entryId)?.record ?? '{}') as ImportRecordInput;
  return { ...EMPTY_FIELDS, ...record, ...(fields?.split(' ').includes('views') && { views }) };
}
