/** The verb `import`. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { Option, type Command } from 'commander';
import { readLogHead } from '../changes/change-log.ts';
import { UNDO_DAYS } from '../changes/undo-file.ts';
import { LIST_KINDS, type ListKind } from '../entries/entry.ts';
import { StagingSession, type LineProblem } from '../entries/staging-session.ts';
import { summarizeStaged, type StagedSummary, type WithdrawnPart } from '../entries/staging-tables.ts';
import { ProofStore } from '../proofs/store-proofs.ts';
import { dayInUtc } from '../text/calendar.ts';
import { BadInputError, EXIT_BAD_INPUT, OperatorError } from '../operator-error.ts';
import { askToGoOn, printError, printNotice, print, type Cli } from './console/cli.ts';
import { listOption, STANDARD_INPUT, wholeNumber } from './console/options.ts';
import { counted, PROBLEMS_LISTED } from './console/outcome.ts';
import { commitImport, stageFile, type FileOptions } from './import/import-file.ts';
import { IMPORT_FORMATS } from './import/split-records.ts';
import { printUndoable, undoOne } from './import/undo-import.ts';
import {
  describeOtherLists,
  describePairs,
  findLookAlikePairs,
  type LookAlikePair,
} from './look-alike-pairs.ts';
import { noticeLostKey, openMigrated, openToWrite } from './console/operator-database.ts';

interface ImportCommandOptions extends FileOptions {
  list?: ListKind;
  keepGoing?: boolean;
  dryRun?: boolean;
  undo?: true | number;
  listUndo?: true;
}

/** An import that replaces more texts than this asks before. */
const REPLACED_UNASKED = 10;
/** Options that say how to read a file. */
const OF_A_FILE = ['list', 'format', 'keepGoing', 'oddId'];

export function addVerbs(program: Command, cli: Cli): void {
  program
    .command('import')
    .description('import entries into a list; an ID that is there already is updated')
    .argument('[file]', 'NDJSON (one object a line), a JSON array, or CSV; - reads standard input')
    .addOption(listOption())
    .addOption(
      new Option('--format <format>', 'default: csv for FILE.csv, json for everything else').choices(
        IMPORT_FORMATS,
      ),
    )
    .option(
      '--keep-going',
      'import the good records and list the bad; otherwise one bad record means no change',
    )
    .option('--dry-run', 'say what would change, and change nothing')
    .option(
      '--yes',
      `replace more than ${REPLACED_UNASKED} texts, bring back removed people or redacted texts, make accounts hijacked, or take back additions, without a question`,
    )
    .addOption(
      new Option(
        '--undo [number]',
        'take back the newest import, or the one with this number; without a file',
      )
        .argParser(wholeNumber(1))
        .conflicts(OF_A_FILE),
    )
    .addOption(
      new Option(
        '--list-undo',
        'list the imports that can be taken back, from the oldest to the newest; without a file',
      ).conflicts([...OF_A_FILE, 'dryRun', 'yes', 'undo']),
    )
    .option(
      '--odd-id',
      'give no note about IDs that are not 17 to 20 digits; take IDs of CSV that look rounded',
    )
    .action(async (file: string | undefined, options: ImportCommandOptions) => {
      const { list, undo, listUndo } = options;
      if ((undo ?? listUndo) !== undefined && file !== undefined)
        throw new BadInputError('--undo and --list-undo take no file; --undo=NUMBER names an import');
      if (listUndo) return await printUndoable(cli);
      if (undo !== undefined) return await undoOne(cli, undo, options);
      if (file === undefined) throw new BadInputError('name the file; - reads standard input');
      if (list === undefined)
        throw new BadInputError(`--list is missing; it is one of ${LIST_KINDS.join(', ')}`);
      await importOne(cli, file, list, options);
    });
}

async function importOne(
  cli: Cli,
  file: string,
  list: ListKind,
  { keepGoing = false, dryRun = false, ...fileOptions }: ImportCommandOptions,
): Promise<void> {
  checkFileExists(file);
  const { databasePath, isDatabaseNamed, refusedProofHosts: refusedHosts } = cli.config;
  // Run in another folder it would be another one, and be made there.
  if (!isDatabaseNamed) printNotice(cli, `DATABASE_PATH is not set; the database is ${databasePath}`);
  const db = await (dryRun ? openMigrated(cli) : openToWrite(cli, { whenMissing: 'create' }));
  const { seq } = readLogHead(db);
  if (dryRun) noticeLostKey(cli, db);
  using files = new ProofStore(db, { dryRun });
  const options = {
    files,
    by: cli.by,
    refusedHosts,
    origin: 'import',
    problemsKept: PROBLEMS_LISTED,
  } as const;
  await using session = new StagingSession(db, list, { now: Date.now(), comparedAtSeq: seq, ...options });
  const bytes = await stageFile(session, file, fileOptions, cli);
  const { counts, problemCount, problems, notices } = session;
  const plan = problemCount > 0 && !keepGoing ? undefined : summarizeStaged(db);
  const concerns = plan ? describeConcerns(plan, counts.returned) : [];
  if (!cli.asJson || concerns.length > 0) {
    for (const each of notices) printNotice(cli, formatProblem(file, each));
    for (const part of plan?.withdrawn.slice(0, PROBLEMS_LISTED) ?? [])
      printNotice(cli, describeWithdrawn(part));
  }
  const imported = plan !== undefined && !dryRun;
  if (imported && concerns.length > 0 && !cli.saysYes) await askAbout(cli, file, concerns);
  const number = imported ? await commitImport(session, file, bytes) : undefined;
  const lookAlikes = imported ? [...findLookAlikePairs(db, seq)] : [];
  for (const text of describePairs(lookAlikes)) printNotice(cli, text);
  if (imported) for (const text of describeOtherLists(db, seq)) printNotice(cli, text);
  const report = { list, imported, import: number, ...counts, problemCount, problems, notices, lookAlikes };
  printOutcome(cli, file, report, dryRun ? plan : undefined);
  if (problemCount > 0) cli.exitCode = EXIT_BAD_INPUT;
}

