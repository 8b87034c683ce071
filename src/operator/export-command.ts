/** The verb `export`. */
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Command } from 'commander';
import type { Database } from '../db/database.ts';
import type { ListKind } from '../entries/entry.ts';
import { exportRecords } from '../entries/export-records.ts';
import { listFileNames } from '../entries/import-record.ts';
import { copyOriginal } from '../proofs/proof-files.ts';
import { BadInputError } from '../operator-error.ts';
import { printNotice, print, type Cli } from './console/cli.ts';
import { listOption } from './console/options.ts';
import { counted } from './console/outcome.ts';
import { openMigrated } from './console/operator-database.ts';

export function addVerbs(program: Command, cli: Cli): void {
  program
    .command('export')
    .description('write a list in the import format (NDJSON) to standard output or a file')
    .addOption(listOption().makeOptionMandatory())
    .option('--out <file>', 'write to this file; proof files are copied into a folder beside it')
    .action(async ({ list, out }: { list: ListKind; out?: string }) => {
      const db = await openMigrated(cli);
      const exported = await exportList(cli, db, list, out);
      if (out === undefined) return;
      const outcome = `exported ${counted(exported, 'entry', 'entries')} of ${list} to ${out}`;
      print(cli, { list, out, exported }, outcome);
    });
}

async function exportList(cli: Cli, db: Database, list: ListKind, out: string | undefined): Promise<number> {
  if (out === undefined) {
    const { count, files } = await writeRecords(cli.stdout, db, list);
    if (files.length > 0)
      printNotice(
        cli,
        `${counted(files.length, 'proof file')} named but not written; use --out FILE to get them`,
      );
    return count;
  }
  if (existsSync(out)) throw new BadInputError(`${out} exists; name a new file`);
  if (!existsSync(dirname(out))) throw new BadInputError(`${dirname(out)} is no folder; make it first`);
  const temporary = `${out}.${process.pid}.part`;
  const stream = createWriteStream(temporary, { mode: 0o600, flags: 'wx' });
  const { count, files } = await writeRecords(stream, db, list, `${basename(out)}.files/`);
  stream.end();
  await once(stream, 'close');
  for (const name of new Set(files))
    copyOriginal(cli.config.databasePath, basename(name), join(dirname(out), name));
  await rename(temporary, out);
  return count;
}

async function writeRecords(stream: Writable, db: Database, list: ListKind, folder?: string) {
  const files: string[] = [];
  let count = 0;
  for (const record of exportRecords(db, list, folder)) {
    if (!stream.write(`${JSON.stringify(record)}\n`)) await once(stream, 'drain');
    files.push(...listFileNames(record));
    count += 1;
  }
  return { count, files };
}
