/** Verbs that move whole lists: `import` and `export`. */
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { Option, type Command } from 'commander';
import type { Database } from '../db/database.ts';
import type { ProofItem } from '../entries/contents.ts';
import { removedKeyPath } from '../removals/removed-key.ts';
import { UNDO_DAYS } from '../changes/undo-file.ts';
import type { WithdrawnPart } from '../entries/staged-changes.ts';
import { LIST_KINDS, type ListKind } from '../entries/entry.ts';
import { exportRecords } from '../entries/export-records.ts';
import { lacksRemovedKey } from '../entries/report-numbers.ts';
import { copyOriginal } from '../proofs/proof-files.ts';
import {
  checkInput,
  formatProblem,
  importFile,
  type ImportPlan,
  type ImportReport,
} from './import/import-file.ts';
import {
  describeImport,
  listUndoable,
  nameOf,
  planUndo,
  undoImport,
  type UndoPlan,
} from './import/undo-import.ts';
import { readLogHead } from '../changes/log-head.ts';
import { askToGoOn } from './console/ask.ts';
import { complain, note, print, type Cli } from './console/cli.ts';
import { findLookAlikePairs, printLookAlikes } from './look-alike-pairs.ts';
import { jsonOption, listOption, STANDARD_INPUT, wholeNumber } from './console/options.ts';
import { describeOtherLists } from './other-lists.ts';
import { BadInputError, counted, EXIT_BAD_INPUT, named, PROBLEMS_LISTED } from './console/outcome.ts';
import { createProgressBar } from './console/progress-bar.ts';
import { forgetSample } from './sample-mark.ts';
import { untilStopped } from './console/until-stopped.ts';
import { readDatabase, withDatabase, withPresentDatabase } from './with-database.ts';

interface ImportCommandOptions {
  list?: ListKind;
  keepGoing?: boolean;
  oddId?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  undo?: true | number;
  listUndo?: true;
  json?: boolean;
}

/** An import that replaces more texts than this asks before. */
const REPLACED_UNASKED = 10;

export function addTransferCommands(program: Command, cli: Cli): void {
  program
    .command('import')
    .description('import entries into a list; an ID that is there already is updated')
    .argument('[file]', 'NDJSON (one object a line) or a JSON array; - reads standard input')
    .addOption(listOption())
    .option(
      '--keep-going',
      'import the good records and list the bad; otherwise one bad record means no change',
    )
    .option('--dry-run', 'say what would change, and change nothing')
    .option(
      '--yes',
      `replace more than ${REPLACED_UNASKED} texts, bring back removed people or redacted texts, or take back additions, without a question`,
    )
    .addOption(
      new Option(
        '--undo [number]',
        'take back the newest import, or the one with this number; without a file',
      )
        .argParser(wholeNumber(1))
        .conflicts(['list', 'keepGoing', 'oddId']),
    )
    .addOption(
      new Option('--list-undo', 'list the imports that can be taken back; without a file').conflicts([
        'list',
        'keepGoing',
        'oddId',
        'dryRun',
        'yes',
        'undo',
      ]),
    )
    .option('--odd-id', 'give no note about IDs that are not 17 to 20 digits')
    .addOption(jsonOption())
    .action(async (file: string | undefined, options: ImportCommandOptions) => {
      const { list, undo, listUndo } = options;
      if ((undo ?? listUndo) !== undefined && file !== undefined)
        throw new BadInputError('--undo and --list-undo take no file; --undo=NUMBER names an import');
      if (listUndo) return await printUndoable(cli, options.json);
      if (undo !== undefined) return await undoOne(cli, undo, options);
      if (file === undefined) throw new BadInputError('name the file; - reads standard input');
      if (list === undefined)
        throw new BadInputError(`--list is missing; it is one of ${LIST_KINDS.join(', ')}`);
      await importOne(cli, file, list, options);
    });

  program
    .command('export')
    .description('write a list in the import format (NDJSON) to standard output or a file')
    .addOption(listOption().makeOptionMandatory())
    .option('--out <file>', 'write to this file; proof files are copied into a folder beside it')
    .addOption(jsonOption())
    .action(async (options: { list: ListKind; out?: string; json?: boolean }) => {
      const count = await readDatabase(cli, (db) => exportList(cli, db, options.list, options.out));
      if (options.out !== undefined) {
        const { list, out } = options;
        print(
          cli,
          options.json,
          { list, out, exported: count },
          `exported ${counted(count, 'entry', 'entries')} of ${list} to ${out}`,
        );
      }
    });
}