type SessionReport = Pick<StagingSession, 'list' | 'problemCount' | 'problems' | 'notices'> &
  StagingSession['counts'];

export interface ImportReport extends SessionReport {
  /** False after a bad record, unless with `--keep-going`, and with `--dry-run`. */
  readonly imported: boolean;
  /** For `--undo`. */
  readonly import: number | undefined;
  readonly lookAlikes: readonly LookAlikePair[];
}

/** Before a database is made for it. @param file a path, or `-`. @throws {BadInputError} */
function checkFileExists(file: string): void {
  if (file === STANDARD_INPUT) return;
  const facts = statSync(file, { throwIfNoEntry: false });
  if (!facts) throw new BadInputError(`there is no file ${file}`);
  if (facts.isDirectory()) throw new BadInputError(`${file} is a folder; a file is needed`);
}

/** Effects of an import that the operator may not want. */
function describeConcerns({ fields, withdrawn, hijacked }: StagedSummary, returned: number): string[] {
  const replaced = fields['reason'] ?? 0;
  const entries = new Set(withdrawn.map(({ id }) => id)).size;
  return [
    ...(replaced > REPLACED_UNASKED ? [`replaces the texts of ${replaced} entries by others`] : []),
    ...(returned > 0 ? [`brings back ${counted(returned, 'removed entry', 'removed entries')}`] : []),
    ...(hijacked > 0 ? [`says of ${counted(hijacked, 'account')} that a stranger has it`] : []),
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
  return `${id}: ${PARTS[what]} (${dayInUtc(at)}), and the file has ${what === 'private' ? 'public ones' : 'others'}`;
}

/** @throws {OperatorError} when the import is not wanted, or was not asked for */
async function askAbout(cli: Cli, file: string, concerns: readonly string[]): Promise<void> {
  const what = `this import ${concerns.join(' and ')}`;
  const otherwise = 'nothing was changed. Look at it with --dry-run, then say --yes';
  if (file === STANDARD_INPUT) throw new OperatorError('needs_yes', `${what}; ${otherwise}`);
  await askToGoOn(cli, what, otherwise);
}

/** Problems go to standard error, the outcome to standard output. @param plan of a dry run */
function printOutcome(cli: Cli, file: string, report: ImportReport, plan: StagedSummary | undefined): void {
  const { problems, problemCount } = report;
  if (!cli.asJson) {
    for (const problem of problems) printError(cli, formatProblem(file, problem));
    if (problemCount > problems.length)
      printError(cli, `… and ${counted(problemCount - problems.length, 'more problem')}`);
  }
  if (!plan) return print(cli, report, describeReport(report).join('\n'));
  print(cli, { ...report, dryRun: true, ...plan }, describePlan(report, plan).join('\n'));
}

function describePlan(report: ImportReport, { fields, largest, hijacked }: StagedSummary): string[] {
  const { added, updated, unchanged, rejected, returned } = report;
  const lines = [`would add ${added}, update ${updated}, leave ${unchanged} unchanged, reject ${rejected}`];
  if (updated > 0) {
    const byField = Object.entries(fields).map(([field, count]) => `${field} ${count}`);
    lines.push(`updated by field: ${byField.join(', ')}`, 'largest changes:');
    for (const change of largest) {
      const size = change.after === null ? '' : ` (reason: ${change.before} to ${change.after} characters)`;
      lines.push(`  ${change.id} ${JSON.stringify(change.name)}: ${change.fields.join(', ')}${size}`);
    }
  }
  if (hijacked > 0) lines.push(`would become hijacked: ${hijacked}`);
  if (returned > 0) lines.push(`removed before, and back then: ${returned}`);
  return lines;
}

function describeReport(report: ImportReport): string[] {
  const { problemCount, added, updated, unchanged, rejected } = report;
  const counts = `added ${added}, updated ${updated}, unchanged ${unchanged}, rejected ${rejected}`;
  if (!report.imported)
    return [`nothing was changed: ${counted(problemCount, 'problem')} (${counts} if all were well)`];
  if (report.import === undefined || updated === 0) return [counts];
  return [counts, `"import --undo=${report.import}" takes this back for ${UNDO_DAYS} days`];
}

/** `file:line: field: what is wrong`. */
function formatProblem(file: string, { line, field, problem }: LineProblem): string {
  const name = file === STANDARD_INPUT ? 'stdin' : basename(file);
  return `${name}:${line}: ${field === '' ? '' : `${field}: `}${problem}`;
}
