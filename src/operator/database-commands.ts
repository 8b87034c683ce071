/** Verbs about the database as a whole: `migrate`, `seed`, `rebuild`, `backup`, `restore`. */
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { AppliedRemovals } from '../removals/apply-removals.ts';
import type { ListKind } from '../entries/entry.ts';
import { databaseFile, isFreeForBackup } from '../backups/backup-files.ts';
import { makeBackup } from '../backups/make-backup.ts';
import { askToGoOn, printNotice, print, type Cli } from './console/cli.ts';
import { lockInstalledVersion } from './console/installed-version.ts';
import { listOption, wholeNumber } from './console/options.ts';
import { counted, PROBLEMS_LISTED } from './console/outcome.ts';
import { rebuildDatabase } from './rebuild-database.ts';
import { restoreDatabase, type RestoreOptions, type RestoreReport, type RevertedEntry } from './restore.ts';
import { seedDatabase } from '../../scripts/sample/seed-database.ts';
import { joinSome } from '../text/shorten.ts';
import { BadInputError, EXIT_COULD_NOT_RUN } from '../operator-error.ts';
import { openMigrated, openToWrite } from './console/operator-database.ts';

/** The most that a wallet bridges which stops after 20 addresses without a payment (BIP44, and so BIP84). */
const SKIP_ADDRESSES = 19;

export function addVerbs(program: Command, cli: Cli): void {
  program
    .command('migrate')
    .description('create the database, or bring it to this version')
    .action(async () => {
      const { path } = await openToWrite(cli, { whenMissing: 'recreate' });
      print(cli, { database: path, current: true }, `${path} is of this version`);
    });

  program
    .command('seed')
    .description('fill an empty or sample database with invented entries')
    .option(
      '--count <entries>',
      'this many entries, made by the seed number; without it those of the demo',
      wholeNumber(1),
    )
    .option('--seed <number>', 'the same number makes the same entries', wholeNumber(0), 1)
    .addOption(listOption())
    .action(async ({ count, seed, list }: { count?: number; seed: number; list?: ListKind }) => {
      const db = await openToWrite(cli, { whenMissing: 'create' });
      const counts = await seedDatabase(db, { count, seed, list, now: Date.now(), stderr: cli.stderr });
      const text = Object.entries(counts).map(([kind, made]) => `${kind} ${made}`);
      print(cli, counts, `sample entries: ${text.join(', ')}`);
    });

  program
    .command('rebuild')
    .description(
      'make everything that follows from the entries again: rendered reasons, lists, searches, pictures',
    )
    .action(async () => {
      const report = await rebuildDatabase(await openToWrite(cli), cli.stderr);
      const { entries, changed, pictures } = report;
      print(
        cli,
        report,
        `looked at ${counted(entries, 'entry', 'entries')}, made ${changed} anew; ${counted(pictures, 'image')} got pictures`,
      );
    });

  program
    .command('backup')
    .description(
      'write a checked copy of the database and the proof files into a new folder, while the server runs',
    )
    .argument('<folder>', 'a folder that does not exist yet, or is empty')
    .action(async (folder: string) => {
      const db = await openMigrated(cli);
      if (!isFreeForBackup(folder))
        throw new BadInputError(`${folder} exists and holds something; name a new folder`);
      const isNew = !existsSync(folder);
      const task = { databasePath: db.path, folder: resolve(folder) };
      const { name, ...report } = await makeBackup({ ...task, now: Date.now() }).catch((error: unknown) => {
        // In a folder that was there, the worker may be making its first backup.
        if (isNew) rmSync(folder, { recursive: true, force: true });
        throw error;
      });
      const file = databaseFile(folder, name);
      if (report.lostProofs > 0) {
        cli.exitCode = EXIT_COULD_NOT_RUN;
        const lost = counted(report.lostProofs, 'proof file');
        printNotice(cli, `${lost} lost or changed, and not in the backup; see "czujka doctor"`);
      }
      if (report.problem !== undefined) {
        cli.exitCode = EXIT_COULD_NOT_RUN;
        printNotice(cli, `"restore" would refuse this backup: ${report.problem}`);
      }
      const entries = counted(report.entries, 'entry', 'entries');
      print(cli, { file, ...report }, `${entries} and their proof files: ${file}`);
    });

  program
    .command('restore')
    .description('put a backup in the place of the database, while the server runs')
    .argument('<backup>', 'a .db.zst file, or a folder with one backup')
    .option('--yes', 'replace a database that holds entries')
    .option(
      '--removed <file>',
      'on a new machine: the removed.ndjson of the old one; what it names is not brought back',
    )
    .option('--without-removed', 'on a new machine: bring back what was removed since the backup')
    .option(
      '--skip-addresses <count>',
      'on a new machine: pass over so many addresses of donations, at least as many as were given out since the backup',
      wholeNumber(0),
      SKIP_ADDRESSES,
    )
    .action(async (backup: string, options: Omit<RestoreOptions, 'approve'>) => {
      await lockInstalledVersion(cli);
      const report = await restoreDatabase(cli.config, backup, {
        ...options,
        stderr: cli.stderr,
        approve: async (replaced, withdrawn, reverted) => {
          for (const text of [...describeWithdrawn(withdrawn), ...describeReverted(reverted)])
            printNotice(cli, text);
          const what = `${cli.config.databasePath} holds ${counted(replaced, 'entry', 'entries')}`;
          if (replaced > 0) await askToGoOn(cli, what, 'repeat with --yes to replace them');
        },
      });
      for (const text of notesOf(report)) printNotice(cli, text);
      const running =
        'a running service shows them within seconds, and searches answer 503 until search.db is made';
      const restored = `${counted(report.entries, 'entry', 'entries')} and ${counted(report.files, 'proof file')}`;
      print(cli, report, `${restored}: restored; ${running}`);
    });
}