async function importOne(
  cli: Cli,
  file: string,
  list: ListKind,
  options: ImportCommandOptions,
): Promise<void> {
  checkInput(file);
  // Run in another folder it would be another one, and be made there.
  if (!cli.config.isDatabaseNamed)
    note(cli, `DATABASE_PATH is not set; the database is ${cli.config.databasePath}`);
  let plan: ImportPlan | undefined;
  const tell = (notices: ImportReport['notices']): void => {
    for (const notice of notices) note(cli, formatProblem(file, notice));
  };
  const work = async (db: Database) => {
    const { seq } = readLogHead(db);
    if (lacksRemovedKey(db))
      note(
        cli,
        `${removedKeyPath(db.path)} is missing, or is no key: removed IDs in the file are not known again`,
      );
    const imported = await importFile(db, {
      file,
      stdin: cli.stdin,
      list,
      keepGoing: options.keepGoing ?? false,
      allowsOddIds: options.oddId ?? false,
      dataFolder: cli.config.dataFolder,
      now: Date.now(),
      by: cli.by,
      approve: async (planned) => {
        plan = planned;
        const risks = describeRisks(planned);
        if (!options.json || risks.length > 0) {
          tell(planned.notices);
          for (const part of planned.withdrawn.slice(0, PROBLEMS_LISTED)) note(cli, describeWithdrawn(part));
        }
        if (options.dryRun) return false;
        if (!options.yes && risks.length > 0) await askAbout(cli, file, risks);
        return true;
      },
    });
    if (imported.added + imported.updated > 0 && imported.imported) forgetSample(db);
    const lookAlikes = imported.imported ? [...findLookAlikePairs(db, seq)] : [];
    const otherLists = imported.imported ? describeOtherLists(db, seq) : [];
    return { ...imported, lookAlikes, otherLists };
  };
  const { otherLists, ...report } = await (options.dryRun
    ? readDatabase(cli, work)
    : withDatabase(cli, work));
  if (!plan && !options.json) tell(report.notices);
  if (options.dryRun && plan) printPlan(cli, file, report, plan, options.json);
  else printReport(cli, file, report, options.json);
  printLookAlikes(cli, report.lookAlikes);
  for (const text of otherLists) note(cli, text);
  if (report.problemCount > 0) cli.exitCode = EXIT_BAD_INPUT;
}

/** Effects of an import that nobody may want. */
function describeRisks({ fields, counts, withdrawn }: ImportPlan): string[] {
  const replaced = fields['reason'] ?? 0;
  const entries = new Set(withdrawn.map(({ id }) => id)).size;
  return [
    ...(replaced > REPLACED_UNASKED ? [`replaces the texts of ${replaced} entries by others`] : []),
    ...(counts.returned > 0
      ? [`brings back ${counted(counts.returned, 'removed entry', 'removed entries')}`]
      : []),
    ...(entries > 0
      ? [`writes what was redacted or hidden in ${counted(entries, 'entry', 'entries')} again`]
      : []),
  ];
}

const PARTS: Readonly<Record<WithdrawnPart['what'], string>> = {
  name: 'its name was redacted',
  reason: 'its reason was redacted',
  proofs: 'proofs of it were removed',
  private: 'its proofs were made private',
};

function describeWithdrawn({ id, what, at }: WithdrawnPart): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return `${id}: ${PARTS[what]} (${day}), and the file has ${what === 'private' ? 'public ones' : 'others'}`;
}

/** @throws {BadInputError} when the import is not wanted, or was not asked for */
async function askAbout(cli: Cli, file: string, risks: readonly string[]): Promise<void> {
  const what = `this import ${risks.join(' and ')}`;
  const otherwise = 'nothing was changed. Look at it with --dry-run, then say --yes';
  if (file === STANDARD_INPUT) throw new BadInputError(`${what}; ${otherwise}`);
  await askToGoOn(cli, what, otherwise);
}

function printPlan(
  cli: Cli,
  file: string,
  report: ImportReport,
  { fields, largest, withdrawn, counts }: ImportPlan,
  asJson: boolean | undefined,
): void {
  if (asJson) return print(cli, true, { ...report, dryRun: true, fields, largest, withdrawn }, '');
  printProblems(cli, file, report);
  const { added, updated, unchanged, rejected } = counts;
  const lines = [`would add ${added}, update ${updated}, leave ${unchanged} unchanged, reject ${rejected}`];
  if (updated > 0) {
    const byField = Object.entries(fields).map(([field, count]) => `${field} ${count}`);
    lines.push(`updated by field: ${byField.join(', ')}`, 'largest changes:');
    for (const change of largest) {
      const size = change.after === null ? '' : ` (reason: ${change.before} to ${change.after} characters)`;
      lines.push(`  ${change.id} ${JSON.stringify(change.name)}: ${change.fields.join(', ')}${size}`);
    }
  }
  if (counts.returned > 0) lines.push(`removed before, and back then: ${counts.returned}`);
  print(cli, false, undefined, lines.join('\n'));
}

