/** Verbs that move whole lists: `import` and `export`. */
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Command } from 'commander';
import type { Database } from '#src/db/database.ts';
import type { ProofItem } from '#src/entries/contents.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { exportRecords } from '#src/entries/export-records.ts';
import { copyOriginal } from '#src/proofs/proof-files.ts';
import { checkInput, formatProblem, importFile } from '../import/import-file.ts';
import type { ImportReport } from '../import/import-file.ts';
import { readLogHead } from '#src/changes/log-head.ts';
import { note, print } from './cli.ts';
import type { Cli } from './cli.ts';
import { findLookAlikePairs, printLookAlikes } from './look-alike-pairs.ts';
import { jsonOption, listOption } from './options.ts';
import { BadInputError, counted, EXIT_BAD_INPUT } from './outcome.ts';
import { forgetSample } from './sample-mark.ts';
import { withDatabase, withPresentDatabase } from './with-database.ts';

interface ImportCommandOptions {
  list: ListKind;
  keepGoing?: boolean;
  oddId?: boolean;
  json?: boolean;
}

export function addTransferCommands(program: Command, cli: Cli): void {
  program
    .command('import')
    .description('import entries into a list; an ID that is there already is updated')
    .argument('<file>', 'NDJSON (one object a line) or a JSON array; - reads standard input')
    .addOption(listOption().makeOptionMandatory())
    .option(
      '--keep-going',
      'import the good records and list the bad; otherwise one bad record means no change',
    )
    .option('--odd-id', 'give no note about IDs that are not 17 to 20 digits')
    .addOption(jsonOption())
    .action(async (file: string, options: ImportCommandOptions) => {
      checkInput(file);
      // Run in another folder it would be another one, and be made there.
      if (!cli.config.isDatabaseNamed)
        note(cli, `DATABASE_PATH is not set; the database is ${cli.config.databasePath}`);
      const report = await withDatabase(cli, async (db) => {
        const { seq } = readLogHead(db);
        const imported = await importFile(db, {
          file,
          stdin: cli.stdin,
          list: options.list,
          keepGoing: options.keepGoing ?? false,
          allowsOddIds: options.oddId ?? false,
          dataFolder: cli.config.dataFolder,
          now: Date.now(),
        });
        if (imported.added + imported.updated > 0 && imported.imported) forgetSample(db);
        const lookAlikes = imported.imported ? [...findLookAlikePairs(db, seq)] : [];
        return { ...imported, lookAlikes };
      });
      printReport(cli, file, report, options.json);
      printLookAlikes(cli, report.lookAlikes);
      if (report.problemCount > 0) cli.exitCode = EXIT_BAD_INPUT;
    });

  program
    .command('export')
    .description('write a list in the import format (NDJSON) to standard output or a file')
    .addOption(listOption().makeOptionMandatory())
    .option('--out <file>', 'write to this file; proof files are copied into a folder beside it')
    .addOption(jsonOption())
    .action(async (options: { list: ListKind; out?: string; json?: boolean }) => {
      const count = await withPresentDatabase(cli, (db) => exportList(cli, db, options.list, options.out));
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

/** Problems go to standard error, the summary to standard output. */
export function printReport(cli: Cli, file: string, report: ImportReport, asJson: boolean | undefined): void {
  const { problems, problemCount, notices, added, updated, unchanged, rejected, returned } = report;
  if (asJson) {
    print(cli, true, report, '');
    return;
  }
  for (const notice of notices) note(cli, formatProblem(file, notice));
  for (const problem of problems) cli.stderr.write(`${formatProblem(file, problem)}\n`);
  if (problemCount > problems.length) {
    cli.stderr.write(`… and ${counted(problemCount - problems.length, 'more problem')}\n`);
  }
  const counts = `added ${added}, updated ${updated}, unchanged ${unchanged}, rejected ${rejected}`;
  const outcome = report.imported
    ? counts
    : `nothing was changed: ${counted(problemCount, 'problem')} (${counts} if all were well)`;
  cli.stdout.write(`${outcome}\n`);
  if (returned > 0 && report.imported) {
    const are =
      returned === 1 ? 'entry was removed before and is back' : 'entries were removed before and are back';
    cli.stdout.write(`${returned} ${are}, by the report number; "entry remove" removes again\n`);
  }
}

async function exportList(cli: Cli, db: Database, list: ListKind, out: string | undefined): Promise<number> {
  if (out === undefined) {
    let files = 0;
    const count = await writeRecords(cli.stdout, db, list, (item) => {
      files += 1;
      return item.fileName ?? undefined;
    });
    if (files > 0)
      note(cli, `${counted(files, 'proof file')} named but not written; use --out FILE to get them`);
    return count;
  }
  if (existsSync(out)) throw new BadInputError(`${out} exists; name a new file`);
  if (!existsSync(dirname(out))) throw new BadInputError(`${dirname(out)} is no folder; make it first`);
  const folder = `${basename(out)}.files`;
  const files = new Map<string, string>();
  const temporary = `${out}.part`;
  const stream = createWriteStream(temporary, { mode: 0o600 });
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