const WITHDRAWN: Readonly<Record<keyof AppliedRemovals, string>> = {
  removed: 'removed since the backup, and not brought back',
  reasonsRedacted:
    'the reason was redacted since the backup; the entry says that it is lost until "entry edit"',
  namesRedacted: 'a name was redacted since the backup; the entry says that it is removed until "entry edit"',
  proofsRemoved: 'some proofs were removed since the backup; all of these are left out',
  proofsMadePrivate: 'proofs were made private since the backup, and stay so',
};

/** Describes the removals that a restore keeps away, by kind, with the number of entries. */
function describeWithdrawn(withdrawn: AppliedRemovals): string[] {
  return (Object.keys(WITHDRAWN) as (keyof AppliedRemovals)[]).flatMap((kind) => {
    const ids = withdrawn[kind];
    if (ids.length === 0) return [];
    return `${WITHDRAWN[kind]}: ${counted(ids.length, 'entry', 'entries')} (${joinSome(ids)})`;
  });
}

/** Says how to repeat what an operator corrected since the backup. */
function describeReverted(reverted: readonly RevertedEntry[]): string[] {
  const texts = reverted.map(
    ({ list, reportId, idBefore, id, accountBefore, account }) =>
      `${reportId}: ${idBefore} (${accountBefore}) is ${id} (${account}) in the backup, and comes back so; ` +
      `correct it: entry edit ${reportId} --list ${list} --id ${idBefore} --${accountBefore}`,
  );
  const more = texts.length - PROBLEMS_LISTED;
  return [...texts.slice(0, PROBLEMS_LISTED), ...(more > 0 ? [`… and ${more} more; --json has all`] : [])];
}

function notesOf({ skippedAddresses, lostProofs, knowsCorrections }: RestoreReport): string[] {
  return [
    ...skippedAddresses.map(
      ({ keyId, first, last }) =>
        `nothing here knows which addresses of the account key ${keyId} were given out since the backup; ` +
        `${first} to ${last} are passed over. More donations since then? Restore with a larger --skip-addresses`,
    ),
    ...(lostProofs > 0 ? [`${counted(lostProofs, 'proof file')} of it cannot be found in the backup`] : []),
    ...(knowsCorrections
      ? []
      : [
          'nothing here knows which IDs were corrected and which accounts were marked hijacked since the backup: ' +
            'all of these are as in the backup',
        ]),
  ];
}