async function undoOne(cli: Cli, undo: true | number, options: ImportCommandOptions): Promise<void> {
  const { json, yes, dryRun } = options;
  const number = undo === true ? undefined : undo;
  if (dryRun) return await readDatabase(cli, (db) => printUndoPlan(cli, planUndo(db, number), json));
  await withPresentDatabase(cli, async (db) => {
    const plan = planUndo(db, number);
    const what = `taking back import ${describeUndo(plan)}`;
    if (plan.removes.length > 0 && !yes)
      await askToGoOn(cli, what, 'nothing was changed. Look at it with --dry-run, then say --yes');
    else note(cli, what);
    const bar = createProgressBar(plan.removes.length + plan.changesBack.length);
    const onStep = (count: number): void => bar.update(count);
    const { dataFolder } = cli.config;
    const report = await untilStopped((signal) =>
      undoImport(db, plan, { dataFolder, now: Date.now(), by: cli.by, signal, onStep }),
    );
    bar.end();
    const { removed, changedBack } = report;
    const outcome = `import ${report.import} into ${report.list} is taken back: removed ${removed}, changed back ${changedBack}`;
    print(cli, json, report, [outcome, ...describeSkipped(report.skipped)].join('\n'));
  });
}

function describeSkipped(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`left as they are, changed or withdrawn since: ${names.length} (${named(names)})`];
}

function describeUndo({ found, removes, changesBack, done }: UndoPlan): string {
  const earlier = done.length > 0 ? `; an undo that was ended took back ${done.length} before` : '';
  return (
    `${found.import} into ${found.list} (${new Date(found.at).toISOString()}) ` +
    `removes ${counted(removes.length, 'entry', 'entries')} and changes ${changesBack.length} back${earlier}`
  );
}

function printUndoPlan(cli: Cli, plan: UndoPlan, asJson: boolean | undefined): void {
  const { import: number, list } = plan.found;
  const removes = plan.removes.map(nameOf);
  const changesBack = plan.changesBack.map(nameOf);
  const skipped = plan.skipped.map(nameOf);
  const report = { import: number, list, dryRun: true, removes, changesBack, skipped };
  const lines = [
    `taking back import ${describeUndo(plan)}`,
    ...(removes.length > 0 ? [`removed: ${named(removes)}`] : []),
    ...(changesBack.length > 0 ? [`changed back: ${named(changesBack)}`] : []),
    ...describeSkipped(skipped),
  ];
  print(cli, asJson, report, lines.join('\n'));
}

async function printUndoable(cli: Cli, asJson: boolean | undefined): Promise<void> {
  await readDatabase(cli, (db) => {
    const found = listUndoable(db);
    const lines = found.length === 0 ? ['no import can be taken back'] : found.map(describeImport);
    print(cli, asJson, found, lines.join('\n'));
  });
}

function printProblems(cli: Cli, file: string, { problems, problemCount }: ImportReport): void {
  for (const problem of problems) complain(cli, formatProblem(file, problem));
  if (problemCount > problems.length)
    cli.stderr.write(`… and ${counted(problemCount - problems.length, 'more problem')}\n`);
}

/** Problems go to standard error, the summary to standard output. */
export function printReport(cli: Cli, file: string, report: ImportReport, asJson: boolean | undefined): void {
  const { problemCount, added, updated, unchanged, rejected } = report;
  if (asJson) return print(cli, true, report, '');
  printProblems(cli, file, report);
  const counts = `added ${added}, updated ${updated}, unchanged ${unchanged}, rejected ${rejected}`;
  const outcome = report.imported
    ? counts
    : `nothing was changed: ${counted(problemCount, 'problem')} (${counts} if all were well)`;
  cli.stdout.write(`${outcome}\n`);
  if (report.import !== undefined && updated > 0)
    cli.stdout.write(`"import --undo=${report.import}" takes this back for ${UNDO_DAYS} days\n`);
}

async function exportList(cli: Cli, db: Database, list: ListKind, out: string | undefined): Promise<number> {
  if (out === undefined) {
    let files = 0;
    const count = await writeRecords(cli.stdout, db, list, (item) => {
      files += 1;
      return item.fileName ?? item.fileSha256 ?? undefined;
    });
    if (files > 0)
      note(cli, `${counted(files, 'proof file')} named but not written; use --out FILE to get them`);
    return count;
  }
  if (existsSync(out)) throw new BadInputError(`${out} exists; name a new file`);
  if (!existsSync(dirname(out))) throw new BadInputError(`${dirname(out)} is no folder; make it first`);
  const folder = `${basename(out)}.files`;
  const files = new Map<string, string>();
  const temporary = `${out}.${process.pid}.part`;
  const stream = createWriteStream(temporary, { mode: 0o600, flags: 'wx' });
  const count = await writeRecords(stream, db, list, (item) => {
    const name = `${folder}/${item.fileSha256}`;
    files.set(item.fileSha256 ?? '', name);
    return name;
  });
  stream.end();
  await once(stream, 'close');
  for (const [sha256, name] of files) copyOriginal(cli.config.dataFolder, sha256, join(dirname(out), name));
  await rename(temporary, out);
  return count;
}

async function writeRecords(
  stream: Writable,
  db: Database,
  list: ListKind,
  nameFile: (item: ProofItem) => string | undefined,
): Promise<number> {
  let count = 0;
  for (const record of exportRecords(db, list, nameFile)) {
    if (!stream.write(`${JSON.stringify(record)}\n`)) await once(stream, 'drain');
    count += 1;
  }
  return count;
}
